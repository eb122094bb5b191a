"""Plays one prompt: looks around, loads what its harness brings, works, reports."""

import json
import random
import re
from pathlib import Path
from typing import Any

from cortex.artifacts import frontmatter
from cortex.model.artifacts import Artifact
from cortex_replay.scripted import tools
from cortex_replay.scripted.harness import Harness
from cortex_replay.scripted.memory import Memory
from cortex_replay.scripted.request import Job, Request
from cortex_replay.scripted.transcript import Transcript

PRICE_USD = 2e-6
"""For one token, so that the books have something to count."""
_WRITES = ("write", "append", "replace")


class _StoppedError(Exception):
    """The developer interrupted the agent."""


class Player:
    """One run of the scripted agent."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._harness = Harness(request.workspace)
        self._transcript = Transcript(request, _branch(request.workspace))
        self._memory_file = request.state / f"{request.session_id}.json"
        self._memory = Memory.load(self._memory_file)
        self._context: list[str] = list(self._memory.words)
        self._decided: dict[str, bool] = {}
        self._objections = list(request.objections)
        self._names: dict[str, str] = {}
        self._seen: set[str] = set()

    def play(self) -> dict[str, Any]:
        """Do the work and return the result line."""
        self._start()
        try:
            said = self._work()
            self._transcript.say(said)
        except _StoppedError:
            pass
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
        notes = []
        for path, text in self._harness.at_start():
            self._context.append(text)
            file = str(self._request.workspace / path)
            notes.append({"hook_event_name": "InstructionsLoaded", "file_path": file})
        if notes:
            with (self._request.state / "instructions.jsonl").open("a", encoding="utf-8") as file_:
                file_.write("".join(json.dumps(note) + "\n" for note in notes))
        self._offer(self._harness.listed())

    def _work(self) -> str:
        job = self._job_for(self._request.prompt)
        if job is not None:
            return self._do(job)
        if self._memory.interrupted:
            return self._take_up_again()
        if self._memory.written or self._memory.skipped:
            return self._redo()
        return "I could not work out what to do here, so I changed nothing."

    def _job_for(self, prompt: str) -> Job | None:
        for job in self._request.jobs:
            found = re.search(job.match, prompt)
            if found:
                self._names = {key: value or "" for key, value in found.groupdict().items()}
                return job
        return None

    def _take_up_again(self) -> str:
        """Do the interrupted job with the developer's new words in the context."""
        job = self._job_for(self._memory.interrupted)
        self._memory.interrupted = ""
        self._memory.words.append(self._request.prompt)
        self._context.append(self._request.prompt)
        return self._do(job) if job else "There is nothing to go on with."

    def _do(self, job: Job) -> str:
        self._memory.written, self._memory.skipped = {}, []
        steps = list(job.steps)
        if self._draw("slip") < self._request.slip:
            last = max(
                (i for i, step in enumerate(steps) if set(step) & set(_WRITES)), default=None
            )
            steps = [step for i, step in enumerate(steps) if i != last]
        said = "Done."
        for step in steps:
            if "say" in step:
                said = self._fill(job, str(step["say"]), None)
            elif "run" in step:
                self._run_step(job, step)
            elif "read" in step:
                self._read(self._fill(job, str(step["read"]), None))
            else:
                self._write_step(job, step)
        return said

    def _run_step(self, job: Job, step: dict[str, Any]) -> None:
        argv = [self._fill(job, str(part), None) for part in step["run"]]
        habit = step.get("habit")
        if habit is not None and not self._is_good(habit):
            self._memory.skipped.append((habit, argv))
            return
        tools.command(self._transcript, argv, self._request.workspace)

    def _write_step(self, job: Job, step: dict[str, Any]) -> None:
        verb = next(name for name in _WRITES if name in step)
        path = self._fill(job, str(step[verb]), None)
        target = self._request.workspace / path
        if target.exists() and path not in self._seen:
            self._read(path)
        for again in (False, True):
            change = self._change(job, step, verb, path)
            if self._put(path, change, last=again):
                return

    def _change(self, job: Job, step: dict[str, Any], verb: str, path: str) -> tools.Change:
        target = self._request.workspace / path
        before = target.read_text("utf-8") if target.exists() else None
        self._memory.written[path] = []
        text = self._fill(job, str(step["new" if verb == "replace" else "text"]), path)
        if verb == "replace":
            old = self._fill(job, str(step["old"]), None)
            whole = before or ""
            return tools.Change(target, whole, whole.replace(old, text, 1), old, text)
        after = text if verb == "write" else (before or "") + text
        return tools.Change(target, before, after)

    def _put(self, path: str, change: tools.Change, *, last: bool) -> bool:
        """Write unless the developer objects; whether it was written."""
        call = tools.propose(self._transcript, change)
        for objection in [] if last else list(self._objections):
            if not _introduces(objection.pattern, change):
                continue
            self._objections.remove(objection)
            self._transcript.rejected(call, objection.words if objection.how == "reject" else None)
            if objection.how == "interrupt":
                self._memory.interrupted = self._request.prompt
                raise _StoppedError
            self._memory.words.append(objection.words)
            self._context.append(objection.words)
            self._decided.clear()
            return False
        tools.carry_out(self._transcript, call, change)
        self._offer(self._harness.listed(path))
        return True

    def _redo(self) -> str:
        """The developer's new words are in the context: mend the last job accordingly."""
        self._memory.words.append(self._request.prompt)
        self._context.append(self._request.prompt)
        for path, slots in self._memory.written.items():
            for habit, good, bad in slots:
                self._mend(path, habit, good, bad)
        for habit, argv in list(self._memory.skipped):
            if self._is_good(habit):
                tools.command(self._transcript, argv, self._request.workspace)
                self._memory.skipped.remove((habit, argv))
        return "Changed as you asked."

    def _mend(self, path: str, habit: str, good: str, bad: str) -> None:
        target = self._request.workspace / path
        text = target.read_text("utf-8") if target.exists() else ""
        if good == bad or not bad or bad not in text or not self._is_good(habit):
            return
        self._read(path)
        at = text.rindex(bad)
        after = text[:at] + good + text[at + len(bad) :]
        change = tools.Change(target, text, after, bad, good)
        call = tools.propose(self._transcript, change)
        tools.carry_out(self._transcript, call, change)

    def _read(self, path: str) -> None:
        self._seen.add(path)
        if tools.read(self._transcript, self._request.workspace / path):
            for rule in self._harness.on_read(path):
                self._load_rule(rule)
        self._offer(self._harness.listed(path))

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
        """List new skills, and open those that seem to be about the prompt."""
        if not skills:
            return
        listing = "\n".join(f"- {one.name}: {one.description}" for one in skills)
        names = [one.name for one in skills]
        self._transcript.attachment(
            {
                "type": "skill_listing",
                "content": listing,
                "skillCount": len(names),
                "isInitial": False,
                "names": names,
            }
        )
        asked = set(re.findall(r"\w{5,}", self._request.prompt.lower()))
        for skill in skills:
            about = asked & set(re.findall(r"\w{5,}", skill.description.lower()))
            if about and self._draw(f"open {skill.name}") < self._request.opens:
                self._open(skill)

    def _open(self, skill: Artifact) -> None:
        _, body = frontmatter.split(skill.text)
        call = self._transcript.call("Skill", {"skill": skill.name})
        done = {"success": True, "commandName": skill.name}
        self._transcript.result(call, f"Launching skill: {skill.name}", done)
        folder = (self._request.workspace / skill.path).parent
        self._transcript.skill_body(call, f"Base directory for this skill: {folder}\n\n{body}")
        self._context.append(body)

    def _fill(self, job: Job, text: str, path: str | None) -> str:
        """Fill `<<name>>` from the prompt and `<<slot>>` as its habit has it."""

        def value(found: re.Match[str]) -> str:
            slot = job.slots.get(found[1])
            if slot is None:
                return self._names.get(found[1], found[0])
            good = self._fill(job, slot["good"], None)
            bad = self._fill(job, slot["bad"], None)
            if path is not None:
                self._memory.written.setdefault(path, []).append([slot["habit"], good, bad])
            return good if self._is_good(slot["habit"]) else bad

        return re.sub(r"<<(\w+)>>", value, text)

    def _is_good(self, habit_id: str) -> bool:
        if habit_id not in self._decided:
            habit = self._request.habits[habit_id]
            tries = len(self._memory.words)
            chance = habit.chance("\n".join(self._context))
            self._decided[habit_id] = self._draw(f"{habit_id} {tries}") < chance
        return self._decided[habit_id]

    def _draw(self, what: str) -> float:
        return random.Random(f"{self._request.seed}:{what}").random()


def _introduces(pattern: str, change: tools.Change) -> bool:
    before, after = (change.old or "", change.new) if change.old else (change.before, change.after)
    return len(re.findall(pattern, after)) > len(re.findall(pattern, before or ""))


def _branch(workspace: Path) -> str:
    try:
        head = (workspace / ".git" / "HEAD").read_text("utf-8").strip()
    except OSError:
        return ""
    return head.rpartition("refs/heads/")[2]
