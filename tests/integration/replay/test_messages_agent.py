"""The messages agent as a process against a scripted Messages API: what it does and costs."""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from tests.servers.messages import Answer, Failure, Reply, Script, Stall, call, say, serve
from tests.servers.requests import Request, difference, normalised

from cortex.config import AgentConfig, TokenPrices
from cortex.errors import MachineError, UsageError
from cortex.model.sessions import ActionKind, Called, Returned
from cortex_replay.agents import AgentJob, AgentRun
from cortex_replay.agents.messages import MessagesAgent
from cortex_replay.confinement import Confinement

KEY = "sk-ant-api03-not-a-real-key"
PRICES = TokenPrices(input=10.0, output=100.0)
RULE = '---\npaths: ["src/**/*.py"]\n---\nWrite clock.now().\n'
SKILL = "---\nname: stamp\ndescription: How to stamp\n---\nclock.now()\n"


class World:
    """A workspace and the folders of a job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace, self.state, self.home = (folder / name for name in ("w", "state", "home"))
        for place in (self.workspace, self.state, self.home):
            place.mkdir()
        self.write("src/a.py", "x = 1\n")

    def write(self, path: str, text: str) -> None:
        target = self.workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")

    def text(self, path: str = "src/a.py") -> str:
        return (self.workspace / path).read_text("utf-8")

    def job(self, prompt: str, timeout_s: float = 60.0) -> AgentJob:
        return AgentJob(
            workspace=self.workspace,
            state=self.state,
            home=self.home,
            prompt=prompt,
            session_id=str(uuid.UUID(int=7, version=4)),
            model=None,
            timeout_s=timeout_s,
            budget_usd=None,
            seed=1,
        )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def config(url: str | None, **fields: object) -> AgentConfig:
    return replace(AgentConfig(name="messages", model="tiny", base_url=url), **fields)  # type: ignore[arg-type]


def steps(*replies: Reply) -> Script:
    """Answer with one reply after the other, by the number of answers in the request."""
    return lambda request: replies[min(request.step, len(replies) - 1)]


def work(world: World, script: Script, prompt: str = "Do it", **fields: object) -> AgentRun:
    with serve(script) as server:
        run = MessagesAgent(config(server.url, **fields)).run(world.job(prompt))
    assert server.failures == []
    assert server.unexpected == []
    return run


def test_it_reads_edits_writes_runs_and_tells_all_of_it(world: World) -> None:
    script = steps(
        call("Read", file_path="src/a.py"),
        call("Edit", file_path="src/a.py", old_string="1", new_string="2"),
        call("Write", file_path=str(world.workspace / "src/b.py"), content="y = 1\n"),
        call("Bash", command="cat src/*.py && false"),
        say("Done."),
    )
    run = work(world, script)
    assert (run.status, run.detail) == ("finished", "")
    assert (world.text(), world.text("src/b.py")) == ("x = 2\n", "y = 1\n")
    kinds = [event.kind for event in run.events if isinstance(event, Called)]
    assert kinds == [ActionKind.READ, ActionKind.WRITE, ActionKind.WRITE, ActionKind.COMMAND]
    returned = [event for event in run.events if isinstance(event, Returned)]
    assert [event.ok for event in returned] == [True, True, True, False]
    assert (returned[1].before, returned[1].after) == ("x = 1\n", "x = 2\n")
    assert (returned[3].exit_code, "x = 2\ny = 1" in returned[3].output) == (1, True)
    assert (run.input_tokens, run.output_tokens, run.cost_usd) == (5000, 250, 0.0)


def test_wrong_calls_are_answered_and_the_run_goes_on(world: World) -> None:
    seen: list[str] = []

    def script(request: Request) -> Reply:
        seen[:] = request.results
        return replies[request.step]

    replies = (
        call("Edit", file_path="src/a.py", old_string="1", new_string="2"),
        call("Read", file_path=7),
        call("Read", file_path="src/none.py"),
        call("Launch", rocket="now"),
        call("Skill", skill="nothing"),
        call("Write", file_path="src", content="x"),
        call("Bash", command="a\0b"),
        say("I give up."),
    )
    assert work(world, script).status == "finished"
    words = ("not been read", "as a string", "not exist", "No such tool", "Unknown skill")
    assert all(word in answer for word, answer in zip(words, seen, strict=False))
    assert "is a directory" in seen[5]
    assert "null character" in seen[6]
    assert world.text() == "x = 1\n"


@pytest.mark.parametrize(
    "path", ["../secret", "{outside}", "link/secret", "src/../../secret", ".git/config", "a\0b"]
)
def test_no_path_leads_out_of_the_workspace(world: World, path: str) -> None:
    secret = world.folder / "secret"
    secret.write_text("hidden words", "utf-8")
    (world.workspace / "link").symlink_to(world.folder)
    (world.workspace / "alias").symlink_to(secret)
    place = path.format(outside=secret)
    seen: list[str] = []

    def script(request: Request) -> Reply:
        seen[:] = request.results
        return replies[request.step]

    replies = (
        call("Read", file_path=place),
        call("Write", file_path=place, content="overwritten"),
        call("Read", file_path="alias"),
        call("Write", file_path="alias", content="overwritten"),
        say("Done."),
    )
    work(world, script)
    assert secret.read_text("utf-8") == "hidden words"
    assert not any("hidden words" in answer for answer in seen)
    assert not (world.workspace / ".git").exists()


def test_rules_load_when_a_matching_file_is_read_and_once(world: World) -> None:
    world.write(".claude/rules/clock.md", RULE)
    world.write(".claude/rules/web.md", RULE.replace("src", "web"))
    world.write("CLAUDE.md", "Be brief.\n")
    world.write("src/CLAUDE.md", "Nested words.\n")
    requests: list[Request] = []

    def script(request: Request) -> Reply:
        requests.append(request)
        replies = (
            call("Bash", command="cat src/a.py"),
            call("Read", file_path="src/a.py"),
            call("Read", file_path="src/a.py"),
            say("Done."),
        )
        return replies[request.step]

    run = work(world, script)
    assert run.loaded == {"CLAUDE.md", "src/CLAUDE.md", ".claude/rules/clock.md"}
    shown = [request.model_input for request in requests]
    assert ["Be brief." in text for text in shown] == [True] * 4
    assert [text.count("Write clock.now().") for text in shown] == [0, 0, 1, 1]
    assert [text.count("Nested words.") for text in shown] == [0, 0, 1, 1]


def test_a_mentioned_file_is_sent_and_loads_its_rules(world: World) -> None:
    world.write(".claude/rules/clock.md", RULE)
    requests: list[Request] = []

    def script(request: Request) -> Reply:
        requests.append(request)
        return say("Done.")

    run = work(world, script, "Look at @src/a.py.")
    assert run.loaded == {".claude/rules/clock.md"}
    assert "x = 1" in requests[0].model_input
    assert "Write clock.now()." in requests[0].model_input


def test_skills_are_offered_and_opened_under_their_conditions(world: World) -> None:
    world.write(".claude/skills/stamp/SKILL.md", SKILL)
    world.write(
        ".claude/skills/late/SKILL.md", SKILL.replace("---\nclock", 'paths: ["src/**"]\n---\nlate')
    )
    world.write(
        ".claude/skills/off/SKILL.md",
        SKILL.replace("---\nclock", "disable-model-invocation: true\n---\noff"),
    )
    requests: list[Request] = []

    def script(request: Request) -> Reply:
        requests.append(request)
        replies = (
            call("Skill", skill="late"),
            call("Read", file_path="src/a.py"),
            call("Skill", skill="stamp"),
            call("Skill", skill="off"),
            say("Done."),
        )
        return replies[request.step]

    run = work(world, script)
    assert run.offered == {".claude/skills/stamp/SKILL.md", ".claude/skills/late/SKILL.md"}
    assert run.loaded == {".claude/skills/stamp/SKILL.md"}
    assert "late" not in requests[0].model_input
    assert "clock.now()" in requests[3].model_input
    assert "Unknown skill: late" in requests[1].results
    assert "Unknown skill: off" in requests[4].results


def test_both_arms_send_the_same_but_for_the_text(world: World) -> None:
    script = steps(call("Read", file_path="src/a.py"), say("Done."))
    sent = []
    for rule in ("", RULE):
        if rule:
            world.write(".claude/rules/clock.md", rule)
        with serve(script) as server:
            MessagesAgent(config(server.url)).run(world.job("Stamp src/a.py"))
        sent.append([normalised(request, {}) for request in server.requests])
    change = difference(*sent)
    assert change.without == ()
    assert change.with_ == (
        "",
        "<system-reminder>",
        "Contents of .claude/rules/clock.md (project instructions, checked into the codebase):",
        "",
        "Write clock.now().",
        "</system-reminder>",
    )


@pytest.mark.parametrize("confined", [False, True])
def test_the_models_commands_do_not_see_the_key(
    world: World, monkeypatch: pytest.MonkeyPatch, confined: bool
) -> None:
    looking = (
        "env; cat /proc/$PPID/environ /proc/self/environ; tr '\\0' ' ' < /proc/$PPID/cmdline; "
        "timeout 2 cat /proc/$PPID/fd/0; echo memory; cat /proc/$PPID/maps; "
        f"grep -rs sk-ant . $HOME {world.state}"
    )
    seen: list[str] = []
    headers: list[dict[str, str]] = []

    def script(request: Request) -> Reply:
        headers.append(request.headers)
        seen[:] = request.results
        return (call("Bash", command=looking), say("Done."))[request.step]

    with serve(script) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        agent = MessagesAgent(config(None, usd_per_million=PRICES))
        agent.check()
        job = world.job("Do it")
        if confined:
            job = replace(job, confinement=Confinement("bubblewrap"))
        run = agent.run(job)
    assert (run.status, run.detail) == ("finished", "")
    assert KEY in " ".join(headers[0].values())
    assert "HOME=" in seen[0]
    assert KEY not in seen[0]
    if confined:
        assert " rw-p " not in seen[0].partition("memory")[2]
    assert run.cost_usd == pytest.approx(2 * (1000 * 10 + 50 * 100) / 1e6)


def test_a_server_of_the_configuration_on_this_machine_gets_no_key(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    with serve(steps(say("Done."))) as server:
        MessagesAgent(config(server.url)).run(world.job("Do it"))
    assert not any(KEY in value for value in server.requests[0].headers.values())


def test_a_token_is_sent_as_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    with serve(steps(say("Done."))) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        MessagesAgent(config(None, usd_per_million=PRICES)).run(world.job("Do it"))
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_it_stops_when_its_budget_is_spent(world: World) -> None:
    with serve(steps(call("Bash", command="true"))) as server:
        agent = MessagesAgent(config(server.url, usd_per_million=PRICES))
        run = agent.run(replace(world.job("Do it"), budget_usd=0.04))
    assert (run.status, run.detail) == ("budget", "reached the budget of a trial")
    assert run.cost_usd == pytest.approx(0.045)
    assert len(server.requests) == 3


@pytest.mark.parametrize("usage", ["{}", '{"input_tokens": -1, "output_tokens": 1}', "null", "7"])
def test_without_a_count_of_tokens_a_cost_is_unknown(
    world: World, monkeypatch: pytest.MonkeyPatch, usage: str
) -> None:
    answer = f'{{"content": [{{"type": "text", "text": "hi"}}], "usage": {usage}}}'
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with bare_server(answer.encode()) as url:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        run = MessagesAgent(config(None, usd_per_million=PRICES)).run(world.job("Do it"))
    assert (run.status, run.cost_usd) == ("finished", None)


def test_it_ends_after_so_many_turns(world: World) -> None:
    run = work(world, steps(call("Bash", command="true")))
    assert (run.status, run.detail) == ("finished", "reached the maximum number of turns (50)")


@pytest.mark.parametrize(
    ("failure", "requests", "words"),
    [
        (Failure(401, "authentication_error", "invalid x-api-key"), 1, "401: authentication_error"),
        (Failure(400, "invalid_request_error", "prompt is too long"), 1, "prompt is too long"),
        (Failure(429, "rate_limit_error", "slow down"), 4, "429: rate_limit_error: slow down"),
        (Failure(529, "overloaded_error", "Overloaded"), 4, "529: overloaded_error"),
    ],
)
def test_failures_of_the_provider_are_missing_trials(
    world: World, failure: Failure, requests: int, words: str
) -> None:
    with serve(steps(failure)) as server:
        run = MessagesAgent(config(server.url)).run(world.job("Do it"))
    assert run.status == "infra"
    assert words in run.detail
    assert len(server.requests) == requests


def test_a_failure_that_passes_is_tried_again(world: World) -> None:
    count = iter(range(9))

    def script(request: Request) -> Reply:
        return Failure(529, "overloaded_error", "") if next(count) == 0 else say("Done.")

    assert work(world, script).status == "finished"


def test_a_silent_provider_is_missing_and_not_the_texts_fault(world: World) -> None:
    with serve(steps(Stall())) as server:
        run = MessagesAgent(config(server.url)).run(world.job("Do it", timeout_s=8.0))
    assert run.status == "infra"
    assert "did not answer" in run.detail


def test_an_agent_that_takes_too_long_itself_timed_out(world: World) -> None:
    clock = time.monotonic()
    with serve(steps(call("Bash", command="sleep 60"))) as server:
        run = MessagesAgent(config(server.url)).run(world.job("Do it", timeout_s=8.0))
    assert run.status == "timeout"
    assert time.monotonic() - clock < 20


@contextmanager
def bare_server(answer: bytes) -> Iterator[str]:
    """A server that says the same to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"not json",
        b"[]",
        b'{"content": 3}',
        b'{"content": ["x"]}',
        b'{"type": "message"}',
        b"[" * 100_000,
    ],
)
def test_an_answer_that_is_no_message_is_missing(world: World, answer: bytes) -> None:
    with bare_server(answer) as url:
        run = MessagesAgent(config(url)).run(world.job("Do it"))
    assert (run.status, run.detail) == ("infra", "the server's answer is no message of the API")


def test_a_server_that_is_not_there(world: World) -> None:
    with bare_server(b"") as url:
        pass
    agent = MessagesAgent(config(url))
    with pytest.raises(MachineError, match="no model server answers at"):
        agent.check()
    run = agent.run(world.job("Do it", timeout_s=30.0))
    assert run.status == "infra"
    assert "cannot be reached" in run.detail


def test_check_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="`model`"):
        MessagesAgent(AgentConfig(name="messages")).check()
    with pytest.raises(UsageError, match="usd_per_million"):
        MessagesAgent(config(None)).check()
    with pytest.raises(MachineError, match="ANTHROPIC_API_KEY"):
        MessagesAgent(config(None, usd_per_million=PRICES)).check()
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    MessagesAgent(config(None, usd_per_million=PRICES)).check()


def test_whole_files_are_written_from_one_answer(world: World) -> None:
    world.write(".claude/rules/clock.md", RULE)
    world.write(".claude/skills/stamp/SKILL.md", SKILL)
    requests: list[Request] = []

    def script(request: Request) -> Reply:
        requests.append(request)
        return say(
            "src/a.py\n```python\nx = clock.now()\n```\n\n"
            "```python src/new.py\ny = 1\n```\n\n../out.py\n```\nz\n```\n"
        )

    with serve(script) as server:
        agent = MessagesAgent(config(server.url, edit_format="whole"))
        assert agent.runs_commands is False
        run = agent.run(world.job("Stamp src/a.py and write src/new.py"))
    assert (run.status, run.detail) == ("finished", "")
    assert (world.text(), world.text("src/new.py")) == ("x = clock.now()\n", "y = 1\n")
    assert not (world.folder / "out.py").exists()
    assert run.loaded == {".claude/rules/clock.md"}
    assert run.offered == set()
    assert "x = 1" in requests[0].model_input
    assert "tools" not in requests[0].body
    assert len(requests) == 1


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (say("I would rather not."), "the answer has no file in a fenced block"),
        (Answer(()), "the answer is empty"),
    ],
)
def test_an_answer_without_a_file_changes_nothing(
    world: World, answer: Answer, detail: str
) -> None:
    run = work(world, steps(answer), "Stamp src/a.py", edit_format="whole")
    assert (run.status, run.detail, world.text()) == ("finished", detail, "x = 1\n")


def test_the_version_names_what_decides_how_it_works() -> None:
    version = MessagesAgent(config(None)).version()
    assert "anthropic" in version
    assert version != MessagesAgent(config(None, edit_format="whole")).version()
