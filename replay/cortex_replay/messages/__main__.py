"""Read a request (JSON) from standard input, work on it, print what it came to."""

import ctypes
import sys

from cortex_replay.messages.request import InvalidRequestError, Request
from cortex_replay.messages.run import work

_PR_SET_DUMPABLE = 4


def main() -> int:
    """Return 0, or 2 with an error line when the request is invalid."""
    _hide_memory()
    try:
        request = Request.parse(sys.stdin.read())
    except InvalidRequestError as error:
        sys.stderr.write(f"messages agent: {error}\n")
        return 2
    work(request)
    return 0


def _hide_memory() -> None:
    """Keep other processes of this user, such as the model's commands, from reading the key."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
