import pytest
from benchmarks import crash


@pytest.mark.slow
def test_a_kill_at_any_moment_does_no_harm() -> None:
    assert crash.measure(10, 3)["faults"] == {}
