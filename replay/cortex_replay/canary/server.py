"""A Messages API on loopback that answers with prepared steps, one for each request."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Mapping[str, Any]
"""A content block of the model's answer: `text` or `tool_use` without its id."""
_USAGE = {"input_tokens": 1_000, "output_tokens": 50}
_MAX_BODY = 64 << 20


@contextmanager
def serve(steps: Sequence[Step]) -> Iterator[str]:
    """Yield the server's URL within the block.

    The number of the model's answers in a request says which step follows; the last one is
    repeated.
    """

    class Bound(_Handler):
        prepared = tuple(steps)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    prepared: tuple[Step, ...] = ()

    def do_POST(self) -> None:
        size = min(int(self.headers.get("Content-Length") or 0), _MAX_BODY)
        try:
            request = json.loads(self.rfile.read(size))
            answers = sum(message["role"] == "assistant" for message in request["messages"])
        except (ValueError, LookupError, TypeError):
            self._json(400, {"type": "error", "error": {"type": "invalid_request_error"}})
            return
        if self.path.split("?")[0] != "/v1/messages":
            self._unknown()
            return
        step = self.prepared[min(answers, len(self.prepared) - 1)]
        message = _message(str(request.get("model")), step, answers)
        if not request.get("stream"):
            self._json(200, message)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in _events(message):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def do_GET(self) -> None:
        self._unknown()

    def do_HEAD(self) -> None:
        self._unknown()

    def _unknown(self) -> None:
        self._json(404, {"type": "error", "error": {"type": "not_found_error", "message": ""}})

    def _json(self, status: int, value: Mapping[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Discard log lines."""


def _message(model: str, step: Step, number: int) -> dict[str, Any]:
    calls = step["type"] == "tool_use"
    block = {**step, "id": f"toolu_canary{number:02}"} if calls else dict(step)
    return {
        "id": f"msg_canary{number:02}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [block],
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": _USAGE,
    }


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Split a message into the events of a stream."""
    (block,) = message["content"]
    usage = _USAGE | {"output_tokens": 1}
    start = message | {"content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": start}
    empty: dict[str, Any] = {"text": ""}
    delta = {"type": "text_delta", "text": block.get("text", "")}
    if block["type"] == "tool_use":
        empty = {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_start", "index": 0, "content_block": block | empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": _USAGE}
    yield {"type": "message_stop"}
