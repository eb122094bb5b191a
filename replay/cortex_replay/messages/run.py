"""A run of the messages agent from its request to its result line."""

from cortex_replay.messages import loop, whole
from cortex_replay.messages.instructions import Instructions
from cortex_replay.messages.provider import Provider
from cortex_replay.messages.record import EndedError, Record
from cortex_replay.messages.request import Request


def work(request: Request) -> None:
    """Work on the prompt and print how it ended; what goes wrong is a result too."""
    record = Record(request)
    record.transcript.prompt(request.prompt)
    instructions = Instructions(request, record)
    edit = whole.work if request.edit_format == "whole" else loop.work
    try:
        detail = edit(request, record, Provider(request), instructions)
    except EndedError as ended:
        record.end(ended.status, ended.detail)
        return
    record.end("finished", detail)
