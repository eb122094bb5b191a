from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from cortex.mining.contrast import CommandRun, Contrast, Contrasts
from cortex.model.corrections import Correction, Signal

Log = Any
Relative = Callable[[Mapping[str, str | None]], dict[str, str | None]]
NO = "no, use httpx instead of requests"
FIRST = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
FIXED = FIRST.replace("requests", "httpx")


def _only(log: Log, signal: Signal | None = None) -> Any:
    mined = log.mined()
    [correction] = [stored for stored in mined if signal in (None, stored.signal)]
    return Contrasts(log.turns, mined).of(correction)


def _both_ways(log: Log, correction: Correction) -> Contrast:
    """The contrast of a stored correction, which is the same when its record is an older one."""
    older = replace(correction, work_uuid="")
    contrast = Contrasts(log.turns, [correction]).of(correction)
    assert Contrasts(log.turns, [older]).of(older) == contrast
    return contrast


def test_new_file_corrected_by_a_follow_up(log: Log, relative: Relative) -> None:
    log.prompt(NO)
    log.read("src/fetch.py")
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    log.prompt("great, now commit")
    log.edit("src/fetch.py", "httpx", "aiohttp", replace_all=True)
    contrast = _only(log)
    assert contrast.prompt.text == "Write a fetch helper in src/fetch.py"
    assert contrast.root == "/home/dev/shop"
    assert relative(contrast.base) == {"src/fetch.py": None}
    assert relative(contrast.attempt) == {"src/fetch.py": FIRST}
    assert relative(contrast.corrected) == {"src/fetch.py": FIXED}
    assert contrast.earlier == {}


def test_rejected_edit_counts_as_done_in_the_attempt(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.files["a.py"] = "x = 1\ny = 1\n"
    log.prompt("make x a set")
    log.read("a.py")
    edit = {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = {1}"}
    log.reject("no, use frozenset instead", "Edit", **edit)
    log.edit("a.py", "x = 1", "x = frozenset({1})")
    contrast = _only(log)
    assert relative(contrast.base) == {"a.py": "x = 1\ny = 1\n"}
    assert relative(contrast.attempt) == {"a.py": "x = {1}\ny = 1\n"}
    assert relative(contrast.corrected) == {"a.py": "x = frozenset({1})\ny = 1\n"}


def test_rejected_edit_of_a_file_that_only_shows_later(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.files["a.py"] = "x = 1\n"
    log.prompt("make x a set")
    log.run("cat a.py", "x = 1")
    edit = {"file_path": "a.py", "old_string": "1", "new_string": "{1}"}
    log.reject("no, use frozenset instead", "Edit", **edit)
    log.edit("a.py", "1", "frozenset({1})")
    contrast = _only(log)
    assert relative(contrast.attempt) == {"a.py": "x = {1}\n"}
    assert relative(contrast.base) == {"a.py": "x = 1\n"}


def test_rejected_new_file_that_was_never_written(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.prompt("plan it")
    words = "no plan files, put it in the ticket instead"
    log.reject(words, "Write", file_path="PLAN.md", content="1.")
    log.run("gh issue comment 3 -b plan")
    contrast = _only(log)
    assert relative(contrast.base) == relative(contrast.corrected) == {"PLAN.md": None}
    assert relative(contrast.attempt) == {"PLAN.md": "1."}
    assert contrast.corrected_commands == (CommandRun("gh issue comment 3 -b plan", True),)


def test_edit_that_was_interrupted_belongs_to_the_attempt(log: Log, relative: Relative) -> None:
    log.prompt("add a post helper")
    log.reject(
        None, "Edit", file_path="src/fetch.py", old_string="(url)\n", new_string="(url, 1)\n"
    )
    log.interrupt()
    log.prompt("stop, never pass positional arguments, use timeout=1 instead")
    log.edit("src/fetch.py", "get(url)\n", "get(url, timeout=1)\n")
    contrast = _only(log, Signal.INTERRUPTION)
    assert relative(contrast.base) == {"src/fetch.py": FIRST}
    assert "get(url, 1)" in str(relative(contrast.attempt)["src/fetch.py"])
    assert "timeout=1" in str(relative(contrast.corrected)["src/fetch.py"])


def test_several_files_several_edits_and_replace_all(log: Log, relative: Relative) -> None:
    log.files["b.py"] = "a = 1\nb = a\n"
    log.prompt("rename a and add c")
    log.multi_edit("b.py", ("a = 1", "alpha = 1"), ("b = a", "b = alpha"))
    log.write("c.py", "import requests\n")
    log.prompt(NO)
    log.write("c.py", "import httpx\n")
    log.edit("b.py", "alpha", "first", replace_all=True)
    log.read("src/fetch.py")
    contrast = _only(log)
    assert relative(contrast.base) == {"b.py": "a = 1\nb = a\n", "c.py": None}
    assert relative(contrast.attempt) == {
        "b.py": "alpha = 1\nb = alpha\n",
        "c.py": "import requests\n",
    }
    assert relative(contrast.corrected) == {
        "b.py": "first = 1\nb = first\n",
        "c.py": "import httpx\n",
    }
    assert relative(contrast.earlier) == {"src/fetch.py": FIRST}
    assert [path.rpartition("shop/")[2] for path in contrast.touched] == [
        "b.py",
        "c.py",
        "src/fetch.py",
    ]


def test_base_holds_the_uncommitted_state_of_earlier_turns(log: Log, relative: Relative) -> None:
    log.prompt("add a post helper")
    log.edit("src/fetch.py", "requests.get(url)\n", "requests.get(url)\n\n\ndef post(): ...\n")
    log.prompt("no, post has to take the url, that is wrong")
    log.edit("src/fetch.py", "post()", "post(url)")
    contrast = _only(log)
    assert contrast.prompt.text == "add a post helper"
    assert relative(contrast.base) == {"src/fetch.py": FIRST}
    assert relative(contrast.earlier) == {"src/fetch.py": FIRST}


def test_file_that_a_person_changed_before_the_task(log: Log, relative: Relative) -> None:
    hand_edits = FIRST.replace("url", "address")
    log.files["src/fetch.py"] = hand_edits
    log.prompt("add a timeout")
    log.read("src/fetch.py")
    log.edit("src/fetch.py", "(address)\n", "(address, None)\n")
    log.prompt("no, never None, use 5 instead")
    log.edit("src/fetch.py", "None", "5")
    contrast = _only(log, Signal.FOLLOW_UP)
    assert relative(contrast.base) == {"src/fetch.py": hand_edits}


def test_change_by_hand_is_the_corrected_result(log: Log, relative: Relative) -> None:
    log.files["src/fetch.py"] = FIXED
    log.prompt("add a docstring")
    log.edit("src/fetch.py", "def fetch(url):\n", 'def fetch(url):\n    """Fetch."""\n')
    contrast = _only(log)
    assert relative(contrast.base) == {"src/fetch.py": None}
    assert relative(contrast.attempt) == {"src/fetch.py": FIRST}
    assert relative(contrast.corrected) == {"src/fetch.py": FIXED}


def test_what_the_developer_added_by_hand_after_the_correction_counts(
    log: Log, relative: Relative
) -> None:
    log.prompt(NO)
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    final = FIXED.replace("get(url)", "get(url, timeout=5)")
    log.files["src/fetch.py"] = final
    log.prompt("now write the docs")
    log.read("src/fetch.py")
    contrast = _only(log, Signal.FOLLOW_UP)
    assert relative(contrast.corrected) == {"src/fetch.py": final}


def test_correcting_twice_in_a_row(log: Log, relative: Relative) -> None:
    log.prompt(NO)
    log.edit("src/fetch.py", "import requests", "import httpx")
    log.prompt("no, not only the import, the call must use httpx as well")
    log.edit("src/fetch.py", "requests.get", "httpx.get")
    log.prompt("thanks")
    mined = log.mined()
    contrasts = Contrasts(log.turns, mined)
    first, second = (contrasts.of(correction) for correction in mined)
    half = FIRST.replace("import requests", "import httpx")
    assert relative(first.base) == relative(second.base) == {"src/fetch.py": None}
    assert relative(first.attempt) == {"src/fetch.py": FIRST}
    assert relative(second.attempt) == {"src/fetch.py": half}
    assert relative(first.corrected) == relative(second.corrected) == {"src/fetch.py": FIXED}


def test_stored_places_give_what_mining_again_gives(log: Log) -> None:
    log.prompt(NO)
    log.edit("src/fetch.py", "import requests", "import httpx")
    log.prompt("no, not only the import, the call must use httpx as well")
    log.edit("src/fetch.py", "requests.get", "httpx.get")
    log.files["src/fetch.py"] = FIXED.replace("url", "address")
    log.prompt("add the docs")
    log.read("src/fetch.py")
    log.reject("no, use the linter first", "Bash", command="git push")
    mined = log.mined()
    assert [stored.signal for stored in mined] == [
        Signal.FOLLOW_UP,
        Signal.FOLLOW_UP,
        Signal.HAND_EDIT,
        Signal.REJECTION,
    ]
    older = [replace(stored, work_uuid="") for stored in mined]
    direct, again = Contrasts(log.turns, mined), Contrasts(log.turns, older)
    assert [direct.of(stored) for stored in mined] == [again.of(stored) for stored in older]


def test_stored_places_need_no_second_mining(log: Log) -> None:
    """A correction whose words are no correction any more still ends the chain before it."""
    log.prompt(NO)
    log.edit("src/fetch.py", "requests", "httpx", replace_all=True)
    log.prompt("no, use aiohttp instead of httpx")
    log.edit("src/fetch.py", "httpx", "aiohttp", replace_all=True)
    first, second = log.mined()
    log.path.write_text(log.path.read_text().replace("no, use aiohttp instead of httpx", "great"))
    assert len(log.mined()) == 1
    final = Contrasts(log.turns, (first, second)).of(first).corrected
    assert "aiohttp" in str(final)


def test_a_prompt_that_is_not_in_the_turns(log: Log) -> None:
    log.prompt(NO)
    mined = log.mined()
    turns = [turn for turn in log.turns if turn.prompt.uuid != mined[0].prompt_uuid]
    with pytest.raises(ValueError, match="not in the transcript"):
        Contrasts(turns, mined).of(mined[0])


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
    contrast = _only(log)
    assert contrast.attempt_commands == (
        CommandRun("pytest -q", False, 1),
        CommandRun("git push", None),
    )
    assert [run.command for run in contrast.corrected_commands] == ["ruff check .", "git push"]


def test_edits_without_originals_are_replayed(new_log: Any, relative: Relative) -> None:
    log = new_log()
    log.prompt("write it")
    path = "/home/dev/shop/a.py"
    log.answer(log.call("Write", file_path=path, content="import requests\n"))
    log.prompt(NO)
    log.answer(log.call("Edit", file_path=path, old_string="requests", new_string="httpx"))
    contrast = _only(log)
    assert relative(contrast.base) == {"a.py": None}
    assert relative(contrast.attempt) == {"a.py": "import requests\n"}
    assert relative(contrast.corrected) == {"a.py": "import httpx\n"}


def test_failed_edits_change_nothing(log: Log, relative: Relative) -> None:
    log.prompt(NO)
    given = {"file_path": "/home/dev/shop/src/fetch.py", "old_string": "x", "new_string": "y"}
    failed = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    log.answer(log.call("Edit", **given), failed, error=True)
    contrast = _only(log)
    assert relative(contrast.attempt) == relative(contrast.corrected) == {"src/fetch.py": FIRST}


def test_correction_that_the_rest_of_the_session_makes_doubtful_keeps_its_contrast(
    log: Log, relative: Relative
) -> None:
    log.files["README.md"] = "x\n"
    log.read("README.md")
    log.prompt("this should be shorter")
    [correction] = log.mined()
    log.edit("README.md", "x", "y")
    assert log.mined() == ()
    contrast = _both_ways(log, correction)
    assert contrast.prompt.text == "Write a fetch helper in src/fetch.py"
    assert relative(contrast.attempt) == {"src/fetch.py": FIRST, "README.md": "x\n"}
    assert relative(contrast.corrected) == {"src/fetch.py": FIRST, "README.md": "y\n"}


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
    [correction] = log.mined()
    log.path.write_text(log.path.read_text().replace("no, use the plus operator", "one moment"))
    assert log.mined() == ()
    contrast = _both_ways(log, replace(correction, content="one moment"))
    assert (correction.uuid, contrast.prompt.uuid) == (uuid, prompt)
    assert relative(contrast.attempt) == {"src/calc.py": "sum((a, b))\n"}
    assert relative(contrast.corrected) == {"src/calc.py": "a + b\n"}


def test_change_by_hand_that_would_not_be_found_now_keeps_its_contrast(
    log: Log, relative: Relative
) -> None:
    log.files["src/fetch.py"] = FIXED
    log.prompt("add a docstring")
    log.read("src/fetch.py")
    [correction] = log.mined()
    log.path.write_text(log.path.read_text().replace("httpx", "  requests"))
    assert log.mined() == ()
    contrast = _both_ways(log, correction)
    assert relative(contrast.attempt) == {"src/fetch.py": FIRST}
    assert relative(contrast.corrected) == {"src/fetch.py": FIRST.replace("requests", "  requests")}


def test_turns_of_another_session_are_refused(log: Log, new_log: Any) -> None:
    log.prompt(NO)
    [correction] = log.mined()
    other = new_log("s-2")
    other.prompt("hello")
    with pytest.raises(ValueError, match="not in the transcript"):
        Contrasts(other.turns, [correction]).of(correction)
