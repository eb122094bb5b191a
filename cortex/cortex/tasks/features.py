"""What a piece of code does, as patterns that hold beyond the task at hand.

A feature is the smallest thing that another implementation would share: a call without its
arguments, an import, an exception, a decorator, a keyword argument. Never a whole statement,
never a local name, never the content of a string.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortex.tasks.languages import DOCSTRING, RETURN_TYPE, comment_regex, language_of
from cortex.tasks.lines import split
from cortex.tasks.local_identifiers import LocalIdentifiers, local_identifiers

if TYPE_CHECKING:
    from ast_grep_py import SgNode

WEIGHTS = {
    "raise": 5.0, "call": 5.0, "decorator": 4.0, "comparison": 4.0, "except": 4.0,
    "method": 4.0, "keyword-argument": 3.0, "attribute": 3.0, "import": 3.0, "docstring": 2.5,
    "annotation": 2.5, "comment": 2.0, "name": 2.0, "keyword": 2.0, "local-call": 1.5, "token": 1.0,
}  # fmt: skip
"""How telling each kind of feature is."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A pattern at a place in a file."""

    pattern: str
    language: str | None
    """None: a regular expression on single lines."""
    kind: str
    names: tuple[str, ...]
    """Identifiers in it, the most telling last."""
    path: str
    line: int


def features(path: str, text: str, fresh: frozenset[int]) -> tuple[Feature, ...]:
    """Return the features of `text` that begin on the lines `fresh`; () for unknown languages."""
    language = language_of(path)
    if language is None or not fresh:
        return ()
    from ast_grep_py import SgRoot

    reader = _Reader(path, language, fresh, local_identifiers(split(text), fresh))
    root = SgRoot(text, language).root()
    return tuple({feature.pattern: feature for feature in reader.walk(root)}.values())


_CALLS = frozenset(
    {"call", "call_expression", "method_invocation", "macro_invocation", "invocation_expression"}
    | {"function_call_expression", "member_call_expression", "scoped_call_expression"}
    | {"function_call"}
)
_NEWS = frozenset({"new_expression", "object_creation_expression"})
_RAISES = frozenset({"raise_statement", "throw_statement", "throw_expression"})
_ARGUMENTS = frozenset({"arguments", "argument_list", "token_tree", "value_arguments"})
_IMPORTS = frozenset(
    {"import_statement", "import_from_statement", "import_declaration", "use_declaration"}
    | {"import_spec", "using_directive", "import_header"}
)
_DECORATORS = frozenset({"decorator", "marker_annotation", "annotation", "attribute_item"})
_ATTRIBUTES = frozenset(
    {"attribute", "member_expression", "selector_expression", "field_expression", "field_access"}
)
_COMPARISONS = frozenset({"comparison_operator", "binary_expression"})
_LITERALS = frozenset({"none", "null", "nil", "undefined", "true", "false"})
_JS_EQUALITY = frozenset({"==", "!=", "===", "!=="})
_WORDS = frozenset(
    {"var", "let", "const", "async", "await", "lambda", "global", "nonlocal", "assert", "unsafe"}
    | {"goto", "with", "final", "static", "public", "private", "readonly", "satisfies"}
)
_SIMPLE_PATH = re.compile(r"[\w$@]+(?:(?:\?\.|\.|::|->|:)[\w$]+)*!?")
_SEPARATOR = re.compile(r"\?\.|\.|::|->|:")
_BUILT_IN_TYPES = frozenset({"predefined_type", "primitive_type"})
_SELF = frozenset({"self", "this", "cls", "super", "@"})


@dataclass(frozen=True, slots=True)
class _Reader:
    path: str
    language: str
    fresh: frozenset[int]
    names: LocalIdentifiers

    def walk(self, node: "SgNode") -> Iterator[Feature]:
        place = node.range()
        if self.fresh.isdisjoint(range(place.start.line, place.end.line + 1)):
            return
        kind = node.kind()
        if "comment" in kind:
            yield from self._regex(node, "comment", comment_regex(self.language), ())
            return
        literal = "string" in kind or kind in ("regex", "char_literal")
        if place.start.line in self.fresh and not literal:
            yield from self._at(node, kind)
        for child in node.children():
            # Of a string only what is computed inside it is code.
            if not literal or "interpolation" in child.kind() or "substitution" in child.kind():
                yield from self.walk(child)

    def _at(self, node: "SgNode", kind: str) -> Iterator[Feature]:
        if kind in _CALLS:
            yield from self._call(node)
        elif kind in _NEWS:
            yield from self._new(node)
        elif kind in _RAISES:
            yield from self._raise(node)
        elif kind in _IMPORTS:
            yield from self._import(node, kind)
        elif kind in _DECORATORS:
            yield from self._decorator(node)
        elif kind in _COMPARISONS:
            yield from self._comparison(node)
        elif kind in _ATTRIBUTES:
            yield from self._attribute(node)
        elif not node.children() or kind in _BUILT_IN_TYPES:
            yield from self._leaf(node, kind)
        elif self.language == "python":
            yield from self._python(node, kind)

    def _feature(
        self, node: "SgNode", kind: str, pattern: str, names: Iterable[str]
    ) -> Iterator[Feature]:
        line = node.range().start.line
        yield Feature(pattern, self.language, kind, tuple(names), self.path, line)

    def _regex(
        self, node: "SgNode", kind: str, pattern: str, names: Iterable[str]
    ) -> Iterator[Feature]:
        line = node.range().start.line
        if line in self.fresh:
            yield Feature(pattern, None, kind, tuple(names), self.path, line)

    def _call(self, node: "SgNode") -> Iterator[Feature]:
        arguments = next((child for child in node.children() if child.kind() in _ARGUMENTS), None)
        parts = []
        for child in node.children():
            if child.kind() in _ARGUMENTS or "block" in child.kind():
                break
            if "type_arguments" not in child.kind():
                parts.append(child.text())
        callee = "".join("".join(parts).split())
        if self.language == "ruby" and callee == "raise" and arguments is not None:
            yield from self._ruby_raise(node, arguments)
            return
        tail = _arguments(arguments.text() if arguments is not None else None)
        for kind, text, names in _callees(callee, self.names):
            yield from self._feature(node, kind, text + tail, names)

    def _ruby_raise(self, node: "SgNode", arguments: "SgNode") -> Iterator[Feature]:
        first = arguments.children()[0].text() if arguments.children() else ""
        if _SIMPLE_PATH.fullmatch(first):
            more = ", $$$" if len(arguments.children()) > 1 else ""
            yield from self._feature(node, "raise", f"raise {first}{more}", (first,))

    def _new(self, node: "SgNode") -> Iterator[Feature]:
        constructor = node.field("constructor") or node.field("type")
        if constructor is None:
            return
        name = constructor.text().split("<")[0].strip()
        if _SIMPLE_PATH.fullmatch(name) and name not in self.names.invented:
            yield from self._feature(node, "call", f"new {name}($$$)", _words(name))
            yield from self._regex(node, "name", rf"\bnew\s+{re.escape(name)}\b", _words(name))

    def _raise(self, node: "SgNode") -> Iterator[Feature]:
        match = re.match(
            r"(raise|throw)\s+(new\s+)?([\w$.:]+)\s*(\(?)", node.text().replace("\n", " ")
        )
        if match is None:
            return
        word, new, name, opens = match.groups()
        if name.split(".")[0] in self.names.variables or name in self.names.invented:
            return
        end = ";" if self.language == "java" else ""
        called = "($$$)" if opens else ""
        pattern = f"{word} {'new ' if new else ''}{name}{called}{end}"
        yield from self._feature(node, "raise", pattern, _words(name))

    def _import(self, node: "SgNode", kind: str) -> Iterator[Feature]:
        text = " ".join(node.text().split())
        if kind == "import_from_statement":
            module = node.field("module_name")
            if module is not None:
                name = module.text()
                yield from self._feature(node, "import", f"from {name} import $$$", _words(name))
        elif self.language == "python":
            for imported in text.removeprefix("import ").split(","):
                name = imported.split(" as ")[0].strip()
                pattern = rf"^\s*(?:import|from)\s.*\b{re.escape(name)}\b"
                yield from self._feature(node, "import", f"import {name}", _words(name))
                yield from self._regex(node, "import", pattern, _words(name))
        elif quoted := re.search(r"""["']([^"']+)["']""", text):
            pattern = rf"""["']{re.escape(quoted.group(1))}["']"""
            yield from self._regex(node, "import", pattern, _words(quoted.group(1)))
        else:
            name = re.split(r"\s+as\s|[{;]", text)[0].strip().removesuffix("::")
            pattern = r"\s+".join(re.escape(word) for word in name.split())
            yield from self._regex(node, "import", rf"^\s*{pattern}\b", _words(name)[1:])

    def _decorator(self, node: "SgNode") -> Iterator[Feature]:
        match = re.match(r"@\s*([\w$.]+)\s*(\(?)", node.text())
        if match:
            name, opens = match.groups()
            pattern = rf"^\s*@{re.escape(name)}\b"
            if self.language == "python":
                called = f"@{name}($$$)" if opens else f"@{name}"
                yield from self._feature(node, "decorator", called, _words(name))
            yield from self._regex(node, "decorator", pattern, _words(name))

    def _comparison(self, node: "SgNode") -> Iterator[Feature]:
        children = node.children()
        if len(children) != 3:
            return
        operator, right = children[1].text(), children[2]
        if right.kind().lower() in _LITERALS:
            yield from self._feature(
                node, "comparison", f"$A {operator} {right.text()}", (operator,)
            )
        elif operator in _JS_EQUALITY and self.language in ("javascript", "typescript", "tsx"):
            yield from self._feature(node, "comparison", f"$A {operator} $B", (operator,))

    def _attribute(self, node: "SgNode") -> Iterator[Feature]:
        parent = node.parent()
        if parent is not None and parent.kind() in (_CALLS | _ATTRIBUTES | _DECORATORS):
            return
        text = "".join(node.text().split())
        parts = _SEPARATOR.split(text)
        if not _SIMPLE_PATH.fullmatch(text) or len(parts) < 2:
            return
        if parts[0] in self.names.variables or parts[0] in _SELF:
            yield from self._feature(node, "attribute", f"$X.{parts[-1]}", parts[-1:])
        else:
            yield from self._feature(node, "attribute", text, parts)

    def _leaf(self, node: "SgNode", kind: str) -> Iterator[Feature]:
        text = node.text()
        if kind == text:
            if text in _WORDS:
                yield from self._regex(node, "keyword", rf"\b{text}\b", (text,))
            return
        telling = "identifier" in kind or kind in _BUILT_IN_TYPES or kind == "constant"
        if not telling or self.names.local(text) or not re.fullmatch(r"\w{2,}", text):
            return
        if self.language == "python":
            yield from self._feature(node, "name", text, (text,))
        else:
            yield from self._regex(node, "name", rf"\b{text}\b", (text,))

    def _python(self, node: "SgNode", kind: str) -> Iterator[Feature]:
        if kind == "keyword_argument":
            name = node.field("name")
            if name is not None:
                word = name.text()
                pattern = rf"\b{re.escape(word)}\s*=(?!=)"
                yield from self._regex(node, "keyword-argument", pattern, (word,))
        elif kind == "except_clause":
            match = re.match(r"except\s*(?:(\w+)|:)", node.text())
            if match:
                name_ = match.group(1)
                pattern = rf"^\s*except\s+{name_}\b" if name_ else r"^\s*except\s*:"
                yield from self._regex(node, "except", pattern, (name_ or "except",))
        elif kind == "function_definition" and node.field("return_type") is not None:
            yield from self._regex(node, "annotation", RETURN_TYPE, ("->",))
        elif kind == "expression_statement" and node.text().lstrip("rRuUbB").startswith(
            ('"""', "'''")
        ):
            yield from self._regex(node, "docstring", DOCSTRING, ("docstring",))


def _arguments(text: str | None) -> str:
    if text is None:
        return ""
    return "($$$)" if text.startswith(("(", "[", "{")) else " $$$"


def _callees(callee: str, names: LocalIdentifiers) -> Iterator[tuple[str, str, list[str]]]:
    """Yield kind, text and names for a callee, generalised where it hangs on a local name."""
    if not _SIMPLE_PATH.fullmatch(callee):
        last = re.search(r"\.([A-Za-z_]\w*!?)$", callee)
        if last:
            yield "method", f"$X.{last.group(1)}", [last.group(1)]
        return
    parts = _SEPARATOR.split(callee)
    root = parts[0]
    if len(parts) == 1:
        if not names.local(root):
            yield "call", callee, parts
    elif root in names.variables or root in _SELF or root.startswith("@"):
        separator = _SEPARATOR.findall(callee)[-1]
        yield "method", f"$X{separator}{parts[-1]}", parts[1:]
        yield "local-call", callee, parts
    else:
        yield "call", callee, parts


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text))
