"""`cortex verdicts show`: words, numbers and pictures."""

from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell


@pytest.fixture
def gated(shop: Shell) -> str:
    candidate = shop.json("propose")["candidate"]["id"]
    shop.json("gate", candidate)
    return str(candidate)


def test_everything_a_person_asks_is_answered(shop: Shell, gated: str) -> None:
    said = shop.run("verdicts", "show", gated).stdout
    for part in ("keep  add", "It helps", "of 4 times with", "E⁺", "shows that it helps", "drops",
                 "held out: ", "What would change it: ", "One more wave: "):  # fmt: skip
        assert part in said
    found = shop.json("verdicts", "show", gated)
    assert found["outlook"]["undoing"]["pairs"] >= 1
    assert found["judgement"]["e_value"] == found["verdict"]["e_value"]
    assert found["path"][-1]["trials"] == found["verdict"]["trials"]


def test_the_path_is_drawn(shop: Shell, gated: str, tmp_path: Path) -> None:
    drawn = shop.run("verdicts", "show", gated, "--plot").stdout
    assert "evidence about" in drawn
    assert "\x1b[" not in drawn
    for name, start in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
        assert shop.run("verdicts", "show", gated, "--plot", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_bytes().startswith(start)


def test_pictures_that_cannot_be_written_are_one_line(
    shop: Shell, gated: str, tmp_path: Path
) -> None:
    assert "ends with .svg or .png" in shop.refuses("verdicts", "show", gated, "--plot", "a.gif")
    said = shop.refuses("verdicts", "show", gated, "--plot", str(tmp_path / "none" / "a.svg"))
    assert "does not exist" in said


def test_text_that_cannot_load_has_nothing_to_draw(shop: Shell) -> None:
    shop.json("prune", "storefront", "--yes")
    verdict = shop.json("verdicts")["verdicts"][-1]["verdict"]["id"]
    assert "unused  remove storefront" in shop.run("verdicts", "show", verdict).stdout
    assert "no pair to draw" in shop.refuses("verdicts", "show", verdict, "--plot")
