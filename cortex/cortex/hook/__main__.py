"""What git runs: `python -I …/cortex/hook/__main__.py`. Whatever fails in here, the commit goes on.

Isolated, Python looks for modules neither in the repository nor in PYTHONPATH nor in the user's
site folder. So the folder of this package is named here: Cortex may be installed there.
"""

import os
import sys
from types import TracebackType


def fail_open(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    """Report what failed and let the commit go on."""
    lines = str(error).strip().splitlines() or [""]
    sys.stderr.write(f"cortex: hook skipped ({kind.__name__}: {lines[0]})\n")
    sys.stderr.flush()
    os._exit(0)


def find_packages() -> None:
    """Put the folder that holds `cortex` behind the standard library, before other packages."""
    folder = __file__
    for _ in range(3):
        folder = os.path.dirname(folder)  # noqa: PTH120 - pathlib would be imported for this alone
    ends = ("site-packages", "dist-packages")
    places = (number for number, entry in enumerate(sys.path) if entry.endswith(ends))
    sys.path.insert(next(places, len(sys.path)), folder)


if __name__ == "__main__":
    sys.excepthook = fail_open
    find_packages()
    from cortex.hook.running import main

    sys.exit(main(sys.argv[1:]))
