"""A scripted Messages API on loopback: the model provider of an agent CLI under test.

A script is a function from the whole request to a reply, so that a test can follow a convention
only when its text was sent. Every request is recorded.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.servers.requests import Request

STALL_LIMIT_S = 120.0
"""How long a stalled answer holds its connection unless the server closes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Content blocks of an assistant message, made with `say` and `call`."""

    blocks: tuple[dict[str, Any], ...]
    input_tokens: int = 1_000
    output_tokens: int = 50

    @property
    def stop_reason(self) -> str:
        return "tool_use" if any(b["type"] == "tool_use" for b in self.blocks) else "end_turn"


@dataclass(frozen=True, slots=True)
class Failure:
    """An error of the API: 401 `authentication_error`, 529 `overloaded_error`, …"""

    status: int
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Stall:
    """No answer, until the server closes."""


Reply = Answer | Failure | Stall
Script = Callable[[Request], Reply]


def say(text: str) -> Answer:
    """Answer with text only, which finishes the agent's turn."""
    return Answer(({"type": "text", "text": text},))


def call(tool: str, **arguments: object) -> Answer:
    """Answer with a tool call."""
    return Answer(({"type": "tool_use", "name": tool, "input": arguments},))


@dataclass
class MessagesServer:
    """A running server: point `ANTHROPIC_BASE_URL` at `url`."""

    script: Script
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)
    """Method and path of every request that is not a call of the Messages API."""
    failures: list[str] = field(default_factory=list)
    """Exceptions of the script; a test should assert that there are none."""
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, request: Request) -> Reply:
        """Record the request and ask the script."""
        with self.lock:
            self.requests.append(request)
        try:
            return self.script(request)
        except (LookupError, ValueError, TypeError, AssertionError) as error:
            with self.lock:
                self.failures.append(f"{type(error).__name__}: {error}")
            return Failure(400, "invalid_request_error", f"the test's script failed: {error}")

    def sessions(self) -> dict[str, list[Request]]:
        """Return the requests of each agent session, in order of the first request."""
        with self.lock:
            sessions: dict[str, list[Request]] = {}
            for request in self.requests:
                sessions.setdefault(request.session, []).append(request)
            return sessions


@contextmanager
def serve(script: Script) -> Iterator[MessagesServer]:
    """Run a server within the block."""
    server = MessagesServer(script)

    class Bound(_Handler):
        messages = server

    http = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    messages: MessagesServer

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.split("?")[0] != "/v1/messages":
            self._refuse_path()
            return
        request = Request(json.loads(raw), {k.lower(): v for k, v in self.headers.items()})
        reply = self.messages.reply(request)
        if isinstance(reply, Stall):
            self.messages.closing.wait(STALL_LIMIT_S)
        elif isinstance(reply, Failure):
            error = {"type": reply.kind, "message": reply.message}
            self._json(reply.status, {"type": "error", "error": error})
        else:
            self._answer(request, reply)

    def do_GET(self) -> None:
        self._refuse_path()

    def do_HEAD(self) -> None:
        self._refuse_path()

    def _refuse_path(self) -> None:
        with self.messages.lock:
            self.messages.unexpected.append(f"{self.command} {self.path}")
        self._json(404, {"type": "error", "error": {"type": "not_found_error", "message": ""}})

    def _answer(self, request: Request, answer: Answer) -> None:
        message = _message(request, answer)
        if not request.body.get("stream"):
            self._json(200, message)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in _events(message):
            line = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
            self.wfile.write(line.encode())

    def _json(self, status: int, value: dict[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Discard log lines: the requests are recorded."""


def _message(request: Request, answer: Answer) -> dict[str, Any]:
    """Return the whole message; its ids derive from the request, so that runs are reproducible."""
    prefix = request.digest[:16]
    blocks = [
        block | {"id": f"toolu_{prefix}{number:02}"} if block["type"] == "tool_use" else block
        for number, block in enumerate(answer.blocks)
    ]
    return {
        "id": f"msg_{prefix}",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": blocks,
        "stop_reason": answer.stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens},
    }


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Split a message into the events of a stream."""
    start = message | {"content": [], "stop_reason": None}
    start["usage"] = message["usage"] | {"output_tokens": 1}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block)
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": message["usage"]}
    yield {"type": "message_stop"}


def _block_events(index: int, block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == "text":
        empty, delta = block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        arguments = json.dumps(block["input"])
        empty, delta = (
            block | {"input": {}},
            {"type": "input_json_delta", "partial_json": arguments},
        )
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}
