"""Every word that a surface shows for a state is explained in the glossary."""

import ast
import re
from enum import StrEnum
from pathlib import Path

import pytest

from cortex.model.artifacts import ArtifactKind, ChangeKind
from cortex.model.corrections import Signal
from cortex.model.jobs import JobStatus
from cortex.model.tasks import TaskStatus
from cortex.model.trials import Arm, Outcome
from cortex.model.verdicts import Diagnosis, Ruling

ENTRY = re.compile(r"^- \*\*(.+?)\*\*: ", re.MULTILINE)
ENUMS: tuple[type[StrEnum], ...] = (
    ArtifactKind, ChangeKind, Signal, JobStatus, TaskStatus, Arm, Outcome, Diagnosis, Ruling,
)  # fmt: skip
INTERNAL = {"Speaker", "ActionKind"}
"""Read from transcripts, shown on no surface."""


@pytest.fixture(scope="module")
def glossary(root: Path) -> str:
    return (root / "docs" / "glossary.md").read_text("utf-8")


@pytest.mark.parametrize("enum", ENUMS)
def test_every_value_of_a_shown_enum_is_explained(enum: type[StrEnum], glossary: str) -> None:
    explained = {word.lower() for word in ENTRY.findall(glossary)}
    explained |= set(re.findall(r"`([^`\n]+)`", glossary))
    assert {member.value for member in enum if member.value} - explained == set()


def test_every_enum_of_the_model_is_explained(
    modules: dict[Path, ast.Module], glossary: str
) -> None:
    """A new status may be a word of the surfaces: its values have to be in the glossary too."""
    unexplained = {
        f"{node.name}.{value}"
        for path, tree in modules.items()
        if path.parts[-3:-1] == ("cortex", "model")
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name not in INTERNAL
        for value in _enum_values(node)
        if value not in glossary.lower()
    }
    assert unexplained == set()


def _enum_values(node: ast.ClassDef) -> list[str]:
    if not any(isinstance(base, ast.Name) and base.id == "StrEnum" for base in node.bases):
        return []
    constants = (item.value for item in node.body if isinstance(item, ast.Assign))
    return [str(value.value) for value in constants if isinstance(value, ast.Constant)]


def test_the_glossary_is_alphabetical_and_has_each_word_once(glossary: str) -> None:
    words = [word.lower().replace("⁺", "+").replace("-", " ") for word in ENTRY.findall(glossary)]
    assert words == sorted(set(words))
    assert len(words) == glossary.count("\n- ")


def test_each_entry_is_one_sentence(glossary: str) -> None:
    entries = re.split(r"^- ", glossary, flags=re.MULTILINE)[1:]
    for entry in entries:
        flat = " ".join(entry.split())
        assert flat.endswith("."), flat
        assert not re.search(r"\. [A-Z]", flat), flat


def test_the_readme_links_to_the_glossary(root: Path) -> None:
    assert "(docs/glossary.md)" in (root / "README.md").read_text("utf-8")
