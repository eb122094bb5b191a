"""Draw `docs/images/demo.svg`: what `cortex demo` prints, as a terminal shows it.

.venv/bin/python docs/picture.py
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

IMAGE = Path(__file__).parent / "images" / "demo.svg"
COLUMNS = 96


def main() -> None:
    """Run the demo and write the picture."""
    env = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    command = [sys.executable, "-m", "cortex.cli.main", "demo", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True)
        console.print("[bold]$ make demo[/bold]")
        console.print(Text.from_ansi(done.stdout.rstrip()))
        IMAGE.parent.mkdir(exist_ok=True)
        drawing = console.export_svg(title="cortex demo")
        # Fonts from elsewhere would be fetched by whoever looks at the picture.
        IMAGE.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawing, flags=re.DOTALL), "utf-8")


if __name__ == "__main__":
    main()
