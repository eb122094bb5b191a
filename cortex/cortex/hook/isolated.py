"""The hook in an interpreter of its own, for `cortex hook run`."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cortex.hook import __file__ as package_file


def run(arguments: Sequence[str]) -> int:
    """Become `python -I …/cortex/hook/__main__.py`: no module of the repository is imported."""
    main = str(Path(package_file).with_name("__main__.py").resolve())
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(sys.executable, [sys.executable, "-I", "-X", "utf8", main, *arguments])
