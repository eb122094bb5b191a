import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cortex.mining import mine
from cortex.model.corrections import Correction, Signal
from cortex.transcripts.claude_code import read
from cortex.transcripts.turns import assemble

SAMPLES = Path(__file__).parents[2] / "data" / "transcripts"
Log = Any


def _mined(path: Path, **options: Any) -> list[Correction]:
    chunk = read(path)
    if chunk.session is None:
        return []
    return list(mine(chunk.session, assemble(event for _, event in chunk.events), **options))


def test_samples_hold_exactly_the_two_corrections_of_the_interactive_session() -> None:
    mined = {path.name[0]: _mined(path) for path in SAMPLES.glob("*.jsonl")}
    rejected, stopped = mined.pop("g")
    assert not any(mined.values())
    assert (rejected.signal, rejected.content) == (
        Signal.REJECTION,
        "no, use the plus operator instead",
    )
    assert rejected.paths == ("src/calc.py",)
    assert (stopped.signal, stopped.content) == (
        Signal.INTERRUPTION,
        "stop, use httpx instead of requests",
    )


def test_samples_with_headless_runs_add_exactly_one_follow_up() -> None:
    mined = {path.name: _mined(path, include_headless=True) for path in SAMPLES.glob("*.jsonl")}
    headless = [
        correction
        for name, corrections in mined.items()
        if name[0] != "g"
        for correction in corrections
    ]
    [correction] = headless
    assert correction.content == "no, use httpx instead of requests - we never use requests here"
    assert correction.signal is Signal.FOLLOW_UP
    assert sum(len(corrections) for corrections in mined.values()) == 3


def test_follow_up_names_task_words_and_files(log: Log) -> None:
    line = log.prompt("no, use httpx instead of requests")
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    [correction] = log.mined()
    assert correction.signal is Signal.FOLLOW_UP
    assert (correction.uuid, correction.prompt_uuid) == (line, "s-1-1")
    assert correction.content == "no, use httpx instead of requests"
    assert correction.paths == ("src/fetch.py",)
    assert 0.5 <= correction.confidence < 1


@pytest.mark.parametrize(
    "text",
    [
        "great, thanks",
        "now add a retry with backoff",
        "does it follow redirects?",
        "commit and push please",
        "continue",
        'Traceback (most recent call last):\n  File "x.py", line 3\nValueError: never do that',
        "no problem, take your time",
        "please add a test for timeouts",
    ],
)
def test_other_follow_ups_are_no_corrections(log: Log, text: str) -> None:
    log.prompt(text)
    log.edit("src/fetch.py", "def fetch", "def fetch_json")
    assert log.mined() == ()


@pytest.mark.parametrize(
    "text",
    [
        "nein, bitte httpx statt requests, requests benutzen wir hier nie",
        "non, utilise httpx au lieu de requests",
        "no, usá httpx en vez de requests, acá nunca usamos requests",
        "não, usa httpx em vez de requests",
        "不要用 requests，以后都要用 httpx",
        "requests ではなく httpx を使ってください",
        "нет, используй httpx вместо requests",
    ],
)
def test_follow_ups_in_other_languages(log: Log, text: str) -> None:
    log.prompt(text)
    assert [correction.content for correction in log.mined()] == [text]


def test_answer_to_the_agents_question_is_none(log: Log) -> None:
    log.prompt("tidy the folder")
    log.say("Should I delete the old client as well?")
    log.prompt("no, leave that")
    assert log.mined() == ()


@pytest.mark.parametrize("mentions", [False, True])
def test_words_after_mere_talk_correct_no_work(new_log: Callable[..., Log], mentions: bool) -> None:
    log = new_log()
    log.prompt("Which library fits? @src/fetch.py")
    if mentions:
        file = {"filePath": "/home/dev/shop/src/fetch.py", "content": "x", "numLines": 1}
        content = {"type": "text", "file": file | {"startLine": 1, "totalLines": 1}}
        log.line("attachment", attachment={"type": "file", "content": content})
    log.say("requests is a good choice.")
    log.prompt("no, use httpx instead of requests, we never use requests here")
    assert log.mined() == ()


def test_undoing_its_own_lines_afterwards_makes_a_correction_surer(
    log: Log, new_log: Callable[..., Log]
) -> None:
    words = "I don't like requests there"
    other = new_log("s-2")
    other.path.write_text(log.path.read_text())
    other.files |= log.files
    log.prompt(words)
    other.prompt(words)
    log.edit("src/fetch.py", "import requests", "import httpx")
    other.edit("src/fetch.py", "import requests\n", "import requests\nimport json\n")
    [surer] = log.mined()
    assert surer.confidence > max([0.0, *(correction.confidence for correction in other.mined())])


def test_rejection_without_words_of_correction_is_none(log: Log) -> None:
    log.prompt("bump it")
    log.reject("one moment, I'll fetch the log first", "Bash", command="make release")
    log.reject(None, "Bash", command="make release")
    assert log.mined() == ()


def test_interruption_then_prompt(log: Log) -> None:
    log.prompt("install it")
    log.reject(None, "Bash", command="pip install httpx")
    log.interrupt()
    line = log.prompt("stop, we use uv and not pip in this repo")
    [correction] = log.mined()
    assert correction.signal is Signal.INTERRUPTION
    assert correction.uuid == line


def test_interruption_then_going_on_is_none(log: Log) -> None:
    log.prompt("install it")
    log.reject(None, "Bash", command="uv add httpx")
    log.interrupt()
    log.prompt("sorry, wrong window. go on")
    assert log.mined() == ()


@pytest.mark.parametrize(
    "text",
    [
        "Stop hook feedback:\n- no, never use requests, use httpx instead",
        "This session is being continued from a previous conversation: never use requests",
        "<task-notification>no, use httpx instead of requests</task-notification>",
        "Implement the following plan:\nno requests, use httpx instead",
        "<command-name>/fix</command-name>\n<command-args>no, use httpx instead</command-args>",
    ],
)
def test_text_that_no_person_typed_never_corrects(log: Log, text: str) -> None:
    log.prompt(text)
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    assert log.mined() == ()
    assert log.mined(include_headless=True) == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": "/tmp/cortex-trials-0/w"},
        {"isSidechain": True},
        {"promptSource": "sdk"},
        {"isMeta": True},
    ],
)
def test_sessions_without_a_developer_give_nothing(
    new_log: Callable[..., Log], fields: dict[str, Any]
) -> None:
    log = new_log(**fields)
    log.prompt("write it")
    log.write("a.py", "import requests\n")
    log.prompt("no, use httpx instead of requests")
    log.files["a.py"] = "import httpx\n"
    log.read("a.py")
    assert log.mined() == ()


def test_question_in_between_does_not_hide_the_work_that_is_meant(log: Log) -> None:
    log.prompt("which library is that?")
    log.say("It is requests.")
    log.prompt("no, use httpx instead of requests")
    [correction] = log.mined()
    assert correction.prompt_uuid == "s-1-1"
    assert correction.paths == ("src/fetch.py",)


def test_second_correction_of_the_same_work_belongs_to_the_first_task(log: Log) -> None:
    log.prompt("no, use httpx instead of requests")
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    log.prompt("no, never without a timeout, always pass timeout=5")
    log.edit("src/fetch.py", "(url)\n", "(url, timeout=5)\n")
    first, second = log.mined()
    assert first.prompt_uuid == second.prompt_uuid == "s-1-1"


def test_work_after_a_slash_command_is_corrected_under_that_command(
    new_log: Callable[..., Log],
) -> None:
    log = new_log()
    log.prompt("hello")
    started = log.prompt("<command-name>/feature</command-name><command-args>fetch</command-args>")
    log.write("a.py", "import requests\n")
    log.prompt("no, use httpx instead of requests")
    [correction] = log.mined()
    assert correction.prompt_uuid == started


def test_ids_survive_a_second_reading_and_a_fork(log: Log, tmp_path: Path) -> None:
    log.prompt("no, use httpx instead of requests")
    fork = tmp_path / "fork.jsonl"
    lines = [json.loads(line) | {"sessionId": "s-2"} for line in log.path.read_text().splitlines()]
    fork.write_text("".join(json.dumps(line) + "\n" for line in lines))
    [first], [again], [forked] = log.mined(), log.mined(), _mined(fork)
    assert first == again
    assert first.id == forked.id
    assert first.id.startswith("corr-")
    assert forked.session_id == "s-2"


@pytest.mark.parametrize(("changes", "count"), [(True, 1), (False, 0)])
def test_naming_what_the_agent_then_replaces_needs_no_other_cue(
    log: Log, changes: bool, count: int
) -> None:
    log.prompt("use httpx, requests blocks the loop")
    if changes:
        log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    else:
        log.edit("src/fetch.py", "import requests\n", "import json\nimport requests\n")
    assert len(log.mined()) == count


def test_one_weak_cue_is_not_enough_when_the_agent_leaves_its_lines_alone(log: Log) -> None:
    log.prompt("the other helpers should have docstrings")
    log.write("src/other.py", "X = 1\n")
    assert log.mined() == ()
