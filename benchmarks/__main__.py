"""Run every benchmark and write `docs/benchmarks.md` with the commit it measured.

python -m benchmarks [--runs N] [--reference | --surfaces]
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import daemon, gate, holdout, hook, lsp, pages, replay_reference, startup
from benchmarks.options import INTERRUPTED, Parser
from benchmarks.scenarios import SCENARIOS
from cortex.errors import CortexError, UsageError

DOCS = Path(__file__).parents[1] / "docs"
SEED = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Return 1 when a promised figure does not hold, 2 for invalid options."""
    try:
        options = _options(arguments)
        if options.surfaces:
            return _write_surfaces()
        exit_code = _write(options.runs, options.reference)
        return exit_code if options.reference else max(exit_code, _write_surfaces())
    except CortexError as error:
        sys.stderr.write(f"benchmarks: {error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("benchmarks: interrupted; no page was changed\n")
        return INTERRUPTED


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = Parser(prog="benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument(
        "--reference", action="store_true", help="only the published outcomes (a minute)"
    )
    parser.add_argument(
        "--surfaces", action="store_true", help="only hook, server, daemon and start-up"
    )
    options = parser.parse_args(arguments)
    if options.runs < 1:
        raise UsageError(f"--runs: must be at least 1, not {options.runs}")
    return options


def _write(runs: int, only_reference: bool) -> int:
    """Measure everything before writing, so that an interruption changes no page."""
    outcomes, figures = DOCS / "reference-outcomes.md", DOCS / "benchmarks.md"
    replayed = replay_reference.report(replay_reference.RESAMPLES, SEED)
    must = list(replayed["must"])
    if only_reference:
        text = pages.with_outcomes(figures.read_text("utf-8"), replayed)
    else:
        scenarios = (*SCENARIOS, *holdout.shipped())
        simulated = gate.report(scenarios, runs, SEED)
        must += simulated["must"]
        text = pages.benchmarks(simulated, replayed, scenarios)
    figures.write_text(text, "utf-8")
    outcomes_page = pages.replace_between(outcomes.read_text("utf-8"), pages.reference(replayed))
    outcomes.write_text(outcomes_page, "utf-8")
    return 0 if all(figure["holds"] for figure in must) else 1


def _write_surfaces() -> int:
    reports = [hook.report(), lsp.report(), daemon.report(200, 60.0), startup.report()]
    (DOCS / "benchmarks-surfaces.md").write_text(pages.surfaces(reports), "utf-8")
    return 0 if all(figure["holds"] for report in reports for figure in report["must"]) else 1


if __name__ == "__main__":
    sys.exit(main())
