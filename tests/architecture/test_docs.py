"""Links in the documentation resolve, and what is stated twice is the same."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from cortex import __version__

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"`((?:cortex|cortex_[a-z]+)(?:\.[a-z_]+)+)`")
EDITOR_COMMANDS = {"cortex.prune", "cortex.restore"}
"""Of the language server, spelled like modules."""
PINNED = re.compile(r"^[\w.-]+/[\w./-]+@(?:v\d+|release/v\d+|[0-9a-f]{40})$")


def markdown(tracked: dict[Path, str]) -> dict[Path, str]:
    return {path: text for path, text in tracked.items() if path.suffix == ".md"}


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


def broken_links(path: Path, text: str) -> list[str]:
    """Return the relative links of a page that lead to no file or no heading."""
    broken = []
    for target in (inline or html for inline, html in LINK.findall(FENCE.sub("", text))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        page = (path.parent / name).resolve() if name else path
        if not page.exists() or not _has_anchor(page, anchor):
            broken.append(target)
    return broken


def _has_anchor(page: Path, anchor: str) -> bool:
    return not anchor or page.suffix != ".md" or anchor in anchors(page.read_text("utf-8"))


def test_files_that_pages_name_exist(tracked: dict[Path, str], root: Path) -> None:
    """Such as the tests that hold the rules of the trust model."""
    named = {
        name
        for text in markdown(tracked).values()
        for name in re.findall(r"`((?:tests|vscode-extension/test)/[\w./-]+\.(?:py|ts))`", text)
    }
    assert len(named) > 20
    assert sorted(name for name in named if not (root / name).is_file()) == []


def test_relative_links_resolve(tracked: dict[Path, str], root: Path) -> None:
    pages = markdown(tracked)
    assert len(pages) > 10
    broken = {
        path.relative_to(root).as_posix(): links
        for path, text in pages.items()
        if (links := broken_links(path, text))
    }
    assert broken == {}


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    (tmp_path / "other.md").write_text("# Some heading\n", "utf-8")
    text = "[a](other.md#some-heading) [b](other.md#none) [c](gone.md) [d](https://x.example/y)"
    assert broken_links(page, text) == ["other.md#none", "gone.md"]


def test_modules_named_in_the_documentation_exist(tracked: dict[Path, str], root: Path) -> None:
    """A name may go on into a module: `cortex.config.LOOPBACK`."""
    folders = {path.name: path for path in root.glob("*/cortex*") if path.is_dir()}
    missing = {
        f"{path.name}: {name}"
        for path, text in markdown(tracked).items()
        if path.name != "CHANGELOG.md" and {"design", "vscode-extension"}.isdisjoint(path.parts)
        for name in set(MODULE.findall(text)) - EDITOR_COMMANDS
        if not _exists(folders, name)
    }
    assert missing == set()


def _exists(folders: dict[str, Path], name: str) -> bool:
    top, *rest = name.split(".")
    if top not in folders:
        return False
    for parts in (rest, rest[:-1]):
        path = folders[top].joinpath(*parts)
        if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
            return parts == rest or _defines(path, rest[-1])
    return False


def _defines(path: Path, name: str) -> bool:
    file = path.with_suffix(".py")
    text = (file if file.is_file() else path / "__init__.py").read_text("utf-8")
    return re.search(rf"^(?:def |class )?{re.escape(name)}\b", text, re.MULTILINE) is not None


def test_all_versions_are_the_same(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extension = json.loads((root / "vscode-extension" / "package.json").read_text("utf-8"))
    assert {project["version"], extension["version"]} == {__version__}


def test_decisions_have_one_file_each_with_their_date(root: Path) -> None:
    folder = root / "docs" / "design"
    index = (folder / "README.md").read_text("utf-8")
    decisions = sorted(folder.glob("[0-9]*.md"))
    assert len(decisions) > 10
    assert [path.name[:4] for path in decisions] == [f"{n + 1:04}" for n in range(len(decisions))]
    for path in decisions:
        text = path.read_text("utf-8")
        assert f"({path.name})" in index, path.name
        assert re.search(r"^- Date: \d{4}-\d\d-\d\d$", text, re.MULTILINE), path.name
        assert re.search(r"^- Status: (accepted|superseded by \[)", text, re.MULTILINE), path.name
        for section in ("Context", "Decision", "Consequences"):
            assert f"\n## {section}\n" in text, path.name


def test_the_guide_for_agents_is_short(root: Path) -> None:
    assert len((root / "AGENTS.md").read_text("utf-8").splitlines()) < 200


def test_targets_that_the_guides_name_exist(root: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    pages = (*root.glob("*.md"), *(root / "docs").glob("*.md"))
    named = {
        (page.name, target)
        for page in pages
        for target in re.findall(r"(?:`|^)make ([a-z]+)\b", page.read_text("utf-8"), re.MULTILINE)
    }
    assert {name for _, name in named} - targets == set()


@pytest.mark.parametrize("name", ["ci", "release"])
def test_workflows_pin_actions_and_grant_little(name: str, root: Path) -> None:
    text = (root / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert "secrets." not in text
    for job in workflow["jobs"].values():
        assert set(job.get("permissions", {}).items()) <= {("id-token", "write")}
        used = [step["uses"] for step in job["steps"] if "uses" in step]
        assert [action for action in used if not PINNED.match(action)] == []


def test_scripts_of_the_repository_are_valid_shell(root: Path) -> None:
    for script in (root / ".ci" / "run", root / ".ci" / "check-wheel", root / ".ci/editor/install"):
        subprocess.run(["bash", "-n", str(script)], check=True)
