"""Earlier candidates raise what the next one has to show."""

import sqlite3

from tests.integration.commands.conftest import Shell

DATABASE = "cortex.db"


def add_earlier(shop: Shell, count: int) -> None:
    """Let the repository have opened experiments on `count` other candidates, none of them kept."""
    with sqlite3.connect(shop.home / DATABASE) as db:
        candidate = db.execute(
            "SELECT id, repository, created_at, record FROM candidates"
        ).fetchone()
        for number in range(count):
            row = (f"cand-old-{number}", candidate[1], "buried", candidate[2], candidate[3])
            db.execute("INSERT INTO candidates VALUES (?, ?, ?, ?, ?)", row)
            db.execute(
                "INSERT INTO experiments VALUES (?, ?, '{}', '2026-01-01')",
                (f"exp-old-{number}", row[0]),
            )


def test_a_later_candidate_needs_more_and_its_verdict_says_what(shop: Shell, proposed: str) -> None:
    before = shop.json("status")["lifetime"]
    assert (before["tested"], before["kept"], before["next_e_value"]) == (0, 0, 20.0)
    add_earlier(shop, 6)
    verdict = shop.json("gate", proposed)["verdict"]
    level = verdict["lock"]["lifetime"]
    assert (level["number"], level["kept"], level["bound"]) == (7, 0, 0.2)
    assert verdict["ruling"] == "keep"
    assert verdict["e_value"] >= 1 / level["alpha"] > 20
    assert shop.run("verify").returncode == 0
    after = shop.json("status")["lifetime"]
    assert (after["tested"], after["kept"]) == (7, 1)
    assert "1 of 7 candidates" in shop.run("status").stdout
