"""Plays a prompt: loads the harness, does the job, reports."""

import json
import random
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from cortex.artifacts import frontmatter
from cortex.model.artifacts import Artifact
from cortex_replay.scripted import tools
from cortex_replay.scripted.harness_loader import HarnessLoader
from cortex_replay.scripted.memory import SessionMemory
from cortex_replay.scripted.request import Request, ScriptedJob
from cortex_replay.scripted.transcript import Transcript

PRICE_USD = 2e-6
"""Price of a token, so that budgets have something to count."""
_WRITES = ("write", "append", "replace")


class _InterruptedError(Exception):
    """The developer interrupted the agent."""


class Player:
    """A run of the scripted agent."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._harness = HarnessLoader(request.workspace, request.reads_agents_file)
        self._transcript = Transcript(request, _branch(request.workspace))
        self._memory_file = request.state / f"{request.session_id}.json"
        self._memory = SessionMemory.load(self._memory_file)
        self._context: list[str] = list(self._memory.feedback)
        self._decisions: dict[str, bool] = {}
        self._reactions = list(request.reactions)
        self._names: dict[str, str] = {}
        self._read_paths: set[str] = set()

    def play(self) -> dict[str, Any]:
        """Do the job and return the result line."""
        self._start()
        with suppress(_InterruptedError):
            self._transcript.say(self._work())
        self._transcript.save()
        self._memory.save(self._memory_file)
        tokens = sum(map(len, self._context)) // 4
        return {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "session_id": self._request.session_id,
            "transcript_path": str(self._transcript.path),
            "total_cost_usd": round((1000 + tokens) * PRICE_USD, 6),
            "usage": {"input_tokens": 1000 + tokens, "output_tokens": 200},
        }

    def _start(self) -> None:
        self._transcript.prompt(self._request.prompt)
        hook_inputs = []
        for path, text in self._harness.load_at_start():
            self._context.append(text)
            file = str(self._request.workspace / path)
            hook_inputs.append({"hook_event_name": "InstructionsLoaded", "file_path": file})
        if hook_inputs:
            with (self._request.state / "instructions.jsonl").open("a", encoding="utf-8") as file_:
                file_.write("".join(json.dumps(entry) + "\n" for entry in hook_inputs))
        self._offer(self._harness.list_skills())

    def _work(self) -> str:
        job = self._job_for(self._request.prompt)
        if job is not None:
            return self._do(job)
        if self._memory.interrupted_prompt:
            return self._resume_interrupted()
        if self._memory.written_slots or self._memory.skipped_commands:
            return self._redo()
        return "I could not work out what to do here, so I changed nothing."

    def _job_for(self, prompt: str) -> ScriptedJob | None:
        for job in self._request.jobs:
            match = re.search(job.match, prompt)
            if match:
                self._names = {key: value or "" for key, value in match.groupdict().items()}
                return job
        return None

    def _resume_interrupted(self) -> str:
        """Do the interrupted job with the developer's feedback in the context."""
        job = self._job_for(self._memory.interrupted_prompt)
        self._memory.interrupted_prompt = ""
        self._memory.feedback.append(self._request.prompt)
        self._context.append(self._request.prompt)
        return self._do(job) if job else "There is no interrupted job."

    def _do(self, job: ScriptedJob) -> str:
        self._memory.written_slots, self._memory.skipped_commands = {}, []
        steps = list(job.steps)
        if self._draw("slip") < self._request.slip:
            last_write = max(
                (i for i, step in enumerate(steps) if set(step) & set(_WRITES)), default=None
            )
            steps = [step for i, step in enumerate(steps) if i != last_write]
        message = "Done."
        for step in steps:
            if "say" in step:
                message = self._fill(job, str(step["say"]), None)
            elif "run" in step:
                self._run_step(job, step)
            elif "read" in step:
                self._read(self._fill(job, str(step["read"]), None))
            else:
                self._write_step(job, step)
        return message

    def _run_step(self, job: ScriptedJob, step: dict[str, Any]) -> None:
        argv = [self._fill(job, str(part), None) for part in step["run"]]
        habit = step.get("habit")
        if habit is not None and not self._is_good(habit):
            self._memory.skipped_commands.append((habit, argv))
            return
        tools.command(self._transcript, argv, self._request.workspace)

    def _write_step(self, job: ScriptedJob, step: dict[str, Any]) -> None:
        verb = next(name for name in _WRITES if name in step)
        path = self._fill(job, str(step[verb]), None)
        target = self._request.workspace / path
        if target.exists() and path not in self._read_paths:
            self._read(path)
        for is_retry in (False, True):
            write = self._proposal(job, step, verb, path)
            if self._write(path, write, may_reject=not is_retry):
                return

    def _proposal(
        self, job: ScriptedJob, step: dict[str, Any], verb: str, path: str
    ) -> tools.ProposedWrite:
        target = self._request.workspace / path
        before = target.read_text("utf-8") if target.exists() else None
        self._memory.written_slots[path] = []
        text = self._fill(job, str(step["new" if verb == "replace" else "text"]), path)
        if verb == "replace":
            old = self._fill(job, str(step["old"]), None)
            content = before or ""
            return tools.ProposedWrite(target, content, content.replace(old, text, 1), old, text)
        after = text if verb == "write" else (before or "") + text
        return tools.ProposedWrite(target, before, after)

    def _write(self, path: str, write: tools.ProposedWrite, *, may_reject: bool) -> bool:
        """Write unless the developer rejects it; return whether it was written."""
        call = tools.propose(self._transcript, write)
        for reaction in list(self._reactions) if may_reject else []:
            if not _introduces(reaction.pattern, write):
                continue
            self._reactions.remove(reaction)
            interrupts = reaction.kind == "interrupt"
            self._transcript.reject(call, None if interrupts else reaction.feedback)
            if interrupts:
                self._memory.interrupted_prompt = self._request.prompt
                raise _InterruptedError
            self._memory.feedback.append(reaction.feedback)
            self._context.append(reaction.feedback)
            self._decisions.clear()
            return False
        tools.execute(self._transcript, call, write)
        self._offer(self._harness.list_skills(path))
        return True

    def _redo(self) -> str:
        """Correct the last job with the developer's feedback in the context."""
        self._memory.feedback.append(self._request.prompt)
        self._context.append(self._request.prompt)
        for path, slots in self._memory.written_slots.items():
            for habit, good, bad in slots:
                self._correct(path, habit, good, bad)
        for habit, argv in list(self._memory.skipped_commands):
            if self._is_good(habit):
                tools.command(self._transcript, argv, self._request.workspace)
                self._memory.skipped_commands.remove((habit, argv))
        return "Changed as you asked."

    def _correct(self, path: str, habit: str, good: str, bad: str) -> None:
        target = self._request.workspace / path
        text = target.read_text("utf-8") if target.exists() else ""
        if good == bad or not bad or bad not in text or not self._is_good(habit):
            return
        self._read(path)
        start = text.rindex(bad)
        after = text[:start] + good + text[start + len(bad) :]
        write = tools.ProposedWrite(target, text, after, bad, good)
        call = tools.propose(self._transcript, write)
        tools.execute(self._transcript, call, write)

    def _read(self, path: str) -> None:
        self._read_paths.add(path)
        if tools.read(self._transcript, self._request.workspace / path):
            for rule in self._harness.load_on_read(path):
                self._load_rule(rule)
        self._offer(self._harness.list_skills(path))

    def _load_rule(self, rule: Artifact) -> None:
        _, body = frontmatter.split(rule.text)
        self._context.append(body)
        path = str(self._request.workspace / rule.path)
        content = {
            "path": path,
            "type": "Project",
            "content": body,
            "globs": list(rule.paths),
            "contentDiffersFromDisk": True,
            "rawContent": rule.text,
        }
        self._transcript.attachment(
            {"type": "nested_memory", "path": path, "content": content, "displayPath": rule.path}
        )

    def _offer(self, skills: tuple[Artifact, ...]) -> None:
        """List new skills, and open those whose description shares words with the prompt."""
        if not skills:
            return
        listing = "\n".join(f"- {skill.name}: {skill.description}" for skill in skills)
        names = [skill.name for skill in skills]
        self._transcript.attachment(
            {
                "type": "skill_listing",
                "content": listing,
                "skillCount": len(names),
                "isInitial": False,
                "names": names,
            }
        )
        prompt_words = set(re.findall(r"\w{5,}", self._request.prompt.lower()))
        for skill in skills:
            shared_words = prompt_words & set(re.findall(r"\w{5,}", skill.description.lower()))
            if shared_words and self._draw(f"open {skill.name}") < self._request.opens:
                self._open(skill)

    def _open(self, skill: Artifact) -> None:
        _, body = frontmatter.split(skill.text)
        call = self._transcript.call("Skill", {"skill": skill.name})
        result = {"success": True, "commandName": skill.name}
        self._transcript.result(call, f"Launching skill: {skill.name}", result)
        folder = (self._request.workspace / skill.path).parent
        self._transcript.skill_body(call, f"Base directory for this skill: {folder}\n\n{body}")
        self._context.append(body)

    def _fill(self, job: ScriptedJob, text: str, path: str | None) -> str:
        """Fill `<<name>>` from the prompt and `<<slot>>` as its habit decides."""

        def value(match: re.Match[str]) -> str:
            slot = job.slots.get(match[1])
            if slot is None:
                return self._names.get(match[1], match[0])
            good = self._fill(job, slot["good"], None)
            bad = self._fill(job, slot["bad"], None)
            if path is not None:
                self._memory.written_slots.setdefault(path, []).append([slot["habit"], good, bad])
            return good if self._is_good(slot["habit"]) else bad

        return re.sub(r"<<(\w+)>>", value, text)

    def _is_good(self, habit_id: str) -> bool:
        if habit_id not in self._decisions:
            habit = self._request.habits[habit_id]
            feedback_count = len(self._memory.feedback)
            chance = habit.chance("\n".join(self._context))
            self._decisions[habit_id] = self._draw(f"{habit_id} {feedback_count}") < chance
        return self._decisions[habit_id]

    def _draw(self, purpose: str) -> float:
        return random.Random(f"{self._request.seed}:{purpose}").random()


def _introduces(pattern: str, write: tools.ProposedWrite) -> bool:
    before, after = (write.old or "", write.new) if write.old else (write.before, write.after)
    return len(re.findall(pattern, after)) > len(re.findall(pattern, before or ""))


def _branch(workspace: Path) -> str:
    try:
        head = (workspace / ".git" / "HEAD").read_text("utf-8").strip()
    except OSError:
        return ""
    return head.rpartition("refs/heads/")[2]
