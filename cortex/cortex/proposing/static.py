"""What refuses a candidate before any trial, for free."""

from collections.abc import Iterator, Sequence

from cortex.artifacts import frontmatter, loading, sections
from cortex.artifacts.entries import GraveyardEntry
from cortex.findings.checks import MAX_DESCRIPTION, dead_globs
from cortex.findings.similarity import repeats
from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, ChangeKind
from cortex.model.tasks import Task
from cortex.proposing import hidden

MAX_TEXT = 6000
"""Characters: about 1,500 tokens, paid on every turn that it loads in."""


def check(
    candidate: Candidate,
    harness: Sequence[Artifact],
    tree: Sequence[str],
    tasks: Sequence[Task],
    buried: Sequence[GraveyardEntry] = (),
) -> tuple[str, ...]:
    """Return the reasons that refuse a candidate, none when it deserves trials.

    `harness` is what is there now, `tree` all files of the repository, `tasks` those that would
    be run, `buried` entries of the graveyard.
    """
    artifact = candidate.artifact
    if candidate.change is ChangeKind.REMOVE:
        keys = {present.key for present in harness}
        missing = () if artifact.key in keys else (f"{artifact.name} is not in the harness",)
        return (*missing, *_loading(artifact, tree, tasks))
    return (
        *_text(artifact),
        *_clash(artifact, harness),
        *_loading(artifact, tree, tasks),
        *_repetition(artifact, harness, buried),
    )


def _text(artifact: Artifact) -> Iterator[str]:
    _, body = frontmatter.split(artifact.text)
    lines = [line for line in body.splitlines() if line.strip() and not line.startswith("#")]
    if not lines:
        yield "it is empty"
    for part, text in (("", artifact.text), ("path", artifact.path), *_fields(artifact)):
        if places := hidden.problems(text):
            yield f"it has hidden characters{part and f' in its {part}'}: {places}"
    if len(artifact.text) > MAX_TEXT:
        yield f"it is too long: {len(artifact.text)} characters, at most {MAX_TEXT}"
    if trouble := frontmatter.problem(artifact.text):
        yield f"{trouble}: the agent would ignore it"
    if artifact.kind is ArtifactKind.SKILL and not artifact.description:
        yield "it has no description: no agent could tell when to open it"
    if len(artifact.description) > MAX_DESCRIPTION:
        yield (
            f"its description has {len(artifact.description)} characters, the agent sees the "
            f"first {MAX_DESCRIPTION}"
        )
    if artifact.kind is ArtifactKind.SECTION:
        pieces = [piece.heading for piece in sections.split(artifact.text).pieces]
        if pieces != [artifact.heading]:
            yield f"it is not one section under the heading {artifact.heading!r}"


def _fields(artifact: Artifact) -> Iterator[tuple[str, str]]:
    """Yield values of the frontmatter, where YAML may spell a character as an escape."""
    yield "description", artifact.description
    for pattern in artifact.paths:
        yield "paths", pattern


def _clash(artifact: Artifact, harness: Sequence[Artifact]) -> Iterator[str]:
    for known in harness:
        same_name = known.kind is artifact.kind and known.name.lower() == artifact.name.lower()
        if known.key == artifact.key or (same_name and known.kind is not ArtifactKind.SECTION):
            yield f"its name is taken by {known.key}"


def _loading(artifact: Artifact, tree: Sequence[str], tasks: Sequence[Task]) -> Iterator[str]:
    dead = dead_globs(artifact, tree)
    positive = [pattern for pattern in artifact.paths if not pattern.startswith("!")]
    if artifact.paths and len(dead) == len(positive):
        yield f"its paths match no file: {', '.join(artifact.paths)}"
    elif tasks and not any(loading.could_load(artifact, task.paths) for task in tasks):
        yield f"it cannot load in any task: none works on {', '.join(artifact.paths)}"


def _repetition(
    artifact: Artifact, harness: Sequence[Artifact], buried: Sequence[GraveyardEntry]
) -> Iterator[str]:
    for known in harness:
        if known.key != artifact.key and repeats(artifact.text, known.text):
            yield f"{known.key} says that already"
    for entry in buried:
        if repeats(artifact.text, entry.text):
            reason = entry.reason or "no reason was kept"
            yield f"nearly the same text is in the graveyard as {entry.id}: {reason}"
