"""The structured output of every writer, validated before anything is made of it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from cortex.artifacts import globs
from cortex.proposing import hidden, sanitise

MAX_BODY = 4000
MAX_DESCRIPTION = 1536


class Usage(BaseModel):
    """What the draft cost, as the provider counted it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class Draft(BaseModel):
    """One rule, skill or section, without its frontmatter: that is Cortex's to write."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["rule", "skill", "section"] = Field(
        description="rule: a convention for some files; skill: an action for a moment, opened "
        "when it is needed; section: a fact or duty that holds everywhere"
    )
    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9-]{1,48}$",
        description="lower case with hyphens, says what it asks for: use-clock-now",
    )
    paths: tuple[str, ...] = Field(
        (),
        max_length=8,
        description="gitignore patterns of the files that it is about, as narrow as still covers "
        "files like those of the tasks: shop/**/*.py; empty for a section",
    )
    description: str = Field(
        min_length=1,
        max_length=MAX_DESCRIPTION,
        description="for a skill: when to open it; else its title in at most eight words",
    )
    body: str = Field(
        min_length=1,
        max_length=MAX_BODY,
        description="the text: short, checkable, in the imperative, without details of one task",
    )
    rationale: str = Field("", max_length=1000, description="why this should help, for a person")
    usage: Usage | None = None

    @field_validator("paths")
    @classmethod
    def _patterns(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in paths:
            if len(pattern) > 200 or not pattern.isprintable() or pattern != pattern.strip():
                raise ValueError("a pattern is one printable line of at most 200 characters")
            if '"' in pattern or "\\" in pattern or "---" in pattern:
                raise ValueError('a pattern has no `"`, backslash or `---`')
            if pattern.startswith(("#", "~")) or ".." in pattern.split("/"):
                raise ValueError("a pattern is relative to the repository and stays in it")
            if globs.normalise(pattern) != (pattern,):
                raise ValueError("one pattern each, not several with commas between them")
        return paths

    @field_validator("description")
    @classmethod
    def _one_line(cls, text: str) -> str:
        return _filled(sanitise.line(_seen(text), MAX_DESCRIPTION))

    @field_validator("body")
    @classmethod
    def _harmless(cls, text: str) -> str:
        return _filled(sanitise.body(_seen(text)))

    @field_validator("rationale")
    @classmethod
    def _flat(cls, text: str) -> str:
        return sanitise.line(_seen(text), 1000)

    @model_validator(mode="after")
    def _scope(self) -> "Draft":
        if self.kind == "section" and self.paths:
            raise ValueError("a section cannot have paths; make it a rule")
        return self


def schema() -> dict[str, Any]:
    """Return the JSON Schema that a model is given: a draft without its usage."""
    full = Draft.model_json_schema()
    properties = {key: value for key, value in full["properties"].items() if key != "usage"}
    return {
        "type": "object",
        "properties": properties,
        "required": ["kind", "name", "paths", "description", "body", "rationale"],
        "additionalProperties": False,
    }


def _seen(text: str) -> str:
    """Refuse hidden characters instead of removing them: whoever wrote them meant something."""
    if places := hidden.problems(text):
        raise ValueError(f"has hidden characters: {places}")
    return text


def _filled(text: str) -> str:
    if not sanitise.says_something(text):
        raise ValueError("says nothing")
    return text
