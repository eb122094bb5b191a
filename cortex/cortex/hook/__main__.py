"""`python -m cortex.hook`: what git runs. Whatever goes wrong in here, the commit goes on."""

import os
import sys
from types import TracebackType


def fail_open(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    """Say in one line what went wrong and let the commit go on."""
    said = str(error).strip().splitlines() or [""]
    sys.stderr.write(f"cortex: the hook did nothing ({kind.__name__}: {said[0]})\n")
    sys.stderr.flush()
    os._exit(0)


if __name__ == "__main__":
    sys.excepthook = fail_open
    from cortex.hook.running import main

    sys.exit(main(sys.argv[1:]))
