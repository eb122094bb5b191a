"""Several processes that open a new database at once."""

import subprocess
import sys
from pathlib import Path

OPEN = """
import sys
from pathlib import Path
from cortex_store import Store
sys.stdin.read()
with Store.open(Path(sys.argv[1])) as store:
    store.key_values.set(sys.argv[2], "x")
"""


def test_a_new_database_is_made_once(tmp_path: Path) -> None:
    for attempt in range(3):
        path = tmp_path / str(attempt) / "cortex.db"
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", OPEN, str(path), f"key{number}"],
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for number in range(4)
        ]
        for process in processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in processes:
            assert process.stderr is not None
            assert process.wait(60) == 0, process.stderr.read()
