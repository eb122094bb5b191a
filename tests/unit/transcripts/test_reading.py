import json
from collections.abc import Callable
from pathlib import Path

from cortex.model.sessions import Called, Loaded, Prompted, Returned, Said
from cortex.transcripts import jsonl
from cortex.transcripts.claude_code import Chunk, read
from cortex.transcripts.usage import total

Lines = Callable[..., Chunk]


def _user(text: object) -> dict[str, object]:
    return {"type": "user", "message": {"role": "user", "content": text}}


def test_partial_last_line_waits_and_nothing_is_read_twice(written: Callable[..., Path]) -> None:
    path = written([_user("one"), _user("two")])
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])

    first = read(path)
    path.write_bytes(whole)
    second = read(path, first.offset)

    texts = [e.text for c in (first, second) for _, e in c.events if isinstance(e, Prompted)]
    assert texts == ["one", "two"]
    assert second.offset == len(whole)
    assert second.session == first.session


def test_damaged_lines_are_counted_and_the_rest_is_read(events_of: Lines) -> None:
    chunk = events_of(
        b"not json",
        b'{"type": "user", "message": {"con',
        b'"a string"',
        b"[1, 2]",
        b"\xff\xfe\x00",
        b'{"a":' * 100_000,
        b'{"n": ' + b"9" * 10_000 + b"}",
        _user("still here"),
    )
    assert chunk.skipped == 7
    assert [e.text for _, e in chunk.events if isinstance(e, Prompted)] == ["still here"]


def test_wrong_types_anywhere_give_no_events(events_of: Lines) -> None:
    odd: list[object] = [None, 3, True, [], {}, [[]], [None], [{"type": "tool_result"}], ["x"]]
    lines: list[dict[str, object]] = [
        {"type": kind, "message": {"content": value}, "attachment": value}
        for kind in ("user", "assistant", "attachment", "system")
        for value in odd
    ]
    lines += [{"type": "user", "message": value} for value in odd]
    lines += [{"type": value} for value in odd]
    lines += [{**_user("x"), "uuid": value} for value in odd]
    assert events_of(*lines).events == ()


def test_invalid_utf8_and_half_a_surrogate_pair_can_be_stored(events_of: Lines) -> None:
    raw = json.dumps(
        {**_user("bad \ud800 half"), "uuid": "u", "sessionId": "s", "cwd": "/c"}, ensure_ascii=True
    ).encode()
    chunk = events_of(raw, raw.replace(b"bad", b"b\xffd").replace(b'"u"', b'"v"'))
    texts = [e.text for _, e in chunk.events if isinstance(e, Prompted)]
    assert texts == ["bad ? half", "b\ufffdd ? half"]
    assert all(text.encode() for text in texts)


def test_line_longer_than_memory_allows_is_passed_over(
    events_of: Lines, written: Callable[..., Path], monkeypatch: object
) -> None:
    path = written([_user("a"), _user("b" * 5000), _user("c")])
    longest, jsonl.LONGEST_LINE = jsonl.LONGEST_LINE, 1000
    try:
        chunk = read(path)
    finally:
        jsonl.LONGEST_LINE = longest
    assert [e.text for _, e in chunk.events if isinstance(e, Prompted)] == ["a", "c"]
    assert (chunk.skipped, chunk.offset) == (1, path.stat().st_size)


def test_limit_stops_early_and_says_where(written: Callable[..., Path]) -> None:
    path = written([_user(str(number)) for number in range(50)])
    texts, offset = [], 0
    while offset < path.stat().st_size:
        chunk = read(path, offset, limit=500)
        assert len(chunk.events) < 10
        texts += [e.text for _, e in chunk.events if isinstance(e, Prompted)]
        offset = chunk.offset
    assert texts == [str(number) for number in range(50)]


def test_several_events_of_one_line_have_their_own_keys(events_of: Lines) -> None:
    content = [
        {"type": "text", "text": "Both."},
        {"type": "tool_use", "id": "c1", "name": "Read", "input": {"file_path": "a.py"}},
        {"type": "tool_use", "id": "c2", "name": "Bash", "input": {"command": "ls"}},
    ]
    chunk = events_of(
        {"type": "assistant", "uuid": "u", "message": {"id": "m", "content": content}}
    )
    assert [key for key, _ in chunk.events] == ["u", "u/2", "u/3"]
    message, reads, runs = (event for _, event in chunk.events)
    assert isinstance(message, Said)
    assert isinstance(reads, Called)
    assert reads.path == "/home/dev/shop/a.py"
    assert isinstance(runs, Called)
    assert runs.command == "ls"


def test_a_fork_repeats_keys_under_another_session(
    written: Callable[..., Path], tmp_path: Path
) -> None:
    path = written([_user("one"), _user("two")])
    original = read(path)
    fork = tmp_path / "fork.jsonl"
    fork.write_bytes(path.read_bytes().replace(b'"s-1"', b'"s-2"'))
    copied = read(fork)
    assert [key for key, _ in copied.events] == [key for key, _ in original.events]
    assert original.session is not None
    assert copied.session is not None
    assert original.session.id != copied.session.id


def test_usage_takes_the_final_figures_of_a_message_and_counts_cached_input() -> None:
    messages = [
        Said("1", "", "m1", "", input_tokens=10, output_tokens=1),
        Said("2", "", "m1", "x", input_tokens=10, output_tokens=40),
        Said("3", "", "m2", "y", input_tokens=5, output_tokens=2),
        Said("4", "", "m3", "z", model="<synthetic>", input_tokens=0, output_tokens=0),
    ]
    usage = total(messages)
    assert (usage.input_tokens, usage.output_tokens, usage.messages) == (15, 42, 2)


def test_own_trials_are_marked_by_their_folder(events_of: Lines) -> None:
    own = events_of({**_user("x"), "cwd": "/var/tmp/cortex-trials-1000/slot-1/work"})
    other = events_of({**_user("x"), "cwd": "/home/dev/my-cortex-trials"})
    assert own.session is not None
    assert own.session.own
    assert other.session is not None
    assert not other.session.own


def test_slash_command_opens_its_skill_even_when_reading_resumes_between(
    written: Callable[..., Path],
) -> None:
    command = "<command-message>tidy</command-message>\n<command-name>/tidy</command-name>"
    path = written(
        [
            _user(f"{command}\n<command-args>all of it</command-args>"),
            {
                **_user([{"type": "text", "text": "# Tidy\nDo."}]),
                "isMeta": True,
                "parentUuid": "u0",
            },
        ]
    )
    split = path.read_bytes().index(b"\n") + 1
    for events in (read(path).events, read(path, split).events):
        loaded = [event for _, event in events if isinstance(event, Loaded)]
        assert [(each.path, each.kind) for each in loaded] == [("tidy", "skill")]


def test_failed_skill_call_loads_nothing(events_of: Lines) -> None:
    def answer(ok: bool) -> dict[str, object]:
        block = {"type": "tool_result", "tool_use_id": "c", "content": "x", "is_error": not ok}
        return {**_user([block]), "toolUseResult": {"success": ok, "commandName": "tidy"}}

    loaded = [e for _, e in events_of(answer(ok=False)).events if isinstance(e, Loaded)]
    assert loaded == []
    loaded = [e for _, e in events_of(answer(ok=True)).events if isinstance(e, Loaded)]
    assert [each.path for each in loaded] == ["tidy"]


def test_mentioned_file_is_a_read(events_of: Lines) -> None:
    file = {
        "filePath": "/w/a.py",
        "content": "x = 1\n",
        "numLines": 2,
        "startLine": 1,
        "totalLines": 2,
    }
    attachment = {"type": "file", "filename": "/w/a.py", "content": {"type": "text", "file": file}}
    call, answer = (
        e for _, e in events_of({"type": "attachment", "attachment": attachment}).events
    )
    assert isinstance(call, Called)
    assert isinstance(answer, Returned)
    assert (call.path, call.call_id, answer.after) == ("/w/a.py", answer.call_id, "x = 1\n")
