"""The recorded verdict beside the one of the shipping rule, and why they differ."""

import json
from collections.abc import Mapping
from functools import cache
from math import exp
from typing import Any

from benchmarks.reference.candidates import DATA, Candidate, removals
from benchmarks.reference.replay import POLICY, UNDECIDED, Replayed, Resample, specs_of
from cortex.judgement.state import GateState, gate_state

SAME = {
    "KEEP": "keep",
    "KILL": "bury",
    "RERUN": "undecided",
    "ACCEPT": "prune",
    "REJECT": "retain",
    "SKIPPED": "unused",
    "UNMEASURED": "unused",
}
"""Recorded verdict -> the ruling that says the same."""

ENOUGH = 1 / POLICY.alpha
ENOUGH_FUTILITY = 1 / POLICY.beta
ENOUGH_KEPT = 1 / POLICY.guard_alpha


def row(found: Replayed, if_visible: Replayed | None) -> dict[str, Any]:
    """Return everything about one candidate, as JSON."""
    candidate, judgement = found.candidate, found.typical.judgement
    agreed = agreement(found)
    return {
        "candidate": candidate.id,
        "kind": candidate.kind,
        "tier": candidate.tier,
        "direction": str(candidate.direction),
        "planted": candidate.planted,
        "expected": candidate.expected,
        "recorded": candidate.recorded,
        "rulings": rounded(found),
        "modal": found.modal,
        "diagnosis": judgement.diagnosis,
        "agreement": agreed,
        "mean_trials": round(found.mean_trials, 1),
        "published_trials": candidate.trials,
        "lab_trials": candidate.lab_trials,
        "e_value": _digits(judgement.e_value),
        "harm_e_value": _digits(judgement.harm_e_value),
        "futility_e_value": _digits(judgement.futility_e_value),
        "rulings_if_visible": rounded(if_visible) if if_visible else None,
        "explanation": "" if agreed == "agrees" else explain(found),
    }


def rounded(found: Replayed) -> dict[str, float]:
    """Return the share of resamples for each ruling."""
    return {ruling: round(share, 3) for ruling, share in found.shares.items()}


def agreement(found: Replayed) -> str:
    """Return `agrees`, `differs` or, where the published trials do not suffice, `undecided`."""
    if found.modal == SAME.get(found.candidate.recorded):
        return "agrees"
    return UNDECIDED if found.modal == UNDECIDED else "differs"


def removal_row(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return what can be said of a removal whose outcomes per task are not published.

    Text that loaded in no trial is unused whatever the outcomes were: the lab ran every task three
    times with it.
    """
    loads = recorded["fired_base"]
    return {
        "item": recorded["item"],
        "model": recorded["pass_model"],
        "recorded": recorded["verdict"],
        "trials_with": recorded["base_rollouts"],
        "loads": loads,
        "ruling": "unused" if loads == 0 else None,
    }


def removal_rows() -> list[dict[str, Any]]:
    """Return a row for each recorded removal."""
    return [removal_row(one) for one in removals()]


def explain(found: Replayed) -> str:
    """Return a line: what the lab's verdict rests on, what the gate lacks, and a note if any."""
    typical = found.typical
    said = [_basis(found.candidate), _ours(found.candidate, typical), _note(found.candidate.id)]
    return " ".join(one for one in said if one)


def _basis(candidate: Candidate) -> str:
    largest = max(candidate.sweeps, key=lambda sweep: sweep.reached)
    trials = largest.reached or sum(one.runs for one in largest.counts)
    said = f"{candidate.recorded} by the lab on net {largest.net:+d} passes of {trials} trials"
    said += " with the text"
    if candidate.scored not in (candidate.recorded, "CONFIRM"):
        said += f" (its scorer said {candidate.scored})"
    if candidate.lab_trials > candidate.trials:
        said += f"; {candidate.trials} of its {candidate.lab_trials} trials are published per task"
    return said + "."


def _ours(candidate: Candidate, typical: Resample) -> str:
    judgement = typical.judgement
    if typical.ruling != UNDECIDED:
        heard = sum(pair.with_ is not None for pair in typical.pairs)
        loads = f"loaded in {judgement.loaded} of {heard} trials"
        return f"Cortex: {typical.ruling}, {judgement.diagnosis or 'shown'}, {loads}."
    if judgement.e_value < ENOUGH:
        said = f"E⁺ is {_written(judgement.e_value)} of {ENOUGH:.0f} needed"
        if candidate.recorded != "KEEP":
            said += (
                f", harm {_written(judgement.harm_e_value)} of {ENOUGH:.0f}, "
                f"futility {_written(judgement.futility_e_value)} of {ENOUGH_FUTILITY:.0f}"
            )
        return said + "."
    state = gate_state(specs_of(candidate), typical.pairs, POLICY, candidate.direction)
    return f"The lift is shown (E⁺ {_written(judgement.e_value)}); {_unsafe(candidate, state)}."


def _unsafe(candidate: Candidate, state: GateState) -> str:
    guarded = state.guarded(candidate.direction)
    unclear = [one for one in guarded if not state.is_cleared(one, candidate.direction)]
    if unclear:
        named = ", ".join(_published(candidate, one.spec.id) for one in unclear)
        return f"not cleared: {named}"
    kept = _written(exp(state.log_no_mean_drop))
    return f"that guarded tasks do not drop on average is shown at {kept} of {ENOUGH_KEPT:.1f}"


def _published(candidate: Candidate, task: str) -> str:
    """Return `task 13 (6 of 6 without, 4 with)`."""
    mine = [one for sweep in candidate.sweeps for one in sweep.counts if one.task == task]
    runs, without, with_ = (
        sum(values) for values in zip(*((c.runs, c.without, c.with_) for c in mine), strict=True)
    )
    return f"task {task} ({without} of {runs} without, {with_} with)"


@cache
def _notes() -> dict[str, str]:
    notes: dict[str, str] = json.loads((DATA / "notes.json").read_text("utf-8"))
    return notes


def _note(name: str) -> str:
    return _notes().get(name, "")


def _digits(value: float) -> float:
    """Return three digits; whole numbers from 100 on."""
    return round(value) if value >= 100 else float(f"{value:.3g}")


def _written(value: float) -> str:
    return f"{_digits(value):,}"
