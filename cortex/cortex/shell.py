"""Shell command lines, read with ast-grep's bash grammar; never run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

MAX_CHARACTERS = 50_000
"""The rest of longer lines is not read."""

MAX_DEPTH = 60
"""Levels of the syntax tree; what is nested deeper is not read."""

MAX_NESTED_SHELLS = 4
"""Levels of `sh -c "…"`; deeper ones count as a command named `sh`."""

_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})
_COMMAND_OPTION = re.compile(r"-\w*c")
_OPERATORS = frozenset({"&&", "||", "|", "|&", "&", ";", "\n"})
_STRUCTURE = frozenset({"program", "list", "pipeline", "redirected_statement"})
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_REDIRECTIONS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_SPACE = re.compile(r"\s")
_NO_WORD = '""'
_GLOB = re.compile(r"[*?~{}\\]")
_GIT_VALUE = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})


@dataclass(frozen=True, slots=True)
class Redirection:
    """A redirection of a command's input or output."""

    operator: str
    """`>`, `>>`, `>&`, `<`, `<<`, `<<<`, …"""
    target: str
    """File name, descriptor number, here-string or name of the here-document's end."""
    descriptor: str = ""
    """The number in front of the operator, "" for none."""

    @property
    def writes_file(self) -> bool:
        """Whether output goes to a file other than `/dev/null`."""
        to_descriptor = self.operator in (">&", "<&") and re.fullmatch(r"\d+|-", self.target)
        return ">" in self.operator and not to_descriptor and self.target != "/dev/null"

    def __str__(self) -> str:
        space = "" if "&" in self.operator or self.operator == "<<" else " "
        return f"{self.descriptor}{self.operator}{space}{self.target}"


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A simple command: a program with its arguments."""

    words: tuple[str, ...]
    """Program and arguments without quotes; git's global options are left out."""
    assignments: tuple[str, ...] = ()
    """`NAME=value` in front of the program."""
    redirections: tuple[Redirection, ...] = ()
    operator: str = ""
    """What joins it to the command before it: `&&`, `||`, `|`, `&`, `;` or a newline."""
    substituted: bool = False
    """It runs inside `$(…)`, backquotes or `<(…)`."""
    literal: bool = True
    """No word contains an expansion, a glob or an escape outside of quotes."""

    @property
    def plain(self) -> str:
        """The words with single spaces between them; `""` for words that contain white space."""
        return " ".join(
            _NO_WORD if not word or _SPACE.search(word) else word for word in self.words
        )

    @property
    def text(self) -> str:
        """`plain`, with the redirections behind it."""
        return " ".join([self.plain, *(str(redirection) for redirection in self.redirections)])


@dataclass(frozen=True, slots=True)
class ShellLine:
    """The simple commands of a line, in the order in which they are written."""

    commands: tuple[ShellCommand, ...] = ()
    simple: bool = True
    """Only commands, joined by operators: no groups, control structures or substitutions."""
    complete: bool = True
    """False for text that is no valid bash, too long or too deeply nested."""

    @property
    def substitutes(self) -> bool:
        """Whether the output of a command becomes part of another one."""
        return any(command.substituted for command in self.commands)


@lru_cache(maxsize=512)
def read(text: str) -> ShellLine:
    """Return the simple commands of `text`; text in quotes and here-documents is no command.

    Commands of a nested `sh -c "…"` take its place. Never raises: of text that is no bash the
    readable commands are returned, or all of it as the words of a single command.
    """
    return _read(text, MAX_NESTED_SHELLS)


def _read(text: str, shells: int) -> ShellLine:
    from ast_grep_py import SgRoot

    encodable = text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
    reader = _Reader(complete=len(text) <= MAX_CHARACTERS)
    reader.walk(SgRoot(encodable, "bash").root(), MAX_DEPTH, substituted=False)
    commands: list[ShellCommand] = []
    for command in reader.commands:
        script = _script(command.words)
        if script is None:
            commands.append(command)
        elif shells == 0:
            commands.append(command)
            reader.complete = False
        else:
            inner = _read(script, shells - 1)
            commands += _in_place(inner, command)
            reader.simple, reader.complete = False, reader.complete and inner.complete
    reader.simple = reader.simple and reader.operator != "&"
    if not commands and not reader.complete and (words := encodable.split()):
        commands.append(ShellCommand(tuple(words), literal=False))
    return ShellLine(tuple(commands), reader.simple and reader.complete, reader.complete)


def _script(words: tuple[str, ...]) -> str | None:
    """Return the text that a shell is asked to run by `-c`."""
    if not words or words[0].rpartition("/")[2] not in _SHELLS:
        return None
    for index, word in enumerate(words[1:-1], start=1):
        if not word.startswith("-"):
            return None
        if _COMMAND_OPTION.fullmatch(word):
            return words[index + 1]
    return None


def _in_place(inner: ShellLine, outer: ShellCommand) -> Iterator[ShellCommand]:
    for number, command in enumerate(inner.commands):
        yield replace(
            command,
            operator=command.operator if number else outer.operator,
            substituted=command.substituted or outer.substituted,
            redirections=(*command.redirections, *outer.redirections),
        )


@dataclass(slots=True)
class _Reader:
    """Collects the commands of a syntax tree."""

    complete: bool = True
    simple: bool = True
    commands: list[ShellCommand] = field(default_factory=list)
    operator: str = ""

    def walk(self, node: "SgNode", depth: int, *, substituted: bool) -> None:
        """Collect the commands of `node`, at most `depth` levels below it."""
        kind = node.kind()
        if depth == 0:
            self.complete = False
        elif kind == "command":
            self._command(node, depth, substituted=substituted)
        elif kind in ("test_command", "declaration_command", "unset_command"):
            self._add(ShellCommand(tuple(_words(node.children())), substituted=substituted))
            self._arguments(node, depth)
        elif kind == "redirected_statement":
            self._redirected(node, depth, substituted=substituted)
        elif kind in _SUBSTITUTIONS:
            self._children(node, depth, substituted=True)
        elif kind == "ERROR":
            self.complete = False
            self._children(node, depth, substituted=substituted)
        elif kind in _OPERATORS:
            self.operator = kind
        else:
            self.simple = self.simple and (
                kind in _STRUCTURE or kind == "comment" or not node.is_named()
            )
            self._children(node, depth, substituted=substituted)

    def _children(self, node: "SgNode", depth: int, *, substituted: bool) -> None:
        for child in node.children():
            self.walk(child, depth - 1, substituted=substituted)

    def _add(self, command: ShellCommand) -> None:
        operator = self.operator or ("\n" if self.commands else "")
        self.commands.append(replace(command, operator=operator))
        self.operator = ""

    def _command(self, node: "SgNode", depth: int, *, substituted: bool) -> None:
        children = node.children()
        assignments = [child.text() for child in children if child.kind() == "variable_assignment"]
        redirections = [child for child in children if child.kind() in _REDIRECTIONS]
        rest = [
            child
            for child in children
            if child.kind() not in _REDIRECTIONS | {"variable_assignment"}
        ]
        self._add(
            ShellCommand(
                without_git_options(tuple(_words(rest))),
                tuple(assignments),
                tuple(_redirection(child) for child in redirections),
                substituted=substituted,
                literal=all(_is_literal(child) for child in rest),
            )
        )
        self._arguments(node, depth)

    def _arguments(self, node: "SgNode", depth: int) -> None:
        """Collect the commands that run inside the arguments of a command."""
        for child in node.children():
            if child.kind() in _SUBSTITUTIONS:
                self.simple = False
                operator, self.operator = self.operator, ""
                self.walk(child, depth - 1, substituted=True)
                self.operator = operator
            elif depth == 1:
                self.complete = False
            else:
                self._arguments_below(child, depth)

    def _arguments_below(self, child: "SgNode", depth: int) -> None:
        if child.kind() == "ERROR":
            self.complete = False
        self._arguments(child, depth - 1)

    def _redirected(self, node: "SgNode", depth: int, *, substituted: bool) -> None:
        before = len(self.commands)
        targets = [child for child in node.children() if child.kind() in _REDIRECTIONS]
        for child in node.children():
            if child.kind() not in _REDIRECTIONS:
                self.walk(child, depth - 1, substituted=substituted)
        own = [
            number
            for number, command in enumerate(self.commands)
            if number >= before and command.substituted == substituted
        ]
        redirections = tuple(_redirection(child) for child in targets)
        if own:
            last = self.commands[own[-1]]
            self.commands[own[-1]] = replace(last, redirections=(*last.redirections, *redirections))
        else:
            self._add(ShellCommand((), redirections=redirections, substituted=substituted))
        for child in targets:
            self._redirection_commands(child, depth, substituted=substituted)

    def _redirection_commands(self, node: "SgNode", depth: int, *, substituted: bool) -> None:
        """Collect what follows a here-document on its first line, and what runs inside it."""
        for child in node.children():
            kind = child.kind()
            if kind in ("heredoc_start", "heredoc_end", "word", "number", "file_descriptor"):
                continue
            if kind in ("heredoc_body", "string", "concatenation"):
                self._arguments(child, max(depth - 1, 1))
            elif kind not in _REDIRECTIONS and kind not in ("<<", "<<-", "<<<", ">", ">>", "<"):
                self.walk(child, depth - 1, substituted=substituted)


def _words(nodes: "list[SgNode]") -> Iterator[str]:
    for node in nodes:
        if node.kind() == "command_name" and node.children():
            yield from _words(node.children())
        elif node.kind() not in ("comment", *_OPERATORS):
            yield _value(node)


def _value(node: "SgNode") -> str:
    """Return a word without its quotes; expansions stay as they are written."""
    kind, text = node.kind(), node.text()
    if kind == "raw_string":
        return text[1:-1]
    if kind == "ansi_c_string":
        return text[2:-1]
    if kind == "string":
        return re.sub(r'\\(["\\$`])', r"\1", text[1:-1])
    if kind == "concatenation":
        return "".join(_value(child) for child in node.children())
    if kind in ("word", "number"):
        return re.sub(r"\\(.)", r"\1", text.replace("\\\n", ""))
    return text


def _is_literal(node: "SgNode") -> bool:
    kind = node.kind()
    if kind in ("word", "number", "special_character"):
        return _GLOB.search(node.text()) is None
    if kind in ("command_name", "concatenation", "string"):
        return all(_is_literal(child) for child in node.children())
    return kind in ("raw_string", "string_content", '"', "[", "]")


def _redirection(node: "SgNode") -> Redirection:
    descriptor = operator = target = ""
    for child in node.children():
        kind = child.kind()
        if kind == "file_descriptor":
            descriptor = child.text()
        elif not operator and not child.is_named():
            operator = child.text()
        elif not target and kind not in ("heredoc_body", "heredoc_end"):
            target = _value(child)
    return Redirection(operator, target.strip("'\""), descriptor)


def without_git_options(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return `git commit` for `git -C folder --no-pager commit`."""
    if not words or words[0] != "git":
        return words
    index = 1
    while index < len(words) and words[index].startswith("-"):
        index += 2 if words[index] in _GIT_VALUE else 1
    return ("git", *words[index:]) if index < len(words) else words
