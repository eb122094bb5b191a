"""`cortex verdicts show --plot`: in the terminal, and as files."""

import os
import struct
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell


@pytest.mark.parametrize("width", [60, 100])
def test_the_terminal_shows_twenty_lines_as_wide_as_it_is(
    shop: Shell, gated: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    plain = shop.run("verdicts", "show", gated).stdout
    done = shop.run("verdicts", "show", gated, "--plot")
    assert done.stdout.startswith(plain)
    drawn = done.stdout[len(plain) :].splitlines()
    assert len(drawn) <= 20
    assert "e-values about" in drawn[0]
    assert "\x1b[" not in done.stdout
    assert max(map(len, drawn)) == width
    (threshold,) = [line for line in drawn if line.lstrip().startswith("20┤")]
    assert threshold.count("-") > width / 2
    assert "1/α = 20" in drawn[-1]


def test_the_order_of_words_does_not_matter(shop: Shell, gated: str) -> None:
    drawn = shop.run("verdicts", "show", gated, "--plot").stdout
    assert shop.run("verdicts", "show", "--plot", gated).stdout == drawn
    assert "name a verdict or a candidate" in shop.refuses("verdicts", "show", "--plot", "a.SVG")
    assert "name a verdict or a candidate" in shop.refuses("verdicts", "show", "--plot")
    assert "name a verdict or a candidate" in shop.refuses("verdicts", "show")


def test_figures_are_written_over_what_was_there(shop: Shell, gated: str, tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<?xml"), ("b.PNG", b"\x89PNG")):
        file = tmp_path / name
        file.write_text("old", "utf-8")
        assert shop.run("verdicts", "show", gated, "--plot", str(file)).returncode == 0
        first = file.read_bytes()
        assert first.startswith(start)
        assert shop.run("verdicts", "show", gated, "--plot", str(file)).returncode == 0
        assert file.read_bytes() == first
    assert {file.name for file in tmp_path.iterdir()} >= {"a.svg", "b.PNG"}
    assert not list(tmp_path.glob(".*tmp"))
    width, height = struct.unpack(">II", (tmp_path / "b.PNG").read_bytes()[16:24])
    assert (width, height) == (1360, 920)


def test_a_figure_and_json_go_together(shop: Shell, gated: str, tmp_path: Path) -> None:
    shown = shop.json("verdicts", "show", gated, "--plot", str(tmp_path / "a.svg"))
    assert shown["trajectory"]
    assert (tmp_path / "a.svg").exists()


def test_figures_that_cannot_be_written_are_one_line(
    shop: Shell, gated: str, tmp_path: Path
) -> None:
    show = ("verdicts", "show", gated, "--plot")
    assert shop.refuses(*show, "a.gif").startswith("2 ")
    assert "ends with .svg or .png" in shop.refuses(*show, "a.gif")
    assert "its folder does not exist" in shop.refuses(*show, str(tmp_path / "none" / "a.svg"))
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    assert "cannot be written" in shop.refuses(*show, str(folder))
    assert list(folder.iterdir()) == []


def test_without_matplotlib_one_line_says_how_to_install_it(
    shop: Shell, gated: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')\n", "utf-8")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    message = shop.refuses("verdicts", "show", gated, "--plot", str(tmp_path / "a.svg"))
    assert message.startswith("3 ")
    assert "pip install 'cortex-harness[plot]'" in message
    assert shop.run("verdicts", "show", gated, "--plot").returncode == 0
