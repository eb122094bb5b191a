"""`cortex privacy report`: what is kept, read from the rows."""

import json
import sqlite3
import stat
from pathlib import Path

from tests.integration.commands.conftest import Shell

from cortex.commands.context import DATABASE, Context
from cortex.commands.privacy import report
from cortex.config import BudgetConfig, Config, WriterConfig
from cortex_store import Store
from cortex_store.inventory import STRIDE, rows_with_text, texts

SECRET = "ghp_" + "a1B2c3D4e5" * 4


def plant(home: Path, text: str) -> None:
    """Put text into the first event, as an earlier version would have stored it."""
    with sqlite3.connect(home / DATABASE) as db:
        key, record = db.execute("SELECT key, record FROM events ORDER BY rowid").fetchone()
        changed = json.dumps({**json.loads(record), "text": text})
        db.execute("UPDATE events SET record = ? WHERE key = ?", (changed, key))


def test_what_is_kept_of_a_repository(shop: Shell) -> None:
    made = shop.json("privacy", "report")
    rows = {each["kind"]: each for each in made["counts"]}
    assert {each["folder"] for each in made["counts"]} == {str(shop.cwd)}
    with sqlite3.connect(shop.home / DATABASE) as db:
        for kind, table in (("sessions",) * 2, ("corrections",) * 2, ("tasks",) * 2):
            assert rows[kind]["rows"] == db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    assert rows["sessions"]["oldest"] < rows["sessions"]["newest"]
    assert rows["sessions"]["size"] > 10_000
    modes = {each["what"]: each["mode"] for each in made["places"]}
    assert modes["database"] == "600"
    database = next(each for each in made["places"] if each["what"] == "database")
    assert database["size"] == (shop.home / DATABASE).stat().st_size
    assert made["scan"] == {"rows": made["scan"]["of"], "of": made["scan"]["of"], "fields": 0}


def test_placeholders_and_secrets_of_an_earlier_version_are_counted(shop: Shell) -> None:
    plant(shop.home, f"[secret removed] and [secret removed], {SECRET}")
    made = shop.json("privacy", "report")
    assert made["secrets_removed"] == 2
    assert made["scan"]["fields"] == 1
    shown = shop.run("privacy", "report").stdout
    assert "2 secrets removed" in shown
    assert "find more in 1 text" in shown
    assert SECRET not in shown


def test_the_screen_is_one_screen_and_its_text_is_plain(shop: Shell) -> None:
    with sqlite3.connect(shop.home / DATABASE) as db:
        db.execute("UPDATE corrections SET cwd = ?", ("/home/sam/\x1b[31mevil",))
    shown = shop.run("privacy", "report")
    assert shown.returncode == 0, shown.stderr
    assert "\x1b" not in shown.stdout
    assert "\\x1b[31mevil" in shown.stdout
    assert shown.stdout.count("\n") < 30
    assert "cortex purge --session ID" in shown.stdout


def test_a_long_scan_stops_and_says_so(shop: Shell) -> None:
    with Store.open(shop.home / DATABASE, read_only=True) as store:
        made = report(Context(store, Config(), shop.home, shop.cwd), scan_s=-1.0)
    assert not made.scan.complete
    assert made.scan.rows == 0 < made.scan.of


def test_every_row_is_streamed_once(shop: Shell) -> None:
    with Store.open(shop.home / DATABASE, read_only=True) as store:
        rows = list(texts(store))
        assert len(rows) == rows_with_text(store) > STRIDE
        prompts = [text for row in rows for text in row if "shop/returns.py" in text]
        assert prompts


def test_what_leaves_the_machine(shop: Shell) -> None:
    with Store.memory() as store:

        def leaves(config: Config) -> str:
            return " ".join(report(Context(store, config, shop.home)).leaves)

        assert "only when you give --budget" in leaves(Config())
        capped = leaves(Config(budget=BudgetConfig(per_experiment_usd=5)))
        assert "may spend 5.00 USD" in capped
        assert "works offline" in capped
        assert "`anthropic`" in leaves(Config(writer=WriterConfig("anthropic")))


def test_an_empty_home_is_no_error_and_stays_empty(empty: Shell) -> None:
    shown = empty.run("privacy", "report")
    assert shown.returncode == 0, shown.stderr
    assert "Nothing is stored" in shown.stdout
    assert not empty.home.exists()


def test_a_folder_that_others_may_read_is_marked(shop: Shell) -> None:
    config = shop.home / "config.toml"
    config.chmod(0o644)
    assert stat.S_IMODE(config.stat().st_mode) == 0o644
    places = {each["what"]: each["others"] for each in shop.json("privacy", "report")["places"]}
    assert places["configuration"]
    assert not places["database"]
