from collections.abc import Callable
from typing import Any

import pytest

from cortex.mining import mine
from cortex.mining.contrast import Contrasts
from cortex.model.corrections import Signal

Log = Any
BODY = "def fetch(url):\n    return requests.get(url)\n"


def _hand_edits(log: Log) -> list[Any]:
    return [each for each in log.mined() if each.signal is Signal.HAND_EDIT]


def _change(log: Log, old: str, new: str) -> None:
    assert old in log.files["src/fetch.py"]
    log.files["src/fetch.py"] = log.files["src/fetch.py"].replace(old, new)


@pytest.mark.parametrize("seen_by", ["read", "edit", "write"])
def test_change_by_hand_shows_at_the_next_read_or_write(log: Log, seen_by: str) -> None:
    _change(log, "requests", "httpx")
    log.prompt("add a docstring")
    if seen_by == "read":
        line = log.read("src/fetch.py")
    elif seen_by == "edit":
        line = log.edit("src/fetch.py", "def fetch(url):\n", 'def fetch(url):\n    """Fetch."""\n')
    else:
        line = log.write("src/fetch.py", "import httpx\n")
    log.read("src/fetch.py")

    [correction] = log.mined()
    assert correction.signal is Signal.HAND_EDIT
    assert (correction.uuid, correction.prompt_uuid) == (line, "s-1-1")
    assert correction.paths == ("src/fetch.py",)
    assert correction.content.startswith("--- src/fetch.py\n+++ src/fetch.py\n@@ ")
    assert "-    return requests.get(url)" in correction.content.splitlines()
    assert "+    return httpx.get(url)" in correction.content.splitlines()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    return requests.get(url)", "    return requests.get( url, )"),
        ("def fetch(url):", "def fetch(\n    url,\n):"),
        ("import requests\n", "import requests\r\n"),
        ("import requests\n\n\ndef", "import requests\n\ndef"),
        ("\n", "\r\n"),
    ],
)
def test_formatting_is_no_correction(log: Log, old: str, new: str) -> None:
    _change(log, old, new)
    log.prompt("next")
    log.read("src/fetch.py")
    assert _hand_edits(log) == []


def test_reordered_imports_are_formatting(log: Log) -> None:
    log.edit("src/fetch.py", "import requests\n", "import requests\nimport json\n")
    _change(log, "import requests\nimport json\n", "import json\nimport requests\n")
    log.read("src/fetch.py")
    assert _hand_edits(log) == []


def test_change_outside_of_the_agents_lines_is_none(new_log: Callable[..., Log]) -> None:
    log = new_log()
    log.files["a.py"] = "one = 1\ntwo = 2\nthree = 3\nfour = 4\n"
    log.prompt("set three to 30")
    log.edit("a.py", "three = 3", "three = 30")
    log.files["a.py"] = log.files["a.py"].replace("one = 1", "one = 100")
    log.prompt("next")
    log.read("a.py")
    assert log.mined() == ()
    log.files["a.py"] = log.files["a.py"].replace("three = 30", "three = 33")
    log.read("a.py")
    [correction] = log.mined()
    assert "one" not in "".join(line for line in correction.content.splitlines() if line[0] in "+-")


def test_lines_of_the_agent_are_followed_through_later_edits(new_log: Callable[..., Log]) -> None:
    log = new_log()
    log.files["a.py"] = "".join(f"line{number} = {number}\n" for number in range(20))
    log.prompt("change line 10")
    log.edit("a.py", "line10 = 10", "line10 = compute(10)")
    log.prompt("and put a header above")
    log.edit("a.py", "line0 = 0", "# header\n# more\nline0 = 0")
    log.prompt("next")
    log.files["a.py"] = log.files["a.py"].replace("compute(10)", "calculate(10)")
    log.read("a.py")
    [correction] = log.mined()
    assert "+line10 = calculate(10)" in correction.content


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        ("git status && git diff | head -20", True),
        ("uv run pytest -q 2>&1 | tail -5", True),
        ("cd src && rg -n requests", True),
        ("npm test", True),
        ("ruff format .", False),
        ("ruff check --fix .", False),
        ("sed -i s/requests/httpx/ src/fetch.py", False),
        ("git checkout -- .", False),
        ("git stash pop", False),
        ("echo x > src/fetch.py", False),
        ("npx prettier --write .", False),
        ("python tools/codemod.py", False),
    ],
)
def test_change_that_a_command_may_have_made_is_none(log: Log, command: str, counts: bool) -> None:
    log.run(command)
    _change(log, "requests", "httpx")
    log.prompt("next")
    log.read("src/fetch.py")
    assert len(_hand_edits(log)) == counts


def test_sub_agent_in_between_may_have_made_the_change(log: Log) -> None:
    log.answer(log.call("Task", prompt="clean up"), "done")
    _change(log, "requests", "httpx")
    log.read("src/fetch.py")
    assert _hand_edits(log) == []


def test_going_back_or_switching_the_branch_is_none(log: Log) -> None:
    before = log.files["src/fetch.py"]
    log.prompt("use aiohttp")
    log.edit("src/fetch.py", "requests", "aiohttp", replace_all=True)
    log.files["src/fetch.py"] = before
    log.prompt("next")
    log.read("src/fetch.py")
    assert _hand_edits(log) == []
    _change(log, "requests", "httpx")
    log.prompt("next", gitBranch="other")
    log.read("src/fetch.py")
    assert _hand_edits(log) == []


def test_change_while_approving_an_edit(log: Log) -> None:
    log.prompt("pass a timeout")
    line = log.edit("src/fetch.py", "get(url)", "get(url, None)", newString="get(url, timeout=5)")
    [correction] = _hand_edits(log)
    assert (correction.uuid, correction.prompt_uuid) == (line, "s-1-5")
    contrast = Contrasts(log.turns, log.mined()).of(correction)
    [path] = contrast.attempt
    assert "get(url, None)" in str(contrast.attempt[path])
    assert "get(url, timeout=5)" in str(contrast.corrected[path])
    assert "get(url)" in str(contrast.base[path])


def test_change_between_sessions_belongs_to_the_session_of_the_work(
    log: Log, new_log: Callable[..., Log]
) -> None:
    following = new_log("s-2")
    following.files |= log.files
    following.files["src/fetch.py"] = log.files["src/fetch.py"].replace("requests", "httpx")
    following.prompt("what does it do?")
    following.read("src/fetch.py")
    assert mine(log.session, log.turns) == ()
    assert mine(following.session, following.turns) == ()
    [correction] = mine(log.session, log.turns, later=following.turns, later_session_id="s-2")
    assert (correction.session_id, correction.prompt_uuid) == ("s-1", "s-1-1")
    assert (correction.work_uuid, correction.later_session_id) == ("s-1-1", "s-2")
    contrast = Contrasts([*log.turns, *following.turns], [correction]).of(correction)
    assert list(contrast.corrected.values()) == [following.files["src/fetch.py"]]
    assert list(contrast.attempt.values()) == [log.files["src/fetch.py"]]
