import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cortex.mining import mine
from cortex.mining.contrast import Contrasts
from cortex.model.sessions import Event
from cortex.transcripts.claude_code import Chunk, read
from cortex.transcripts.turns import assemble

SAMPLES = Path(__file__).parents[2] / "data" / "transcripts"
FILES = sorted(SAMPLES.glob("*.jsonl"))
NAMES = [path.name for path in FILES]
SAME_FOLDER = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def _use(chunk: Chunk) -> None:
    turns = assemble(event for _, event in chunk.events)
    if chunk.session is not None:
        mined = mine(chunk.session, turns, include_headless=True)
        contrasts = Contrasts(turns, mined)
        for correction in mined:
            contrasts.of(correction)


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(content: bytes) -> Path:
        path = tmp_path / "t.jsonl"
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize("name", NAMES)
def test_every_line_cut_at_a_random_byte(name: str, file: Callable[[bytes], Path]) -> None:
    lines = (SAMPLES / name).read_bytes().splitlines()
    for seed in range(15):
        rng = random.Random(seed)
        cut = [line[: rng.randrange(len(line) + 1)] for line in lines]
        some = [rng.choice(pair) for pair in zip(lines, cut, strict=True)]
        for version in (cut, some):
            _use(read(file(b"\n".join(version) + b"\n")))


@SAME_FOLDER
@given(st.data())
def test_arbitrary_damage(file: Callable[[bytes], Path], data: st.DataObject) -> None:
    content = bytearray((SAMPLES / data.draw(st.sampled_from(NAMES))).read_bytes())
    spots = st.tuples(st.integers(0, len(content) - 1), st.binary(max_size=4))
    for spot, noise in data.draw(st.lists(spots, max_size=40)):
        content[spot : spot + len(noise)] = noise
    _use(read(file(bytes(content))))


@SAME_FOLDER
@given(st.data())
def test_arbitrary_splits_read_the_same(file: Callable[[bytes], Path], data: st.DataObject) -> None:
    content = (SAMPLES / data.draw(st.sampled_from(NAMES))).read_bytes()
    sizes = data.draw(st.lists(st.integers(0, len(content)), max_size=8).map(sorted))
    events: list[tuple[str, Event]] = []
    skipped = offset = 0
    for size in [*sizes, len(content)]:
        chunk = read(file(content[:size]), offset)
        events += chunk.events
        skipped, offset = skipped + chunk.skipped, chunk.offset
    whole = read(file(content))
    assert (tuple(events), skipped, offset) == (whole.events, whole.skipped, whole.offset)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@SAME_FOLDER
@given(st.data())
def test_any_value_in_any_field(file: Callable[[bytes], Path], data: st.DataObject) -> None:
    lines = (SAMPLES / data.draw(st.sampled_from(NAMES))).read_bytes().splitlines()
    changed = [_with(json.loads(line), data.draw(_VALUES), data) for line in lines]
    _use(read(file(b"\n".join(json.dumps(each).encode() for each in changed) + b"\n")))


def _with(line: object, value: object, data: st.DataObject) -> object:
    """Replace what stands at a random place of `line`."""
    if not isinstance(line, dict | list) or not line or data.draw(st.integers(0, 3)) == 0:
        return value
    if isinstance(line, list):
        place = data.draw(st.integers(0, len(line) - 1))
        return [*line[:place], _with(line[place], value, data), *line[place + 1 :]]
    key = data.draw(st.sampled_from(sorted(line)))
    return {**line, key: _with(line[key], value, data)}
