"""Start-up stays lazy, layers stay layers, and there are no cycles."""

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cortex_store import Store

HEAVY = ("textual", "pygls", "anthropic", "watchdog", "detect_secrets", "ast_grep_py", "sqlite3")


def loaded_after(code: str) -> set[str]:
    """Return the top-level modules of a clean interpreter after `code`."""
    tail = "\nimport sys\nprint('\\n'.join(sorted({n.split('.')[0] for n in sys.modules})))"
    result = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split())


def test_help_loads_nothing_heavy() -> None:
    code = "from cortex.cli.main import main\nmain(['--help'])"
    assert loaded_after(code).isdisjoint({*HEAVY, "pydantic", "rich"})


@pytest.mark.parametrize("command", ["status", "tasks", "verdicts", "inbox"])
def test_lists_load_nothing_heavy(command: str, tmp_path: Path) -> None:
    """With a database that is up to date and a plain configuration file."""
    home, shop = tmp_path / "home", tmp_path / "shop"
    subprocess.run(["git", "init", "-q", str(shop)], check=True)
    Store.open(home / "cortex.db").close()
    (home / "config.toml").write_text("[agent]\nname = 'scripted'\n[trials]\nseed = 1\n")
    code = (
        f"import os\nos.environ['CORTEX_HOME'] = {str(home)!r}\nfrom cortex.cli.main import main\n"
        f"assert main([{command!r}, '-C', {str(shop)!r}]) == 0"
    )
    heavy = {*HEAVY, "cortex_replay", "pydantic", "pydantic_core", "sqlite_utils", "numpy"}
    assert loaded_after(code).isdisjoint(heavy - {"sqlite3"})


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
    """Imports in functions and under `TYPE_CHECKING` count: they only hide a cycle."""
    imports = {_name(path, root): _imports(tree) for path, tree in modules.items()}
    graph = {name: _targets(aliases, set(imports)) for name, aliases in imports.items()}
    assert cycle(graph) == ()


def test_a_lazy_and_a_type_checking_import_close_a_cycle() -> None:
    lazy = ast.parse("def use() -> None:\n    from package.b import value\n")
    typed = ast.parse("if TYPE_CHECKING:\n    import package.a\n")
    names = {"package.a", "package.b"}
    graph = {
        "package.a": _targets(_imports(lazy), names),
        "package.b": _targets(_imports(typed), names),
    }
    assert set(cycle(graph)) == names
    assert cycle({"package.a": {"package.b"}, "package.b": set()}) == ()


def cycle(graph: dict[str, set[str]]) -> tuple[str, ...]:
    """Return a path of modules from one to itself, or nothing when there is no cycle."""
    finished: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> tuple[str, ...]:
        if name in path:
            return (*path[path.index(name) :], name)
        if name not in finished:
            for target in sorted(graph[name]):
                if closed := visit(target, (*path, name)):
                    return closed
            finished.add(name)
        return ()

    return next(filter(None, (visit(name, ()) for name in graph)), ())


def _name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(tree: ast.Module) -> list[tuple[str, ...]]:
    """Return every import as the modules it can mean, the most specific last."""
    imports: list[tuple[str, ...]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            imports += [(node.module, f"{node.module}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Import):
            imports += [(alias.name,) for alias in node.names]
    return imports


def _targets(imports: list[tuple[str, ...]], modules: set[str]) -> set[str]:
    """Return the imported modules of the product: a submodule rather than its package."""
    meant = (next((n for n in reversed(names) if n in modules), None) for names in imports)
    return {name for name in meant if name}
