"""One candidate: from the theme with the most evidence, or from text that a person wrote."""

from dataclasses import dataclass, replace
from pathlib import Path

from cortex.artifacts import disk, graveyard, harness
from cortex.commands import queries
from cortex.commands.building import themes
from cortex.commands.colleagues import statement
from cortex.commands.context import Context
from cortex.commands.queries import removal_id
from cortex.digests import short_id
from cortex.errors import UsageError
from cortex.git import git
from cortex.model.artifacts import Candidate, CandidateStatus, ChangeKind
from cortex.model.corrections import Theme
from cortex.model.tasks import Task, TaskStatus
from cortex.proposing import choice, holdout, static, suggestion
from cortex.proposing.briefs import Brief
from cortex.proposing.candidates import propose as write_candidate
from cortex.proposing.writers import make_writer
from cortex.timestamps import now


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate with what spoke against it before any trial."""

    candidate: Candidate
    problems: tuple[str, ...] = ()
    theme: Theme | None = None


def propose(context: Context, theme_id: str | None = None) -> Proposal | None:
    """Write a candidate for a theme; None when no theme recurs.

    Raises UsageError for an unknown theme, and what the writer raises.
    """
    all_themes = themes(context)
    tasks = admitted(context)
    theme = _theme(context, all_themes, tasks, theme_id)
    if theme is None:
        return None
    theme_tasks = choice.tasks_of(theme, tasks)
    seen, _ = holdout.split(theme_tasks)
    brief = Brief(
        theme=theme,
        corrections=tuple(
            correction
            for correction in map(context.store.corrections.get, theme.correction_ids)
            if correction
        ),
        seen_tasks=seen,
        harness=harness.parse(disk.read_files(context.root)),
        buried=graveyard.entries(context.root),
        agent=context.config.agent.name,
        tree=tracked(context.root),
    )
    command = (context.config.agent.command,) if context.config.agent.command else ("claude",)
    writer = make_writer(context.config.writer, command)
    candidate = write_candidate(brief, writer, task_ids=[task.id for task in theme_tasks], at=now())
    return _keep(context, candidate, theme)


def suggest(context: Context, file: Path) -> Proposal:
    """Make a candidate of a rule or skill that a person wrote. Raises UsageError as it reads it."""
    artifact = suggestion.from_file(file)
    candidate = Candidate(
        id=short_id("cand", str(context.root), artifact.key, artifact.digest),
        change=ChangeKind.ADD,
        artifact=artifact,
        title=artifact.name,
        rationale=f"suggested in {file.name}",
        writer="person",
        created_at=now(),
    )
    return _keep(context, candidate, None)


def removal(context: Context, name: str) -> Candidate:
    """Return the candidate that takes the named artifact out of the harness.

    `name` is the artifact's name or path. Raises UsageError when there is none, or several.
    """
    artifacts = harness.parse(disk.read_files(context.root))
    matches = [
        artifact for artifact in artifacts if name in (artifact.name, artifact.path, artifact.key)
    ]
    if len(matches) != 1:
        names = ", ".join(sorted(artifact.name for artifact in artifacts)) or "nothing"
        problem = "is ambiguous, give its path" if matches else "is not in the harness"
        raise UsageError(f"{name}: {problem}; there is {names}")
    return removal_of(context, matches[0].key)


def to_gate(context: Context, reference: str) -> Candidate:
    """Return what `gate` measures: a candidate, or the removal that a colleague states.

    Raises UsageError for an unknown id.
    """
    stated = statement(context, reference)
    if stated is not None:
        return removal_of(context, stated.candidate.artifact.key)
    return queries.candidate(context, reference)


def removal_of(context: Context, key: str) -> Candidate:
    """Return (and keep) the removal of the artifact with this key."""
    artifact = next(
        candidate_artifact
        for candidate_artifact in harness.parse(disk.read_files(context.root))
        if candidate_artifact.key == key
    )
    candidate_id = removal_id(context, artifact)
    stored = context.store.candidates.get(candidate_id)
    if stored is not None and stored.status is not CandidateStatus.PURGED:
        return stored
    candidate = Candidate(
        id=candidate_id,
        change=ChangeKind.REMOVE,
        artifact=artifact,
        title=f"remove {artifact.name}",
        writer="prune",
        created_at=now(),
    )
    context.store.candidates.put(str(context.root), candidate)
    return candidate


def admitted(context: Context) -> tuple[Task, ...]:
    """Return the tasks that can measure in this repository."""
    return context.store.tasks.all(repository=str(context.root), status=TaskStatus.ADMITTED)


def tracked(root: Path) -> tuple[str, ...]:
    """Return the relative paths of all files of the repository that git would track."""
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=root)
    names = listed.decode("utf-8", "surrogateescape").split("\0")
    return tuple(dict.fromkeys(name for name in names if name))


def _theme(
    context: Context, all_themes: tuple[Theme, ...], tasks: tuple[Task, ...], theme_id: str | None
) -> Theme | None:
    if theme_id is None:
        candidates = context.store.candidates.all(repository=str(context.root))
        return choice.choose(all_themes, tasks, candidates)
    for theme in all_themes:
        if theme.id == theme_id:
            if not choice.tasks_of(theme, tasks):
                raise UsageError(f"{theme_id}: has no admitted task yet, so it cannot be measured")
            return theme
    raise UsageError(f"{theme_id}: no such theme; `cortex themes` lists them")


def _keep(context: Context, candidate: Candidate, theme: Theme | None) -> Proposal:
    files = disk.read_files(context.root)
    problems = static.check(
        candidate,
        harness.parse(files),
        tracked(context.root),
        admitted(context),
        graveyard.entries(context.root),
    )
    if problems:
        candidate = replace(candidate, status=CandidateStatus.REFUSED)
    with context.store.transaction():
        stored = context.store.candidates.get(candidate.id)
        if theme and not all(map(context.store.corrections.knows, theme.correction_ids)):
            raise UsageError(f"{theme.id}: a session of the theme was purged meanwhile; try again")
        if stored is None or stored.status in _REPLACEABLE:
            context.store.candidates.put(str(context.root), candidate)
            if stored is not None and stored.status is CandidateStatus.PURGED:
                context.store.candidates.clear_decision(candidate.id)
            return Proposal(candidate, problems, theme)
    return Proposal(stored, problems, theme)


_REPLACEABLE = (CandidateStatus.PROPOSED, CandidateStatus.REFUSED, CandidateStatus.PURGED)
