"""Start-up stays lazy, layers stay layers, and there are no cycles."""

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

HEAVY = ("textual", "pygls", "anthropic", "watchdog", "detect_secrets", "ast_grep_py", "sqlite3")


def loaded_after(code: str) -> set[str]:
    """Return the top-level modules of a clean interpreter after `code`."""
    tail = "\nimport sys\nprint('\\n'.join(sorted({n.split('.')[0] for n in sys.modules})))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_help_loads_nothing_heavy() -> None:
    code = "from cortex.cli.main import main\nmain(['--help'])"
    assert loaded_after(code).isdisjoint({*HEAVY, "pydantic", "rich"})


@pytest.mark.parametrize(
    "package", ["cortex.model.tasks", "cortex.artifacts.disk", "cortex.transcripts.claude_code"]
)
def test_what_short_processes_import_is_light(package: str) -> None:
    assert loaded_after(f"import {package}").isdisjoint({*HEAVY, "pydantic"})


def test_the_scripted_agent_starts_light() -> None:
    assert loaded_after("import cortex_replay.scripted.player").isdisjoint({*HEAVY, "pydantic"})


def test_the_language_server_starts_lean() -> None:
    heavy = {*HEAVY, "matplotlib", "plotext", "rich"} - {"pygls", "sqlite3"}
    assert loaded_after("import cortex_lsp.server").isdisjoint(heavy)


def test_the_git_hook_starts_light() -> None:
    code = "import cortex.hook.running"
    assert loaded_after(code).isdisjoint({*HEAVY, "pydantic", "rich", "click", "yaml", "tomllib"})


def test_help_is_instant() -> None:
    times = []
    for _ in range(3):
        clock = time.monotonic()
        subprocess.run([sys.executable, "-m", "cortex.cli.main", "--help"], check=True)
        times.append(time.monotonic() - clock)
    assert min(times) < 0.6


def test_there_are_no_cycles(modules: dict[Path, ast.Module], root: Path) -> None:
    graph = {_name(path, root): _imports(tree) for path, tree in modules.items()}
    known = {name: _modules(found, set(graph)) for name, found in graph.items()}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join((*above, name))
        if name not in done:
            for other in known[name]:
                visit(other, (*above, name))
            done.add(name)

    for name in known:
        visit(name, ())


def _name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(tree: ast.Module) -> list[tuple[str, ...]]:
    """Return module-level imports as (module, name): those in functions break cycles on purpose."""
    found: list[tuple[str, ...]] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [(node.module, f"{node.module}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name,) for alias in node.names]
    return found


def _modules(imports: list[tuple[str, ...]], known: set[str]) -> set[str]:
    """Return the modules that are meant: the name itself when it is one, else where it stands."""
    meant = (next((one for one in reversed(names) if one in known), None) for names in imports)
    return {one for one in meant if one}
