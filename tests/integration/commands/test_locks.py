"""Two Cortexes at the same work."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cortex.commands.context import DATABASE, Context
from cortex.commands.locks import alone
from cortex.config import Config
from cortex.errors import MachineError
from cortex_store import Store

HOLD = """
import sys
from pathlib import Path
from cortex.commands.context import Context
from cortex.commands.locks import alone
from cortex.config import Config
with alone(Context(None, Config(), Path(sys.argv[1])), "work", "busy"):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    with Store.open(tmp_path / DATABASE) as store:
        yield Context(store, Config(), tmp_path)


@contextmanager
def holding(home: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run another process that holds the lock of `work`."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process


def test_a_second_process_is_told_and_the_next_goes_on(context: Context) -> None:
    with holding(context.home) as process:
        with alone(context, "other work", "busy"):
            pass
        with pytest.raises(MachineError, match="busy"), alone(context, "work", "busy"):
            pass
        assert process.stdin is not None
        process.stdin.close()
        with alone(context, "work", "busy", 10.0), alone(context, "work", "busy"):
            pass


def test_a_process_that_dies_holds_nothing(context: Context) -> None:
    with holding(context.home) as process:
        process.kill()
    with alone(context, "work", "busy", 5.0):
        pass
