"""Read a request (JSON) from standard input, play it, print the result line."""

import json
import sys

from cortex_replay.scripted.player import Player
from cortex_replay.scripted.request import InvalidRequestError, Request


def main() -> int:
    """Return 0, or 2 with an error line when the request or the playbook is invalid."""
    try:
        player = Player(Request.parse(sys.stdin.read()))
    except InvalidRequestError as error:
        sys.stderr.write(f"scripted agent: {error}\n")
        return 2
    sys.stdout.write(json.dumps(player.play()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
