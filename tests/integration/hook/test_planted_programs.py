"""The hook removes text without running a program that the repository names."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.hook.conftest import Repository
from tests.planted import PLANTS, Traps, plant_attributes

MAIN = Path(__file__).parents[3] / "cortex" / "cortex" / "hook" / "__main__.py"


def run_hook(shop: Repository) -> str:
    ended = subprocess.run(
        [sys.executable, "-I", str(MAIN)], cwd=shop.root, env=shop.env(), capture_output=True,
        text=True, check=False, timeout=60,
    )  # fmt: skip
    assert ended.returncode == 0
    return ended.stderr


@pytest.mark.parametrize("plant", PLANTS)
def test_the_hook_runs_nothing(
    shop: Repository, tmp_path: Path, plant: Callable[[Path, Traps], None]
) -> None:
    traps = Traps(tmp_path / "planted")
    plant(shop.root, traps)
    output = run_hook(shop)
    assert traps.ran() == []
    if plant is plant_attributes:
        assert shop.rule("dead").exists()
        assert "filter" in output
    else:
        assert "removed dead" in output
        assert not shop.rule("dead").exists()
