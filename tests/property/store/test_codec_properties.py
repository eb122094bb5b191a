"""Every record survives the way into the store and back, whatever text is in it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cortex.model.artifacts import Artifact, Candidate
from cortex.model.corrections import Correction
from cortex.model.experiments import ExperimentLock, Policy
from cortex.model.sessions import (
    Called,
    Event,
    Interrupted,
    Loaded,
    Prompted,
    Returned,
    Said,
    Session,
    Speaker,
)
from cortex.model.tasks import ActionCheck, CommandCheck, FileCheck, PatternCheck, Task
from cortex.model.trials import Trial
from cortex.model.verdicts import Verdict
from cortex_store import Store, codec

TEXT = st.text(st.characters(), max_size=30)
"""With NUL and lone surrogates: transcripts hold both."""
st.register_type_strategy(str, TEXT)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
st.register_type_strategy(float, FLOATS)
CHECKS = st.one_of(
    st.builds(CommandCheck, kind=st.just("command")),
    st.builds(PatternCheck, kind=st.just("pattern")),
    st.builds(FileCheck, kind=st.just("file")),
    st.builds(ActionCheck, kind=st.just("action")),
)
RATES = st.floats(0.01, 0.99)
LOCKS = st.none() | st.builds(
    ExperimentLock,
    policy=st.builds(Policy, alpha=RATES, tau=RATES, max_pairs=st.integers(1, 900)),
)
RECORDS = st.one_of(
    st.builds(Session),
    st.builds(Correction),
    st.builds(Task, checks=st.lists(CHECKS, max_size=4).map(tuple)),
    st.builds(Artifact),
    st.builds(Candidate),
    st.builds(Trial),
    st.builds(Verdict, lock=LOCKS),
)
EVENTS = st.one_of(*map(st.builds, (Prompted, Called, Returned, Interrupted, Loaded, Said)))


@given(RECORDS)
@settings(max_examples=200, deadline=None)
def test_records_round_trip(record: object) -> None:
    text = codec.dump(record)
    assert text.isascii()
    assert codec.load(type(record), text) == record


@given(st.lists(EVENTS, max_size=5), st.integers(1, 1500))
@settings(max_examples=60, deadline=None)
def test_events_round_trip_through_the_store(events: list[Event], stretch: int) -> None:
    long = [Prompted("u", "t", "x\ud800\0" * stretch, Speaker.HUMAN, "/c")]
    with Store.memory() as store:
        store.sessions.add(Session("s", "claude-code", "p", "c"))
        keyed = [(str(number), event) for number, event in enumerate([*events, *long])]
        assert store.sessions.append("s", keyed) == len(keyed)
        assert store.sessions.append("s", keyed) == 0
        assert store.sessions.events("s") == (*events, *long)
