"""What an agent needs is there: its program, certificates that variables name, the network."""

import os
import socket
import threading
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from tests.integration.replay_confinement.conftest import Play

from cortex.errors import MachineError
from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.inherited import inherited
from cortex_replay.agents.program_files import program_files
from cortex_replay.agents.running import run_agent
from cortex_replay.confinement import Confinement
from cortex_replay.processes import ProgramMissingError

pytestmark = pytest.mark.slow


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("on_path", [True, False])
def test_a_program_that_npm_installed_below_the_home_folder(
    job: AgentJob, home: Path, on_path: bool
) -> None:
    prefix = home / ".nvm" / "versions" / "node" / "v20"
    package = prefix / "lib" / "node_modules" / "@maker"
    (package / "binary").mkdir(parents=True)
    (package / "binary" / "data").write_text("data of the package\n")
    real = executable(package / "cli" / "cli.sh", f"#!/bin/sh\ncat {package}/binary/data\n")
    program = prefix / "bin" / "agent"
    program.parent.mkdir()
    program.symlink_to(real)
    env = inherited(os.environ) | {"HOME": str(job.home)}
    if on_path:
        env["PATH"] = f"{program.parent}:{env['PATH']}"
    readable = program_files(str(program), env)
    result = run_agent((str(program),), job, env, readable=readable)
    assert (result.stdout, result.returncode) == ("data of the package\n", 0)


def test_a_shim_finds_what_it_starts(job: AgentJob, home: Path) -> None:
    manager = home / ".asdf"
    executable(manager / "installs" / "agent" / "bin" / "agent", "#!/bin/sh\necho started\n")
    shim = executable(
        manager / "shims" / "agent", '#!/bin/sh\nexec "$ASDF_DATA_DIR/installs/agent/bin/agent"\n'
    )
    env = inherited(os.environ) | {"HOME": str(job.home)}
    result = run_agent((str(shim),), job, env, readable=program_files(str(shim), env))
    assert result.stdout == "started\n"


def test_the_home_folder_on_path_is_not_shown(job: AgentJob, home: Path) -> None:
    env = inherited(os.environ) | {"HOME": str(job.home)}
    env["PATH"] = f"{home}:{home.parent}:{env['PATH']}"
    script = f"cat {home}/.ssh/id_ed25519; true"
    result = run_agent(("bash", "-c", script), job, env, readable=(home, home.parent))
    assert "PLANTED" not in result.stdout


def test_scripts_of_the_repository_on_path_are_not_shown(job: AgentJob, tmp_path: Path) -> None:
    """They are those of the newest commit; a virtual environment there is one of programs."""
    repository = tmp_path / "shop"
    executable(repository / "bin" / "told", "#!/bin/sh\necho PLANTED\n")
    executable(repository / ".venv" / "bin" / "tool", "#!/bin/sh\necho tool\n")
    (repository / ".venv" / "pyvenv.cfg").write_text("")
    env = inherited(os.environ) | {"HOME": str(job.home)}
    env["PATH"] = f"{repository}/bin:{repository}/.venv/bin:{env['PATH']}"
    hidden = replace(job, confinement=Confinement(hidden=(str(repository),)))
    result = run_agent(("bash", "-c", "told; tool"), hidden, env)
    assert result.stdout == "tool\n"


def test_a_hidden_folder_within_the_system_is_empty(play: Play) -> None:
    """As a home folder below /opt, or a repository below /usr/local."""
    hidden = Confinement(hidden=("/usr/share",))
    assert play("ls -A /usr/share").stdout
    assert play("ls -A /usr/share", confinement=hidden).stdout == ""


def test_certificates_that_variables_name(job: AgentJob, home: Path) -> None:
    (home / "certs").mkdir()
    own = home / "certs" / "company.pem"
    own.write_text("certificate\n")
    (home / "certs" / "other").write_text("PLANTED")
    env = inherited(os.environ) | {"HOME": str(job.home), "NODE_EXTRA_CA_CERTS": str(own)}
    script = f'cat "$NODE_EXTRA_CA_CERTS"; cat {home}/certs/other; true'
    assert run_agent(("bash", "-c", script), job, env).stdout == "certificate\n"


def test_the_network_and_the_names_of_hosts(play: Play) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: server.accept(), daemon=True).start()
        port = server.getsockname()[1]
        code = f"import socket; socket.create_connection(('localhost', {port}), 5)"
        assert play(f'python3 -c "{code}" && cat /etc/hosts /etc/nsswitch.conf').returncode == 0


def test_a_program_that_is_not_there_is_named(job: AgentJob, home: Path) -> None:
    env = inherited(os.environ) | {"HOME": str(job.home)}
    program = executable(home / "agent", "#!/bin/sh\n")
    for name in ("no-such-agent", str(program)):
        with pytest.raises(ProgramMissingError, match="is not within reach of the sandbox"):
            run_agent((name,), job, env)


def test_a_sandbox_that_does_not_start_is_no_result_of_the_agent(job: AgentJob) -> None:
    gone = replace(job, home=job.home / "missing")
    with pytest.raises(MachineError, match="the sandbox does not start: bwrap: "):
        run_agent(("true",), gone, inherited(os.environ))


def test_a_start_costs_some_milliseconds(play: Play) -> None:
    def seconds(**changes: object) -> float:
        taken = []
        for _ in range(9):
            started = time.monotonic()
            play("true", **changes)
            taken.append(time.monotonic() - started)
        return median(taken)

    assert seconds() - seconds(confinement=None) < 0.1
