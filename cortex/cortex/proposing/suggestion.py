"""Text that a person wrote and wants tested before it goes into the harness."""

import re
from pathlib import Path

from cortex.artifacts import disk, frontmatter, harness
from cortex.errors import UsageError
from cortex.model.artifacts import Artifact

_NAME = re.compile(r"[\w][\w .-]{0,80}\Z")


def from_file(path: Path) -> Artifact:
    """Return the rule or skill in the file at `path`.

    `SKILL.md` is the skill that its folder is named after; a file with `name` and `description`
    in its frontmatter is the skill of its name; anything else is a rule named after the file, in
    the same subfolder when it lies in some `.claude/rules`. Raises UsageError for a file that
    cannot be read, is empty or is no text.
    """
    if path.suffix != ".md":
        raise UsageError(f"{path}: a rule or a skill is a Markdown file (.md)")
    text = disk.read_text(path)
    if not text.isascii() and any("\udc80" <= char <= "\udcff" for char in text):
        raise UsageError(f"{path}: is not UTF-8 text")
    fields, body = frontmatter.split(text)
    if not body.strip():
        raise UsageError(f"{path}: is empty")
    return harness.from_text(_place(path.absolute(), fields), text)


def _place(path: Path, fields: dict[str, object]) -> str:
    if path.name == "SKILL.md":
        return f"{harness.SKILLS}{_checked(path, path.parent.name)}/SKILL.md"
    if "name" in fields and "description" in fields:
        return f"{harness.SKILLS}{_checked(path, str(fields['name']))}/SKILL.md"
    parts = path.parts
    for index in range(len(parts) - 2):
        if parts[index : index + 2] == (".claude", "rules"):
            return harness.RULES + "/".join(parts[index + 2 :])
    return f"{harness.RULES}{_checked(path, path.stem)}.md"


def _checked(path: Path, name: str) -> str:
    if not _NAME.match(name):
        raise UsageError(f"{path}: {name!r} cannot be the name of a rule or a skill")
    return name
