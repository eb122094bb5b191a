"""Any text can be read, and quoted text is never a command."""

import shlex

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cortex.shell import read
from cortex.tasks.segments import segments

SIGNS = [" ", "'", '"', "$(", "`", ")", "(", "|", "&&", ";", "\n", "<<EOF\n", ">", "\\", "#", "[["]
WORDS = [
    "git push",
    "EOF\n",
    "bash -c ",
    "a",
    "if ",
    "then ",
    "fi",
    "{",
    "}",
    "\x00",
    "\ud800",
    "é",
]
PIECES = st.sampled_from(SIGNS + WORDS)
QUIET = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUIET
@given(st.text() | st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read(text: str) -> None:
    line = read(text)
    assert all(isinstance(word, str) for command in line.commands for word in command.words)
    assert line.complete or not line.simple


@QUIET
@given(st.lists(st.sampled_from(["; git push", " && git push", "|git push\n", "x y", "'", '"'])))
def test_quoted_text_is_no_command(parts: list[str]) -> None:
    message = "".join(parts)
    line = f"git commit -m {shlex.quote(message)}"
    [command] = read(line).commands
    assert command.words == ("git", "commit", "-m", message)
    assert not any(segment.startswith("git push") for segment in segments(line))


@QUIET
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), min_size=1)))
def test_words_keep_what_quotes_protect(arguments: list[str]) -> None:
    line = shlex.join(["program", *arguments])
    [command] = read(line).commands
    assert command.words == ("program", *arguments)
