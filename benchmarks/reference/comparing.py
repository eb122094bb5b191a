"""Compares recorded verdicts with those of the shipping rule and explains differences."""

import json
from collections.abc import Mapping
from functools import cache
from math import exp
from typing import Any

from benchmarks.reference.candidates import DATA, Candidate, removals
from benchmarks.reference.replay import POLICY, UNDECIDED, Replayed, Resample, specs_of
from cortex.judgement.state import GateState, gate_state

EQUIVALENT = {
    "KEEP": "keep",
    "KILL": "bury",
    "RERUN": "undecided",
    "ACCEPT": "prune",
    "REJECT": "retain",
    "SKIPPED": "unused",
    "UNMEASURED": "unused",
}
"""Recorded verdict -> the equivalent ruling."""

LIFT_E = 1 / POLICY.alpha
FUTILITY_E = 1 / POLICY.beta
MEAN_DROP_E = 1 / POLICY.guard_alpha


def row(replayed: Replayed, if_visible: Replayed | None) -> dict[str, Any]:
    """Return everything about a candidate, as JSON."""
    candidate, judgement = replayed.candidate, replayed.typical.judgement
    agreement_word = agreement(replayed)
    return {
        "candidate": candidate.id,
        "kind": candidate.kind,
        "tier": candidate.tier,
        "direction": str(candidate.direction),
        "planted": candidate.planted,
        "expected": candidate.expected,
        "recorded": candidate.recorded,
        "rulings": rounded(replayed),
        "modal": replayed.modal,
        "diagnosis": judgement.diagnosis,
        "agreement": agreement_word,
        "mean_trials": round(replayed.mean_trials, 1),
        "published_trials": candidate.trials,
        "lab_trials": candidate.lab_trials,
        "e_value": _digits(judgement.e_value),
        "harm_e_value": _digits(judgement.harm_e_value),
        "futility_e_value": _digits(judgement.futility_e_value),
        "rulings_if_visible": rounded(if_visible) if if_visible else None,
        "explanation": "" if agreement_word == "agrees" else explain(replayed),
    }


def rounded(replayed: Replayed) -> dict[str, float]:
    """Return the share of resamples for each ruling."""
    return {ruling: round(share, 3) for ruling, share in replayed.shares.items()}


def agreement(replayed: Replayed) -> str:
    """Return `agrees`, `differs` or, where the published trials do not suffice, `undecided`."""
    if replayed.modal == EQUIVALENT.get(replayed.candidate.recorded):
        return "agrees"
    return UNDECIDED if replayed.modal == UNDECIDED else "differs"


def removal_row(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row for a removal whose outcomes per task are not published.

    Text that loaded in no trial is unused whatever the outcomes: the lab ran every task three times
    with it.
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
    return [removal_row(recorded) for recorded in removals()]


def explain(replayed: Replayed) -> str:
    """Return a line: the evidence of the lab's verdict, what the gate lacks, and a note if any."""
    candidate = replayed.candidate
    sentences = (
        _lab_evidence(candidate),
        _gate_evidence(candidate, replayed.typical),
        _note(candidate.id),
    )
    return " ".join(filter(None, sentences))


def _lab_evidence(candidate: Candidate) -> str:
    largest = max(candidate.sweeps, key=lambda sweep: sweep.reached)
    trials = largest.reached or sum(counts.runs for counts in largest.counts)
    sentence = f"{candidate.recorded} by the lab on net {largest.net:+d} passes of {trials} trials"
    sentence += " with the text"
    if candidate.scored not in (candidate.recorded, "CONFIRM"):
        sentence += f" (its scorer said {candidate.scored})"
    if candidate.lab_trials > candidate.trials:
        sentence += (
            f"; {candidate.trials} of its {candidate.lab_trials} trials are published per task"
        )
    return sentence + "."


def _gate_evidence(candidate: Candidate, typical: Resample) -> str:
    judgement = typical.judgement
    if typical.ruling != UNDECIDED:
        trials_with = sum(pair.with_ is not None for pair in typical.pairs)
        loads = f"loaded in {judgement.loaded} of {trials_with} trials"
        return f"Cortex: {typical.ruling}, {judgement.diagnosis or 'shown'}, {loads}."
    if judgement.e_value < LIFT_E:
        sentence = f"E⁺ is {_format(judgement.e_value)} of {LIFT_E:.0f} needed"
        if candidate.recorded != "KEEP":
            sentence += (
                f", harm {_format(judgement.harm_e_value)} of {LIFT_E:.0f}, "
                f"futility {_format(judgement.futility_e_value)} of {FUTILITY_E:.0f}"
            )
        return sentence + "."
    state = gate_state(specs_of(candidate), typical.pairs, POLICY, candidate.direction)
    return (
        f"The lift is shown (E⁺ {_format(judgement.e_value)}); {_guard_evidence(candidate, state)}."
    )


def _guard_evidence(candidate: Candidate, state: GateState) -> str:
    guarded = state.guarded(candidate.direction)
    uncleared = [counts for counts in guarded if not state.is_cleared(counts, candidate.direction)]
    if uncleared:
        tasks = ", ".join(_published(candidate, counts.spec.id) for counts in uncleared)
        return f"not cleared: {tasks}"
    e_value = _format(exp(state.log_no_mean_drop))
    return f"the evidence against a mean drop of guarded tasks is {e_value} of {MEAN_DROP_E:.1f}"


def _published(candidate: Candidate, task: str) -> str:
    """Return `task 13 (6 of 6 without, 4 with)`."""
    sweeps = [
        counts for sweep in candidate.sweeps for counts in sweep.counts if counts.task == task
    ]
    runs, without, with_ = (
        sum(values) for values in zip(*((c.runs, c.without, c.with_) for c in sweeps), strict=True)
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


def _format(value: float) -> str:
    return f"{_digits(value):,}"
