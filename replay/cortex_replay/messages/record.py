"""What a run came to: its transcript, and lines on standard output that Cortex reads.

The lines say what loaded and what was used. The state folder, where the transcript is, can be
written by the model's commands; standard output cannot.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from cortex_replay.agents.base import RunStatus
from cortex_replay.agents.pricing import Usage, cost_usd
from cortex_replay.messages.request import Request
from cortex_replay.scripted.request import Request as Session
from cortex_replay.scripted.transcript import Transcript


class EndedError(Exception):
    """The run ends here, for a reason that is no fault of Cortex."""

    def __init__(self, status: RunStatus, detail: str) -> None:
        super().__init__(detail)
        self.status: RunStatus = status
        self.detail = detail


class Record:
    """Writes a run down while it goes on."""

    def __init__(self, request: Request) -> None:
        self._request = request
        session = Session(
            prompt=request.prompt,
            workspace=request.workspace,
            state=request.state,
            session_id=request.session_id,
            seed=0,
            habits={},
            jobs=(),
            model=request.model,
        )
        self.transcript = Transcript(session, branch="", live=True)
        self.usage = Usage()
        self._counted = True
        self._loaded: dict[str, None] = {}
        self._offered: dict[str, None] = {}

    def loaded(self, path: str) -> None:
        """Note that the text at this relative path reached the model."""
        self._loaded[path] = None

    def offered(self, paths: Iterable[str]) -> None:
        """Note skills that were listed."""
        self._offered.update(dict.fromkeys(paths))

    def mentioned(self, path: str, text: str) -> None:
        """Note that a file (relative path) was sent with the prompt."""
        lines = len(text.splitlines())
        file = {
            "filePath": str(self._request.workspace / path),
            "content": text,
            "numLines": lines,
            "startLine": 1,
            "totalLines": lines,
        }
        content = {"type": "text", "file": file}
        self.transcript.attachment({"type": "file", "filename": path, "content": content})

    def count(self, usage: Usage | None) -> None:
        """Add what an answer used; None when the server does not say it."""
        self._counted = self._counted and usage is not None
        self.usage += usage or Usage()

    @property
    def over_budget(self) -> bool:
        """Whether the run has cost what it may cost."""
        cost = cost_usd(self.usage, self._request.prices)
        limit = self._request.budget_usd
        return limit is not None and cost is not None and cost >= limit

    def progress(self) -> None:
        """Write down all that happened so far."""
        self.transcript.save()
        self._print("progress", "finished", "")

    def end(self, status: RunStatus, detail: str) -> None:
        """Write down how the run ended."""
        self.transcript.save()
        self._print("result", status, detail)

    def _print(self, kind: str, status: str, detail: str) -> None:
        line: Mapping[str, Any] = {
            "type": kind,
            "status": status,
            "detail": detail,
            "usage": asdict(self.usage) if self._counted else None,
            "loaded": list(self._loaded),
            "offered": list(self._offered),
        }
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
