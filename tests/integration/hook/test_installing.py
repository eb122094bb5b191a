"""Putting the hook in and taking it out again, beside others'."""

import time
from pathlib import Path

from tests.integration.hook.conftest import Repository, cortex

from cortex.artifacts import harness, ledger


def test_a_hook_that_was_there_runs_first_and_comes_back(bare: Repository) -> None:
    hook = bare.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    own = "#!/bin/sh\necho mine >&2\ntest ! -e stop\n"
    hook.write_text(own)
    hook.chmod(0o755)
    assert "runs first" in cortex(bare, "hook", "install").stdout
    assert cortex(bare, "hook", "install").returncode == 0
    (bare.root / "app.py").write_text("one = 3\n")
    said = bare.commit("-a")
    assert said.index("mine") < said.index("took out dead")
    (bare.root / "stop").touch()
    assert bare.run("commit", "--allow-empty", "-m", "no").returncode == 1
    assert "put back" in cortex(bare, "hook", "uninstall").stdout
    assert hook.read_text() == own
    assert "no hook of Cortex" in cortex(bare, "hook", "uninstall").stdout
    assert hook.read_text() == own


def test_the_configured_folder_of_hooks_is_used(bare: Repository) -> None:
    bare.git("config", "core.hooksPath", "tools/hooks")
    assert "tools/hooks/pre-commit" in cortex(bare, "hook", "install").stdout
    (bare.root / "app.py").write_text("one = 3\n")
    assert "took out dead" in bare.commit("-a")


def test_outside_of_a_repository_it_says_so(tmp_path: Path) -> None:
    done = cortex(Repository(tmp_path, tmp_path), "hook", "install")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_two_hundred_artifacts_take_no_time(shop: Repository) -> None:
    for number in range(200):
        file = shop.rule(f"rule-{number}")
        file.write_text(f"---\npaths: src/{number}/**\n---\nRule number {number}.\n")
        path = file.relative_to(shop.root).as_posix()
        artifact = harness.from_text(path, file.read_text())
        line = {"path": path, "digest": artifact.digest, "verdict": "retain", "reason": "helps"}
        with ledger.path_in(shop.root).open("a", encoding="utf-8") as out:
            import json

            out.write(json.dumps(line) + "\n")
    shop.git("add", "-A")
    shop.commit(CORTEX_SKIP="1")
    shop.rule("dead").unlink(missing_ok=True)
    times = []
    for number in range(5):
        (shop.root / "app.py").write_text(f"one = {number}\n")
        clock = time.perf_counter()
        shop.commit("-a", CORTEX_SKIP="1" if number < 0 else "0")
        times.append(time.perf_counter() - clock)
    assert min(times) < 0.6
