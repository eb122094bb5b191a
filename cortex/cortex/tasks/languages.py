"""Languages whose structure is known (ast-grep), by file name."""

from pathlib import PurePosixPath

EXTENSIONS = {
    "py": "python", "pyi": "python",
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx",
    "go": "go", "rs": "rust", "java": "java", "rb": "ruby",
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp",
    "cs": "csharp", "kt": "kotlin", "kts": "kotlin", "php": "php", "swift": "swift",
    "scala": "scala", "lua": "lua", "ex": "elixir", "exs": "elixir",
}  # fmt: skip

LANGUAGES = frozenset(EXTENSIONS.values())

_FAMILIES = (
    frozenset({"javascript", "typescript", "tsx"}),
    frozenset({"c", "cpp"}),
)

CONTEXTS = {
    "go": ("package p\nfunc f() {{ {} }}", "call_expression"),
    "c": ("void f() {{ {}; }}", "call_expression"),
    "cpp": ("void f() {{ {}; }}", "call_expression"),
}
"""Where a lone call would be read as something else, a program that holds it, and its kind."""

DOCSTRING = r"^\s*[rRuUbB]?(?:\"\"\"|''')"
RETURN_TYPE = r"\)\s*->"
HASH_COMMENT = r"(?:^|\s)#(?!!)"
SLASH_COMMENT = r"(?:^|\s)//|/\*"

_HASH_COMMENTS = frozenset({"python", "ruby", "elixir"})


def language_of(path: str) -> str | None:
    """Return the ast-grep language of a file, None when its structure is not known."""
    return EXTENSIONS.get(PurePosixPath(path).suffix.removeprefix(".").lower())


def reads_as(language: str, path: str) -> str | None:
    """Return the language in which a pattern of `language` is matched in `path` (None: none)."""
    own = language_of(path)
    if own == language:
        return own
    related = own is not None and any({own, language} <= family for family in _FAMILIES)
    return own if related else None


def comment_regex(language: str) -> str:
    """Return a regular expression for a line that holds a comment."""
    return HASH_COMMENT if language in _HASH_COMMENTS else SLASH_COMMENT
