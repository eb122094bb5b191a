"""`python -m cortex.daemon`: the process that `cortex daemon start` leaves behind."""

import sys

from cortex.daemon.service import serve
from cortex.errors import CortexError

if __name__ == "__main__":
    try:
        serve()
    except CortexError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_code)
