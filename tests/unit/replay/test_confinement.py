import pickle

import pytest

from cortex.errors import MachineError
from cortex_replay import confinement
from cortex_replay.confinement import Confinement, Limits, NotConfinedError


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "bubblewrap", lambda: None)


def test_it_is_a_value_that_other_processes_can_get() -> None:
    value = Confinement("docker", "agents:1", hidden=("/shop",), limits=Limits(processes=9))
    assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.usefixtures("no_bubblewrap")
def test_without_a_sandbox_the_person_decides() -> None:
    with pytest.raises(NotConfinedError, match=r"every file of your account.*cortex trust --tri"):
        Confinement().require()
    assert Confinement(accepted=True).require() == "none"


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_sandbox_that_was_chosen_is_never_replaced_by_none() -> None:
    with pytest.raises(MachineError, match="bubblewrap does not work here"):
        Confinement("bubblewrap", accepted=True).require()


def test_none_can_be_chosen_and_is_accepted_on_its_own() -> None:
    with pytest.raises(NotConfinedError):
        Confinement("none").require()
    assert Confinement("none", accepted=True).require() == "none"


def test_the_limit_of_memory_fits_the_machine() -> None:
    assert Limits(memory=1 << 20).memory_here() == 1 << 20
    assert Limits(memory=1 << 60).memory_here() < 1 << 50
