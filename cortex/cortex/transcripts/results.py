"""Answers to tool calls of Claude Code: success, failure, a person's refusal."""

import re

from cortex.model.sessions import Returned
from cortex.transcripts.calls import Stamp
from cortex.transcripts.editing import replace, replace_each
from cortex.transcripts.fields import (
    Record,
    content_text,
    flag,
    number,
    optional,
    record,
    records,
    text,
)
from cortex.transcripts.redaction import redact_text

LONGEST_OUTPUT = 4000
"""Characters of a tool's answer that are kept, half from either end."""

_REFUSALS = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "The agent proposed a plan that was rejected by the user.",
    "User rejected tool use",
    "[Request interrupted by user for tool use]",
)
_WORDS = re.compile(
    r"(?:To tell you how to proceed, the user said|The user provided the following reason[^\n:]*)"
    r":[ \t]*\n?(.*)",
    re.DOTALL,
)
_ADDED_BY_HARNESS = re.compile(
    r"\n\s*\n(?:Note: The user's next message may|<system-reminder>).*", re.S
)
_MARGIN = 4096
"""Characters in which a secret ends that begins before a cut."""
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d{1,10})\b")


def returned(block: Record, line: Record, stamp: Stamp) -> Returned | None:
    """Return the answer of a `tool_result` block; None when it does not say to which call."""
    call_id = text(block, "tool_use_id")
    if not call_id:
        return None
    output, failed = content_text(block.get("content")), flag(block, "is_error")
    rejected = failed and output.startswith(_REFUSALS)
    before, after = (None, None) if failed else contents(record(line, "toolUseResult"))
    return Returned(
        uuid=stamp.uuid,
        at=stamp.at,
        call_id=call_id,
        ok=not failed,
        rejected=rejected,
        words=_words(output) if rejected else None,
        output=cut(output),
        before=before,
        after=after,
        exit_code=_exit_code(output) if failed else None,
    )


def _words(output: str) -> str | None:
    match = _WORDS.search(output)
    words = _ADDED_BY_HARNESS.sub("", match.group(1)).strip() if match else ""
    return words or None


def _exit_code(output: str) -> int | None:
    match = _EXIT_CODE.match(output)
    return int(match.group(1)) if match else None


def cut(output: str, longest: int = LONGEST_OUTPUT) -> str:
    """Return the first and last part of a long text.

    Without its secrets: half of one would not be known for what it is any more.
    """
    if len(output) <= longest:
        return output
    half = longest // 2
    head, tail = redact_text(output[: half + _MARGIN]), redact_text(output[-half - _MARGIN :])
    return f"{head[:half]}\n[…]\n{tail[-half:]}"


def contents(result: Record) -> tuple[str | None, str | None]:
    """Return the whole content before and after, as far as `toolUseResult` shows them."""
    if "file" in result:
        return None, whole_read(record(result, "file"))
    if not text(result, "filePath"):
        return None, None
    before = _before(result)
    if result.get("type") in ("create", "update") and "content" in result:
        return before, optional(result, "content")
    return before, _edited(result, before)


def whole_read(file: Record) -> str | None:
    """Return the content of a read file when all of it was read."""
    whole = number(file, "startLine") <= 1 and number(file, "numLines") >= number(
        file, "totalLines"
    )
    return optional(file, "content") if whole else None


def _before(result: Record) -> str | None:
    for key in ("originalFile", "originalFileContents"):
        if key in result:
            return "" if result[key] is None else optional(result, key)
    return "" if result.get("type") == "create" else None


def _edited(result: Record, before: str | None) -> str | None:
    if before is None:
        return None
    if "edits" in result:
        parts = tuple(
            (text(edit, "old_string"), text(edit, "new_string"), flag(edit, "replace_all"))
            for edit in records(result.get("edits"))
        )
        return replace_each(before, parts) if parts else None
    if "newString" not in result:
        return None
    edit = text(result, "oldString"), text(result, "newString"), flag(result, "replaceAll")
    return replace(before, *edit)
