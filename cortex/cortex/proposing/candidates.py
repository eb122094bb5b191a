"""From a draft to a candidate: Cortex writes frontmatter, heading and place, never the writer."""

from collections.abc import Sequence

from cortex.artifacts import frontmatter, harness, sections
from cortex.artifacts.readers import CLAUDE_FILES, instructions_file
from cortex.digests import short_id
from cortex.model.artifacts import Artifact, Candidate, ChangeKind
from cortex.proposing.briefs import Brief, Writer
from cortex.proposing.draft import Draft

TITLE_LENGTH = 80


def propose(
    brief: Brief, writer: Writer, *, task_ids: Sequence[str] = (), at: str = ""
) -> Candidate:
    """Let `writer` write an addition for the theme of `brief`.

    `task_ids` are all tasks of the theme, held-out ones included (the seen ones when not given);
    `at` is the time of creation. Raises what the writer raises.
    """
    draft = writer.write(brief)
    files = [artifact.path for artifact in brief.harness]
    artifact = to_artifact(draft, instructions_file(brief.agent, files))
    seen = tuple(task.id for task in brief.seen_tasks)
    return Candidate(
        id=short_id("cand", brief.theme.id, artifact.key, artifact.digest),
        change=ChangeKind.ADD,
        artifact=artifact,
        title=title(draft).replace("`", ""),
        rationale=draft.rationale,
        theme_id=brief.theme.id,
        task_ids=tuple(task_ids) or seen,
        seen_task_ids=seen,
        writer=writer.name,
        created_at=at,
    )


def to_artifact(draft: Draft, instructions: str = CLAUDE_FILES[0]) -> Artifact:
    """Return the artifact that a draft describes, at the place where the agent looks for it.

    `instructions` is the file that a section goes into.
    """
    if draft.kind == "rule":
        head = frontmatter.render({"paths": draft.paths})
        return harness.from_text(f".claude/rules/{draft.name}.md", head + _text("#", draft))
    if draft.kind == "skill":
        fields: dict[str, str | tuple[str, ...]] = {
            "name": draft.name,
            "description": draft.description,
            "paths": draft.paths,
        }
        path = f".claude/skills/{draft.name}/SKILL.md"
        return harness.from_text(path, frontmatter.render(fields) + _text("#", draft))
    text = _text("##", draft)
    heading = sections.split(text).pieces[0].heading
    return harness.section(instructions, heading, text)


def title(draft: Draft) -> str:
    """Return the heading of a draft: its description when that is a title, else its name."""
    words = draft.description.strip(" #")
    if draft.kind == "skill" or len(words) > TITLE_LENGTH or not words:
        return draft.name.replace("-", " ").capitalize()
    return words


def _text(level: str, draft: Draft) -> str:
    return f"{level} {title(draft)}\n\n{draft.body}\n"
