"""Pages of figures as Markdown."""

from collections.abc import Sequence
from typing import Any

from benchmarks import gate, replay_reference
from benchmarks.methods import METHODS
from benchmarks.scenarios import Scenario

START, END = "<!-- made by `make bench` from here -->", "<!-- to here -->"
OUTCOMES = "## Published outcomes"
SMALL_DROP = (
    "In run R2 one task of family D passed 4 of 5 times with the evolved harness and 5 of 5 "
    "without. Taken as true rates that is a drop of a sixth: the oracle, which knows it, buries. "
    "The gate guards each task against drops of `task_tau` and their mean against τ, so it keeps "
    "text that helps that much elsewhere.\n\n"
)
"""Else the table reads as if the gate failed where it promises nothing."""


def benchmarks(
    found: dict[str, Any], replayed: dict[str, Any], scenarios: Sequence[Scenario]
) -> str:
    """Return docs/benchmarks.md."""
    machine = found["machine"]
    promised = {one.name for one in scenarios if one.must}
    return (
        "# Benchmarks\n\n"
        f"Commit `{found['commit'][:12]}`, {machine['cores']} cores, {machine['memory_gb']} GB, "
        f"Python {machine['python']}. Made by `make bench`.\n\n"
        "## The gate\n\n"
        f"Monte Carlo of the shipping gate and scheduler, {found['runs']} runs a scenario "
        "(`benchmarks/scenarios.py`), two pairs beside each other.\n\n"
        + _ours([row for row in found["rows"] if row["scenario"] in promised])
        + "\n### What is promised\n\n"
        + _promises(found["must"])
        + "\n### Beside other methods\n\n"
        "Share of the named ruling and mean trials. `published` is the procedure of the paper's "
        "lab, `fixed` ten pairs a task and an exact sign test, `oracle` knows the true rates.\n\n"
        + _compared(found["rows"], scenarios)
        + "\n"
        + SMALL_DROP
        + "### Held-out tasks of the paper's lab\n\n"
        "Rates of each published run and family (`benchmarks/data/holdout-scenarios.json`, made by "
        "`python -m benchmarks.holdout --write`), smoothed as (passes + 1/2) / (trials + 1); "
        "family D stands beside the others as guarded tasks. A quarter of the runs.\n\n"
        + _ours([row for row in found["rows"] if row["scenario"] not in promised])
        + "\n"
        + _outcomes(replayed)
    )


def surfaces(reports: Sequence[dict[str, Any]]) -> str:
    """Return docs/benchmarks-surfaces.md: what waiting for a surface costs."""
    machine = reports[0]["machine"]
    return (
        "# Benchmarks of the surfaces\n\n"
        f"Commit `{reports[0]['commit'][:12]}`, {machine['cores']} cores, "
        f"{machine['memory_gb']} GB, Python {machine['python']}. Made by `make bench`, or alone by "
        "`python -m benchmarks --surfaces`.\n\n"
        + _promises([one for report in reports for one in report["must"]])
    )


def with_outcomes(page: str, replayed: dict[str, Any]) -> str:
    """Return docs/benchmarks.md with its last section, the published outcomes, made anew."""
    return page.split(OUTCOMES)[0].rstrip("\n") + "\n\n" + _outcomes(replayed)


def _outcomes(replayed: dict[str, Any]) -> str:
    return (
        f"{OUTCOMES}\n\nMeasured on commit `{replayed['commit'][:12]}`. "
        + summary(replayed)
        + "\nEach candidate and why verdicts differ: "
        "[reference-outcomes.md](reference-outcomes.md).\n"
    )


def _ours(rows: Sequence[dict[str, Any]]) -> str:
    columns = ("scenario", *gate.RULINGS, "mean trials", "90% of runs within")
    return table(
        columns,
        [
            (row["scenario"], *(_share(row[one]) for one in gate.RULINGS), row["mean_trials"],
             row["p90_trials"])
            for row in rows
            if row["method"] == "cortex"
        ],
    )  # fmt: skip


def _promises(must: Sequence[dict[str, Any]]) -> str:
    return table(
        ("figure", "promise", "measured", "holds"),
        [(m["id"], m["what"], m["measured"], "yes" if m["holds"] else "**no**") for m in must],
    )


def _compared(rows: Sequence[dict[str, Any]], scenarios: Sequence[Scenario]) -> str:
    names = ("cortex", *METHODS)
    cells = {(row["scenario"], row["method"]): row for row in rows}
    lines = []
    for one in scenarios:
        ruling = _telling(one, cells[one.name, "oracle"])
        found = [cells[one.name, who] for who in names]
        said = [f"{row[ruling]:.1%}, {row['mean_trials']:.0f}" for row in found]
        lines.append((one.name, ruling, *said))
    return table(("scenario", "ruling", *names), lines)


def _telling(scenario: Scenario, oracle: dict[str, Any]) -> str:
    """Return the ruling that something is promised of, else the one that is right."""
    must = scenario.must
    named = [*must.at_least, *must.at_most] if must else []
    return named[0] if named else max(gate.RULINGS, key=lambda ruling: float(oracle[ruling]))


def summary(replayed: dict[str, Any]) -> str:
    """Return the counts of agreements and the cost of what was decided."""
    rows = replayed["rows"]
    counts = replay_reference.agreements(rows)
    kept = [row for row in rows if (row["agreement"], row["modal"]) == ("agrees", "keep")]
    buried = [row for row in rows if (row["agreement"], row["modal"]) == ("agrees", "bury")]
    silent = [row for row in buried if row["diagnosis"] == "never loaded"]
    used = sum(row["mean_trials"] for row in kept)
    published = sum(row["published_trials"] for row in kept)
    wrong = [row for row in rows if row["expected"] == "KILL" and row["rulings"].get("keep")]
    return (
        f"{len(rows)} candidates, {replayed['resamples']} orders each: the most frequent ruling "
        f"agrees with the recorded verdict for {counts['agrees']}, differs for "
        f"{counts['differs']}, and {counts['undecided']} stay undecided on the published trials. "
        f"Of those planted as harmful or as placebos {len(wrong)} are kept in some order. The "
        f"{len(kept)} keeps that agree need {used:.0f} trials together of {published} "
        f"published. Of the {len(buried)} burials that agree {len(silent)} rest on text that never "
        "loaded.\n"
    )


def reference(replayed: dict[str, Any]) -> str:
    """Return the generated part of docs/reference-outcomes.md."""
    rows = replayed["rows"]
    open_rows = [row for row in rows if row["agreement"] != "agrees"]
    machine = replayed["machine"]
    return (
        f"Commit `{replayed['commit'][:12]}`, Python {machine['python']}, seed "
        f"{replayed['seed']}.\n\n"
        + summary(replayed)
        + "\n### Side by side\n\n"
        + table(
            ("candidate", "text", "planted as", "recorded", "Cortex, by order", "", "trials"),
            [_line(row) for row in rows],
        )
        + "\n### Why they differ\n\n"
        + "".join(
            f"- `{row['candidate']}` ({row['agreement']}): {row['explanation']}\n"
            for row in open_rows
        )
        + "\n### If a visible description counted as loaded\n\n"
        + table(
            ("skill", "recorded", "opened", "visible"),
            [_visible(row) for row in rows if _hangs_on_loading(row)],
        )
        + "\n### The same text in both arms\n\n"
        + table(
            ("tasks of the sweep of", "tasks", "Cortex, by order", "trials"),
            [
                (f"`{one['sweep']}`", one["tasks"], replay_reference.shares(one["rulings"]),
                 f"{one['mean_trials']:.0f} of {one['published_trials']}")
                for one in replayed["same_text"]
            ],
        )
        + "\n### Removals\n\n"
        + table(
            ("text", "model", "recorded", "trials with it", "loaded in", "Cortex"),
            [_removal(one) for one in replayed["removals"]],
        )
    )  # fmt: skip


def _line(row: dict[str, Any]) -> tuple[Any, ...]:
    said = {"agrees": "=", "differs": "≠", "undecided": "open"}[row["agreement"]]
    used = f"{row['mean_trials']:.0f} of {row['published_trials']}"
    return (f"`{row['candidate']}`", f"{row['kind']}, {row['tier']}", row["planted"],
            row["recorded"], replay_reference.shares(row["rulings"]), said, used)  # fmt: skip


def _hangs_on_loading(row: dict[str, Any]) -> bool:
    return row["rulings_if_visible"] not in (None, row["rulings"])


def _visible(row: dict[str, Any]) -> tuple[Any, ...]:
    both = (replay_reference.shares(row[name]) for name in ("rulings", "rulings_if_visible"))
    return (f"`{row['candidate']}`", row["recorded"], *both)


def _removal(one: dict[str, Any]) -> tuple[Any, ...]:
    known = ["" if value is None else value for value in (one["trials_with"], one["loads"])]
    unknown = "no trials" if one["trials_with"] is None else "outcomes per task not published"
    ruling = one["ruling"] or unknown
    return (f"`{one['item']}`", one["model"], one["recorded"], *known, ruling)


def replace_between(page: str, text: str) -> str:
    """Return the page with the generated part exchanged; ValueError without both markers."""
    head, _ = page.split(START)
    _, tail = page.split(END)
    return f"{head}{START}\n\n{text}\n{END}{tail}"


def table(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> str:
    """Return a table."""
    lines = [columns, tuple("---" for _ in columns), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def _share(value: float) -> str:
    return f"{value:.1%}" if value else ""
