"""`python -m cortex.daemon`: the process that `cortex daemon start` leaves behind.

With `--service`, as a service manager starts it, it logs to the daemon's log, and ends without an
error when another daemon is running, so that it is not restarted repeatedly.
"""

import os
import sys

from cortex.config import home
from cortex.daemon import control, info
from cortex.daemon.service import log, serve
from cortex.errors import CortexError


def _as_service() -> None:
    file = control.prepare_log(home())
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for stream in (1, 2):
        os.dup2(handle, stream)
    os.close(handle)
    if info.is_held(home()):
        log(info.RUNNING)
    else:
        serve()


if __name__ == "__main__":
    try:
        _as_service() if sys.argv[1:] == ["--service"] else serve()
    except CortexError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
