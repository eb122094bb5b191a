"""Two Cortexes at the same work."""

import subprocess
import sys
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


def test_a_second_process_is_told_and_the_next_goes_on(tmp_path: Path) -> None:
    with Store.open(tmp_path / DATABASE) as store:
        context = Context(store, Config(), tmp_path)
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder:
            assert holder.stdin is not None
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            with alone(context, "other work", "busy"):
                pass
            with pytest.raises(MachineError, match="busy"), alone(context, "work", "busy"):
                pass
            holder.stdin.close()
            with alone(context, "work", "busy", 10.0), alone(context, "work", "busy"):
                pass


def test_a_process_that_dies_holds_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path / DATABASE) as store:
        context = Context(store, Config(), tmp_path)
        with subprocess.Popen(
            [sys.executable, "-c", HOLD, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            holder.kill()
        with alone(context, "work", "busy", 5.0):
            pass
