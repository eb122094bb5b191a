from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from cortex.mining.contrast import CommandRun, Contrasts
from cortex.mining.miner import signs
from cortex.model.corrections import Signal

Log = Any
Relative = Callable[[Mapping[str, str | None]], dict[str, str | None]]
NO = "no, use httpx instead of requests"
FIRST = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
FIXED = FIRST.replace("requests", "httpx")


def _only(log: Log, signal: Signal | None = None) -> Any:
    [correction] = [each for each in log.mined() if signal in (None, each.signal)]
    return Contrasts(log.turns).of(correction)


def test_new_file_corrected_by_a_follow_up(log: Log, relative: Relative) -> None:
    log.prompt(NO)
    log.read("src/fetch.py")
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    log.prompt("great, now commit")
    log.edit("src/fetch.py", "httpx", "aiohttp", replace_all=True)
    told = _only(log)
    assert told.prompt.text == "Write a fetch helper in src/fetch.py"
    assert told.root == "/home/dev/shop"
    assert relative(told.base) == {"src/fetch.py": None}
    assert relative(told.attempt) == {"src/fetch.py": FIRST}
    assert relative(told.corrected) == {"src/fetch.py": FIXED}
    assert told.earlier == {}


def test_rejected_edit_counts_as_done_in_the_attempt(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.files["a.py"] = "x = 1\ny = 1\n"
    log.prompt("make x a set")
    log.read("a.py")
    edit = {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = {1}"}
    log.reject("no, use frozenset instead", "Edit", **edit)
    log.edit("a.py", "x = 1", "x = frozenset({1})")
    told = _only(log)
    assert relative(told.base) == {"a.py": "x = 1\ny = 1\n"}
    assert relative(told.attempt) == {"a.py": "x = {1}\ny = 1\n"}
    assert relative(told.corrected) == {"a.py": "x = frozenset({1})\ny = 1\n"}


def test_rejected_edit_of_a_file_that_only_shows_later(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.files["a.py"] = "x = 1\n"
    log.prompt("make x a set")
    log.run("cat a.py", "x = 1")
    edit = {"file_path": "a.py", "old_string": "1", "new_string": "{1}"}
    log.reject("no, use frozenset instead", "Edit", **edit)
    log.edit("a.py", "1", "frozenset({1})")
    told = _only(log)
    assert relative(told.attempt) == {"a.py": "x = {1}\n"}
    assert relative(told.base) == {"a.py": "x = 1\n"}


def test_rejected_new_file_that_was_never_written(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.prompt("plan it")
    words = "no plan files, put it in the ticket instead"
    log.reject(words, "Write", file_path="PLAN.md", content="1.")
    log.run("gh issue comment 3 -b plan")
    told = _only(log)
    assert relative(told.base) == relative(told.corrected) == {"PLAN.md": None}
    assert relative(told.attempt) == {"PLAN.md": "1."}
    assert told.corrected_commands == (CommandRun("gh issue comment 3 -b plan", True),)


def test_edit_that_was_interrupted_belongs_to_the_attempt(log: Log, relative: Relative) -> None:
    log.prompt("add a post helper")
    log.reject(
        None, "Edit", file_path="src/fetch.py", old_string="(url)\n", new_string="(url, 1)\n"
    )
    log.interrupt()
    log.prompt("stop, never pass positional arguments, use timeout=1 instead")
    log.edit("src/fetch.py", "get(url)\n", "get(url, timeout=1)\n")
    told = _only(log, Signal.INTERRUPTION)
    assert relative(told.base) == {"src/fetch.py": FIRST}
    assert "get(url, 1)" in str(relative(told.attempt)["src/fetch.py"])
    assert "timeout=1" in str(relative(told.corrected)["src/fetch.py"])


def test_several_files_several_edits_and_replace_all(log: Log, relative: Relative) -> None:
    log.files["b.py"] = "a = 1\nb = a\n"
    log.prompt("rename a and add c")
    log.multi_edit("b.py", ("a = 1", "alpha = 1"), ("b = a", "b = alpha"))
    log.write("c.py", "import requests\n")
    log.prompt(NO)
    log.write("c.py", "import httpx\n")
    log.edit("b.py", "alpha", "first", replace_all=True)
    log.read("src/fetch.py")
    told = _only(log)
    assert relative(told.base) == {"b.py": "a = 1\nb = a\n", "c.py": None}
    assert relative(told.attempt) == {"b.py": "alpha = 1\nb = alpha\n", "c.py": "import requests\n"}
    assert relative(told.corrected) == {"b.py": "first = 1\nb = first\n", "c.py": "import httpx\n"}
    assert relative(told.earlier) == {"src/fetch.py": FIRST}
    assert [path.rpartition("shop/")[2] for path in told.touched] == [
        "b.py",
        "c.py",
        "src/fetch.py",
    ]


def test_base_holds_the_uncommitted_state_of_earlier_turns(log: Log, relative: Relative) -> None:
    log.prompt("add a post helper")
    log.edit("src/fetch.py", "requests.get(url)\n", "requests.get(url)\n\n\ndef post(): ...\n")
    log.prompt("no, post has to take the url, that is wrong")
    log.edit("src/fetch.py", "post()", "post(url)")
    told = _only(log)
    assert told.prompt.text == "add a post helper"
    assert relative(told.base) == {"src/fetch.py": FIRST}
    assert relative(told.earlier) == {"src/fetch.py": FIRST}


def test_file_that_a_person_changed_before_the_task(log: Log, relative: Relative) -> None:
    hand_edits = FIRST.replace("url", "address")
    log.files["src/fetch.py"] = hand_edits
    log.prompt("add a timeout")
    log.read("src/fetch.py")
    log.edit("src/fetch.py", "(address)\n", "(address, None)\n")
    log.prompt("no, never None, use 5 instead")
    log.edit("src/fetch.py", "None", "5")
    told = _only(log, Signal.FOLLOW_UP)
    assert relative(told.base) == {"src/fetch.py": hand_edits}


def test_change_by_hand_is_the_corrected_result(log: Log, relative: Relative) -> None:
    log.files["src/fetch.py"] = FIXED
    log.prompt("add a docstring")
    log.edit("src/fetch.py", "def fetch(url):\n", 'def fetch(url):\n    """Fetch."""\n')
    told = _only(log)
    assert relative(told.base) == {"src/fetch.py": None}
    assert relative(told.attempt) == {"src/fetch.py": FIRST}
    assert relative(told.corrected) == {"src/fetch.py": FIXED}


def test_what_the_developer_added_by_hand_after_the_correction_counts(
    log: Log, relative: Relative
) -> None:
    log.prompt(NO)
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    final = FIXED.replace("get(url)", "get(url, timeout=5)")
    log.files["src/fetch.py"] = final
    log.prompt("now write the docs")
    log.read("src/fetch.py")
    told = _only(log, Signal.FOLLOW_UP)
    assert relative(told.corrected) == {"src/fetch.py": final}


def test_correcting_twice_in_a_row(log: Log, relative: Relative) -> None:
    log.prompt(NO)
    log.edit("src/fetch.py", "import requests", "import httpx")
    log.prompt("no, not only the import, the call must use httpx as well")
    log.edit("src/fetch.py", "requests.get", "httpx.get")
    log.prompt("thanks")
    first, second = (Contrasts(log.turns).of(each) for each in log.mined())
    half = FIRST.replace("import requests", "import httpx")
    assert relative(first.base) == relative(second.base) == {"src/fetch.py": None}
    assert relative(first.attempt) == {"src/fetch.py": FIRST}
    assert relative(second.attempt) == {"src/fetch.py": half}
    assert relative(first.corrected) == relative(second.corrected) == {"src/fetch.py": FIXED}


def test_a_session_is_looked_through_once_for_all_its_corrections(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.prompt(NO)
    log.edit("src/fetch.py", "import requests", "import httpx")
    log.prompt("no, not only the import, the call must use httpx as well")
    log.edit("src/fetch.py", "requests.get", "httpx.get")
    corrections = log.mined()
    apart = [Contrasts(log.turns).of(each) for each in corrections]
    looked: list[object] = []

    def counted(turns: Any, speakers: Any) -> Any:
        looked.append(speakers)
        return signs(turns, speakers)

    monkeypatch.setattr("cortex.mining.contrast.signs", counted)
    together = Contrasts(log.turns)
    assert [together.of(each) for each in corrections] == apart
    assert len(looked) == 1 < len(corrections)


def test_answer_to_a_question_about_the_correction_belongs_to_it(
    log: Log, relative: Relative
) -> None:
    log.prompt(NO)
    log.say("Shall I add it to the dependencies too?")
    log.prompt("yes")
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    assert relative(_only(log).corrected) == {"src/fetch.py": FIXED}


def test_commands_before_and_after(log: Log) -> None:
    log.prompt("push it")
    log.run("pytest -q", "1 failed", code=1)
    log.reject("no, run the linter first, never push without it", "Bash", command="git push")
    log.run("ruff check .")
    log.run("git push")
    told = _only(log)
    assert told.attempt_commands == (
        CommandRun("pytest -q", False, 1),
        CommandRun("git push", None),
    )
    assert [run.command for run in told.corrected_commands] == ["ruff check .", "git push"]


def test_edits_without_originals_are_replayed(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.prompt("write it")
    path = "/home/dev/shop/a.py"
    log.answer(log.call("Write", file_path=path, content="import requests\n"))
    log.prompt(NO)
    log.answer(log.call("Edit", file_path=path, old_string="requests", new_string="httpx"))
    told = _only(log)
    assert relative(told.base) == {"a.py": None}
    assert relative(told.attempt) == {"a.py": "import requests\n"}
    assert relative(told.corrected) == {"a.py": "import httpx\n"}


def test_failed_edits_change_nothing(log: Log, relative: Relative) -> None:
    log.prompt(NO)
    given = {"file_path": "/home/dev/shop/src/fetch.py", "old_string": "x", "new_string": "y"}
    failed = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    log.answer(log.call("Edit", **given), failed, error=True)
    told = _only(log)
    assert relative(told.attempt) == relative(told.corrected) == {"src/fetch.py": FIRST}


def test_correction_that_the_rest_of_the_session_makes_doubtful_keeps_its_contrast(
    log: Log, relative: Relative
) -> None:
    log.files["README.md"] = "x\n"
    log.read("README.md")
    log.prompt("this should be shorter")
    [found] = log.mined()
    log.edit("README.md", "x", "y")
    assert log.mined() == ()
    told = Contrasts(log.turns).of(found)
    assert told.prompt.text == "Write a fetch helper in src/fetch.py"
    assert relative(told.attempt) == {"src/fetch.py": FIRST, "README.md": "x\n"}
    assert relative(told.corrected) == {"src/fetch.py": FIRST, "README.md": "y\n"}


def test_rejection_that_would_not_be_found_now_keeps_its_contrast(
    new_log: Any, relative: Relative
) -> None:
    log = new_log()
    log.files["src/calc.py"] = "a - b\n"
    prompt = log.prompt("fix the sum")
    log.read("src/calc.py")
    given = {"file_path": "src/calc.py", "old_string": "a - b", "new_string": "sum((a, b))"}
    uuid = log.reject("no, use the plus operator", "Edit", **given)
    log.edit("src/calc.py", "a - b", "a + b")
    [found] = log.mined()
    log.path.write_text(log.path.read_text().replace("no, use the plus operator", "one moment"))
    assert log.mined() == ()
    told = Contrasts(log.turns).of(replace(found, content="one moment"))
    assert (found.uuid, told.prompt.uuid) == (uuid, prompt)
    assert relative(told.attempt) == {"src/calc.py": "sum((a, b))\n"}
    assert relative(told.corrected) == {"src/calc.py": "a + b\n"}


def test_change_by_hand_that_would_not_be_found_now_keeps_its_contrast(
    log: Log, relative: Relative
) -> None:
    log.files["src/fetch.py"] = FIXED
    log.prompt("add a docstring")
    log.read("src/fetch.py")
    [found] = log.mined()
    log.path.write_text(log.path.read_text().replace("httpx", "  requests"))
    assert log.mined() == ()
    told = Contrasts(log.turns).of(found)
    assert relative(told.attempt) == {"src/fetch.py": FIRST}
    assert relative(told.corrected) == {"src/fetch.py": FIRST.replace("requests", "  requests")}


def test_turns_of_another_session_are_refused(log: Log, new_log: Any) -> None:
    log.prompt(NO)
    [correction] = log.mined()
    other = new_log("s-2")
    other.prompt("hello")
    with pytest.raises(ValueError, match="s-1-1"):
        Contrasts(other.turns).of(correction)
