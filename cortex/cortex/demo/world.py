"""The demo's repository with its conventions, and the texts planted in it."""

from dataclasses import dataclass
from pathlib import Path

from cortex.git import git

MODULES = ("orders", "cart", "stock", "returns", "parcels", "visits")
BILLS = ("invoices", "refunds", "taxes", "fees", "tips")
ROUTES = ("search", "checkout", "login", "profile", "reviews")

_SHOP = '''"""{title} of the shop."""

from datetime import datetime

from shop import clock

SINCE = datetime(2020, 1, 1)


def describe(record: dict) -> str:
    """Return the record in one line."""
    return f"{{record['id']}} since {{SINCE:%Y}} ({{clock.ZONE}})"
'''
_BILL = '''"""{title} of the shop's books."""

from billing.money import Money

ZERO = Money(0)


def total(amounts: list[Money]) -> Money:
    """Return the sum."""
    return sum(amounts, ZERO)
'''
_ROUTE = '''"""The {title} route."""

from api.errors import ShopError

LIMIT = 100


def check_limit(size: int) -> int:
    """Return the size when it is allowed."""
    if size > LIMIT:
        raise ShopError("too many")
    return size
'''
FILES = {
    "README.md": "# Shop\n\n`shop/` keeps records, `billing/` money, `api/` answers requests.\n",
    "shop/__init__.py": "",
    "shop/clock.py": '"""Time in the shop\'s zone; tests stop it."""\n\n'
    'from datetime import UTC, datetime\n\nZONE = "UTC"\n\n\ndef now() -> datetime:\n'
    '    """Return the time."""\n    return datetime.now(UTC)\n',
    "billing/__init__.py": "",
    "billing/money.py": '"""Exact amounts."""\n\nfrom decimal import Decimal\n\n\n'
    "class Money(Decimal):\n"
    '    """An amount in the shop\'s currency."""\n\n    @classmethod\n'
    '    def parse(cls, text: str) -> "Money":\n        """Read an amount."""\n'
    "        return cls(text.strip())\n",
    "api/__init__.py": "",
    "api/errors.py": '"""Errors that routes answer with."""\n\n\nclass ShopError(Exception):\n'
    '    """A request that cannot be served."""\n',
    "docs/index.md": "# Handbook\n\nHow the shop works.\n",
    "docs/contact.md": "# Contact\n\nWrite to us.\n",
    **{f"shop/{name}.py": _SHOP.format(title=name.capitalize()) for name in MODULES},
    **{f"billing/{name}.py": _BILL.format(title=name.capitalize()) for name in BILLS},
    **{f"api/{name}.py": _ROUTE.format(title=name) for name in ROUTES},
}

HELPFUL = ".claude/rules/api-errors.md"
DEAD_WEIGHT = ".claude/rules/naming.md"
NEVER_USED = ".claude/rules/storefront.md"
HARNESS = {
    HELPFUL: '---\npaths: ["api/**/*.py"]\n---\nA request that cannot be served raises '
    "`ShopError`, with what is missing as its text. Nothing else is caught by the server.\n",
    DEAD_WEIGHT: '---\npaths: ["shop/**/*.py"]\n---\nName functions after what they return. Keep '
    "them short, with a docstring of one line.\n",
    NEVER_USED: '---\npaths: ["storefront/**/*.tsx"]\n---\nComponents take their texts from '
    "`messages.ts`.\n",
}
"""The first is written by the developer between the sessions, the others exist from the start."""

SUGGESTIONS = {
    "tidy-books": (
        "useless",
        '---\npaths: ["billing/**/*.py"]\n---\nWrite clean, readable code and think about edge '
        "cases before you start.\n",
    ),
    "simple-errors": (
        "harmful",
        '---\npaths: ["api/**/*.py"]\n---\nKeep errors simple: raise a plain ValueError for bad '
        "input, callers know how to handle it.\n",
    ),
}
"""Name -> (planted as, text): suggested rules."""


@dataclass(frozen=True, slots=True)
class DemoPaths:
    """The folders and files of a demo."""

    folder: Path

    @property
    def repository(self) -> Path:
        """The repository of the developer."""
        return self.folder / "shop"

    @property
    def home(self) -> Path:
        """Cortex's own folder."""
        return self.folder / "cortex-home"

    @property
    def sessions(self) -> Path:
        """The agent's own folder, with its transcripts."""
        return self.folder / "agent"

    @property
    def playbook(self) -> Path:
        """The behaviour of the scripted agent."""
        return self.folder / "playbook.json"


def build(world: DemoPaths, date: str) -> None:
    """Create the repository with a single commit, dated `date` (ISO 8601)."""
    for path, text in FILES.items():
        write(world.repository / path, text)
    for path in (DEAD_WEIGHT, NEVER_USED):
        write(world.repository / path, HARNESS[path])
    world.home.mkdir(parents=True, exist_ok=True)
    _git(world, date, "init", "--quiet", "--initial-branch", "main")
    commit(world, date, "Open the shop")


def commit(world: DemoPaths, date: str, subject: str) -> None:
    """Commit everything."""
    _git(world, date, "add", "--all")
    _git(world, date, "commit", "--quiet", "--allow-empty", "-m", subject)


def _git(world: DemoPaths, date: str, *arguments: str) -> None:
    """Run git as the developer, at a simulated time."""
    name, email = "Sam", "sam@shop.example"
    env = {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", name), ("EMAIL", email), ("DATE", date))
    }
    git(*arguments, cwd=world.repository, env=env)


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
