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
"""Explains a row of the table in which the gate differs from the oracle."""


def benchmarks(
    simulated: dict[str, Any], replayed: dict[str, Any], scenarios: Sequence[Scenario]
) -> str:
    """Return docs/benchmarks.md."""
    machine = simulated["machine"]
    promised = {scenario.name for scenario in scenarios if scenario.promise}
    return (
        "# Benchmarks\n\n"
        f"Commit `{simulated['commit'][:12]}`, {machine['cores']} cores, "
        f"{machine['memory_gb']} GB, Python {machine['python']}. Made by `make bench`.\n\n"
        "## The gate\n\n"
        f"Monte Carlo of the shipping gate and scheduler, {simulated['runs']} runs a scenario "
        "(`benchmarks/scenarios.py`), two pairs in parallel.\n\n"
        + _gate_rows([row for row in simulated["rows"] if row["scenario"] in promised])
        + "\n### Promises\n\n"
        + _promises(simulated["must"])
        + "\n### Other methods\n\n"
        "Share of the named ruling and mean trials. `published` is the procedure of the paper's "
        "lab, `fixed` ten pairs a task and an exact sign test, `oracle` knows the true rates.\n\n"
        + _compared(simulated["rows"], scenarios)
        + "\n"
        + SMALL_DROP
        + "### Held-out tasks of the paper's lab\n\n"
        "Rates of each published run and family (`benchmarks/data/holdout-scenarios.json`, made by "
        "`python -m benchmarks.holdout --write`), smoothed as (passes + 1/2) / (trials + 1); "
        "every other family includes family D as guarded tasks. A quarter of the runs.\n\n"
        + _gate_rows([row for row in simulated["rows"] if row["scenario"] not in promised])
        + "\n"
        + _outcomes(replayed)
    )


def surfaces(reports: Sequence[dict[str, Any]]) -> str:
    """Return docs/benchmarks-surfaces.md: the latencies of the surfaces."""
    machine = reports[0]["machine"]
    return (
        "# Benchmarks of the surfaces\n\n"
        f"Commit `{reports[0]['commit'][:12]}`, {machine['cores']} cores, "
        f"{machine['memory_gb']} GB, Python {machine['python']}. Made by `make bench`, or alone by "
        "`python -m benchmarks --surfaces`.\n\n"
        + _promises([figure for report in reports for figure in report["must"]])
    )


def with_outcomes(page: str, replayed: dict[str, Any]) -> str:
    """Return docs/benchmarks.md with its last section, the published outcomes, regenerated."""
    return page.split(OUTCOMES)[0].rstrip("\n") + "\n\n" + _outcomes(replayed)


def _outcomes(replayed: dict[str, Any]) -> str:
    return (
        f"{OUTCOMES}\n\nMeasured on commit `{replayed['commit'][:12]}`. "
        + summary(replayed)
        + "\nEach candidate, with the reason where verdicts differ: "
        "[reference-outcomes.md](reference-outcomes.md).\n"
    )


def _gate_rows(rows: Sequence[dict[str, Any]]) -> str:
    columns = ("scenario", *gate.RULINGS, "mean trials", "90% of runs within")
    return table(
        columns,
        [
            (row["scenario"], *(_share(row[ruling]) for ruling in gate.RULINGS), row["mean_trials"],
             row["p90_trials"])
            for row in rows
            if row["method"] == "cortex"
        ],
    )  # fmt: skip


def _promises(must: Sequence[dict[str, Any]]) -> str:
    return table(
        ("figure", "promise", "measured", "holds"),
        [
            (
                figure["id"],
                figure["what"],
                figure["measured"],
                "yes" if figure["holds"] else "**no**",
            )
            for figure in must
        ],
    )


def _compared(rows: Sequence[dict[str, Any]], scenarios: Sequence[Scenario]) -> str:
    names = ("cortex", *METHODS)
    cells = {(row["scenario"], row["method"]): row for row in rows}
    lines = []
    for scenario in scenarios:
        ruling = _expected_ruling(scenario, cells[scenario.name, "oracle"])
        method_rows = [cells[scenario.name, name] for name in names]
        figures = [f"{row[ruling]:.1%}, {row['mean_trials']:.0f}" for row in method_rows]
        lines.append((scenario.name, ruling, *figures))
    return table(("scenario", "ruling", *names), lines)


def _expected_ruling(scenario: Scenario, oracle: dict[str, Any]) -> str:
    """Return the ruling that a promise is about, else the oracle's most frequent ruling."""
    promise = scenario.promise
    promised = [*promise.at_least, *promise.at_most] if promise else []
    return promised[0] if promised else max(gate.RULINGS, key=lambda ruling: float(oracle[ruling]))


def summary(replayed: dict[str, Any]) -> str:
    """Return the counts of agreements and the cost of the decisions."""
    rows = replayed["rows"]
    counts = replay_reference.agreements(rows)
    keeps = [row for row in rows if (row["agreement"], row["modal"]) == ("agrees", "keep")]
    burials = [row for row in rows if (row["agreement"], row["modal"]) == ("agrees", "bury")]
    never_loaded = [row for row in burials if row["diagnosis"] == "never loaded"]
    used = sum(row["mean_trials"] for row in keeps)
    published = sum(row["published_trials"] for row in keeps)
    wrong = [row for row in rows if row["expected"] == "KILL" and row["rulings"].get("keep")]
    return (
        f"{len(rows)} candidates, {replayed['resamples']} orders each: the most frequent ruling "
        f"agrees with the recorded verdict for {counts['agrees']}, differs for "
        f"{counts['differs']}, and {counts['undecided']} are undecided on the published trials. "
        f"Of the candidates planted as harmful or placebo, {len(wrong)} are kept in some order. "
        f"The {len(keeps)} keeps that agree need {used:.0f} of {published} published trials. "
        f"Of the {len(burials)} burials that agree, {len(never_loaded)} are of text that never "
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
        + "\n### Reasons for differences\n\n"
        + "".join(
            f"- `{row['candidate']}` ({row['agreement']}): {row['explanation']}\n"
            for row in open_rows
        )
        + "\n### If a visible description counts as loaded\n\n"
        + table(
            ("skill", "recorded", "opened", "visible"),
            [_visible(row) for row in rows if _depends_on_loading(row)],
        )
        + "\n### The same text in both arms\n\n"
        + table(
            ("tasks of the sweep of", "tasks", "Cortex, by order", "trials"),
            [
                (f"`{row['sweep']}`", row["tasks"], replay_reference.shares(row["rulings"]),
                 f"{row['mean_trials']:.0f} of {row['published_trials']}")
                for row in replayed["same_text"]
            ],
        )
        + "\n### Removals\n\n"
        + table(
            ("text", "model", "recorded", "trials with it", "loaded in", "Cortex"),
            [_removal(row) for row in replayed["removals"]],
        )
    )  # fmt: skip


def _line(row: dict[str, Any]) -> tuple[Any, ...]:
    symbol = {"agrees": "=", "differs": "≠", "undecided": "open"}[row["agreement"]]
    used = f"{row['mean_trials']:.0f} of {row['published_trials']}"
    return (f"`{row['candidate']}`", f"{row['kind']}, {row['tier']}", row["planted"],
            row["recorded"], replay_reference.shares(row["rulings"]), symbol, used)  # fmt: skip


def _depends_on_loading(row: dict[str, Any]) -> bool:
    return row["rulings_if_visible"] not in (None, row["rulings"])


def _visible(row: dict[str, Any]) -> tuple[Any, ...]:
    rulings = (replay_reference.shares(row[name]) for name in ("rulings", "rulings_if_visible"))
    return (f"`{row['candidate']}`", row["recorded"], *rulings)


def _removal(row: dict[str, Any]) -> tuple[Any, ...]:
    counts = ["" if value is None else value for value in (row["trials_with"], row["loads"])]
    missing = "no trials" if row["trials_with"] is None else "outcomes per task not published"
    ruling = row["ruling"] or missing
    return (f"`{row['item']}`", row["model"], row["recorded"], *counts, ruling)


def replace_between(page: str, text: str) -> str:
    """Return the page with the generated part replaced; ValueError without both markers."""
    head, _ = page.split(START)
    _, tail = page.split(END)
    return f"{head}{START}\n\n{text}\n{END}{tail}"


def table(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> str:
    """Return a Markdown table."""
    lines = [columns, tuple("---" for _ in columns), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def _share(value: float) -> str:
    return f"{value:.1%}" if value else ""
