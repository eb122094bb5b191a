from collections.abc import Callable
from typing import Any

import pytest

from cortex.model.sessions import ActionKind, Called, Returned
from cortex.transcripts.claude_code import Chunk
from cortex.transcripts.editing import apply_call, replace

Lines = Callable[..., Chunk]
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). "
)
SAID = f"{REFUSED}To tell you how to proceed, the user said:\n"
STOP = "STOP what you are doing and wait for the user to tell you how to proceed."


def _answer(content: object, error: bool = False, result: object = None) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "c", "content": content, "is_error": error}
    return {"type": "user", "message": {"content": [block]}, "toolUseResult": result}


def _returned(chunk: Chunk) -> Returned:
    [event] = [event for _, event in chunk.events if isinstance(event, Returned)]
    return event


@pytest.mark.parametrize(
    ("content", "rejected", "words"),
    [
        (f"{SAID}use uv\nnot pip", True, "use uv\nnot pip"),
        (f"{SAID}use uv\n\nNote: The user's next message may contain x", True, "use uv"),
        (f"{REFUSED}{STOP}", True, None),
        (f"The user doesn't want to take this action right now. {STOP}", True, None),
        ("[Request interrupted by user for tool use]", True, None),
        ("Claude requested permissions to write to /w/a.py, but", False, None),
        ("PreToolUse:Write hook error: [guard]: the user said:\nno", False, None),
        ("Permission to use Bash with command rm -rf x was denied.", False, None),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", False, None),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", False, None),
    ],
)  # fmt: skip
def test_only_a_persons_refusal_is_a_rejection_with_only_their_words(
    events_of: Lines, content: str, rejected: bool, words: str | None
) -> None:
    for shape in (content, [{"type": "text", "text": content}]):
        returned = _returned(events_of(_answer(shape, error=True, result=f"Error: {content}")))
        assert (returned.rejected, returned.words, returned.ok) == (rejected, words, False)


def test_text_of_a_refusal_inside_a_successful_answer_is_none(events_of: Lines) -> None:
    assert not _returned(events_of(_answer(f"{SAID}use uv"))).rejected


def test_exit_code_is_read_from_a_failed_command(events_of: Lines) -> None:
    failed = _returned(events_of(_answer("Exit code 127\nnot found", error=True)))
    assert (failed.ok, failed.exit_code) == (False, 127)
    assert _returned(events_of(_answer("Exit code 3 is what it printed"))).exit_code is None


def test_long_output_keeps_both_ends(events_of: Lines) -> None:
    output = _returned(events_of(_answer("first " + "x" * 100_000 + " last"))).output
    assert output.startswith("first ")
    assert output.endswith(" last")
    assert len(output) < 5000


EDIT = {"filePath": "/w/a.py", "oldString": "b", "newString": "c", "originalFile": "a\nb\nb\n"}


@pytest.mark.parametrize(
    ("result", "before", "after"),
    [
        ({**EDIT, "replaceAll": False}, "a\nb\nb\n", "a\nc\nb\n"),
        ({**EDIT, "replaceAll": True}, "a\nb\nb\n", "a\nc\nc\n"),
        ({**EDIT, "newString": ""}, "a\nb\nb\n", "a\nb\n"),
        ({**EDIT, "originalFile": None}, "", None),
        ({"filePath": "/w/a.py", "oldString": "b", "newString": "c"}, None, None),
        ({"type": "create", "filePath": "/w/a.py", "content": "x", "originalFile": None}, "", "x"),
        ({"type": "update", "filePath": "/w/a.py", "content": "y", "originalFile": "x"}, "x", "y"),
        (
            {
                "filePath": "/w/a.py",
                "originalFileContents": "a\nb\n",
                "edits": [
                    {"old_string": "a", "new_string": "b", "replace_all": False},
                    {"old_string": "b", "new_string": "c", "replace_all": True},
                ],
            },
            "a\nb\n",
            "c\nc\n",
        ),
    ],
)
def test_contents_before_and_after(
    events_of: Lines, result: dict[str, Any], before: str | None, after: str | None
) -> None:
    returned = _returned(events_of(_answer("ok", result=result)))
    assert (returned.before, returned.after) == (before, after)


@pytest.mark.parametrize(("start", "lines", "whole"), [(1, 9, True), (2, 8, False), (1, 5, False)])
def test_only_a_whole_read_shows_the_content(
    events_of: Lines, start: int, lines: int, whole: bool
) -> None:
    file = {
        "filePath": "/w/a",
        "content": "x",
        "numLines": lines,
        "startLine": start,
        "totalLines": 9,
    }
    returned = _returned(events_of(_answer("1\tx", result={"type": "text", "file": file})))
    assert returned.after == ("x" if whole else None)


def test_calls_say_what_they_want_to_do(events_of: Lines) -> None:
    given: list[tuple[str, dict[str, Any]]] = [
        ("Write", {"file_path": "/w/a", "content": "x"}),
        ("Edit", {"file_path": "/w/a", "old_string": "x", "new_string": "y", "replace_all": True}),
        ("MultiEdit", {"file_path": "/w/a", "edits": [{"old_string": "y", "new_string": "z"}]}),
        ("NotebookEdit", {"notebook_path": "/w/n.ipynb", "new_source": "1"}),
        ("Skill", {"skill": "tidy"}),
        ("Grep", {"pattern": "x", "path": "/w"}),
    ]
    content = [
        {"type": "tool_use", "id": f"c{number}", "name": name, "input": each}
        for number, (name, each) in enumerate(given)
    ]
    chunk = events_of({"type": "assistant", "message": {"content": content}})
    write, edit, multi, notebook, skill, grep = (
        event for _, event in chunk.events if isinstance(event, Called)
    )
    assert (write.kind, write.proposed, write.replaces) == (ActionKind.WRITE, "x", None)
    assert (edit.replaces, edit.proposed, edit.replace_all) == ("x", "y", True)
    assert multi.edits == (("y", "z", False),)
    assert (notebook.kind, notebook.path, notebook.proposed) == (
        ActionKind.WRITE,
        "/w/n.ipynb",
        None,
    )
    assert (skill.kind, skill.skill) == (ActionKind.SKILL, "tidy")
    assert (grep.kind, grep.path) == (ActionKind.OTHER, None)
    assert [apply_call(each, "x\n") for each in (write, edit, multi)] == ["x", "y\n", None]


def test_edit_with_nothing_to_replace_makes_a_new_file_only() -> None:
    assert replace("", "", "new") == "new"
    assert replace("old", "", "new") is None
    assert replace("abc", "x", "y") is None
