"""Conventions and tasks for a small model: each rule is in words, each check looks at the code."""

from dataclasses import dataclass

from cortex.artifacts import harness
from cortex.digests import short_id
from cortex.model.artifacts import Artifact
from cortex.model.tasks import BaseTree, PatternCheck, Task

FILES = {
    "README.md": "# Shelf\n\nSmall modules below `src/`.\n",
    "src/__init__.py": "",
    "src/errors.py": (
        '"""Errors of the shop."""\n\n\nclass ShopError(Exception):\n    """Wrong arguments."""\n'
    ),
}
RULE = ".claude/rules/house.md"


@dataclass(frozen=True, slots=True)
class SmallTask:
    """One module to write."""

    name: str
    asks: str
    """What the module is to hold, after "with"."""
    head: str
    """How the line begins that shows that it does."""
    good: str
    """The whole file with the convention."""
    bad: str

    @property
    def path(self) -> str:
        """Where the module goes."""
        return f"src/{self.name}.py"

    @property
    def prompt(self) -> str:
        """What the agent is asked."""
        return f"Write {self.path} with {self.asks}."


@dataclass(frozen=True, slots=True)
class Convention:
    """A rule, what shows that it was followed, and tasks that it is about."""

    name: str
    rule: str
    pattern: str
    """Of a line that is there when the rule was followed."""
    unrelated: str
    """A rule that has nothing to do with the tasks."""
    tasks: tuple[SmallTask, ...]

    def artifact(self, *, related: bool = True) -> Artifact:
        """Return the rule, or the one that does not matter here."""
        return harness.from_text(RULE, f"{self.rule if related else self.unrelated}\n")

    def admissible(self, experiment: str, base: BaseTree) -> tuple[Task, ...]:
        """Return the tasks of an experiment with proofs for their admission."""
        return tuple(self._task(experiment, task, base) for task in self.tasks)

    def _task(self, experiment: str, task: SmallTask, base: BaseTree) -> Task:
        patterns = (task.head, self.pattern)
        return Task(
            id=short_id("task", "small-model", experiment, task.name),
            prompt=task.prompt,
            base=base,
            checks=tuple(PatternCheck(line, (task.path,), present=True) for line in patterns),
            paths=(task.path,),
            attempt={task.path: task.bad},
            corrected={task.path: task.good},
        )


def _logging(name: str, argument: str, does: str, words: str) -> SmallTask:
    head = f"def {name}({argument}):\n"
    return SmallTask(
        name,
        f"a function {name}({argument}) that {does}",
        rf"^def {name}\(",
        f"import logging\n\n\n{head}    logging.info({words})\n",
        f"{head}    print({words})\n",
    )


def _pathlib(name: str, does: str, good: str, bad: str) -> SmallTask:
    head = f"def {name}(path):\n"
    return SmallTask(
        name,
        f"a function {name}(path) that {does}",
        rf"^def {name}\(",
        f"from pathlib import Path\n\n\n{head}    return {good}\n",
        f"{head}    return {bad}\n",
    )


def _hints(name: str, arguments: tuple[str, ...], kind: str, does: str, body: str) -> SmallTask:
    plain = ", ".join(arguments)
    typed = ", ".join(f"{argument}: {kind}" for argument in arguments)
    return SmallTask(
        name,
        f"a function {name}({plain}) that {does}",
        rf"^def {name}\(",
        f"def {name}({typed}) -> float:\n    return {body}\n",
        f"def {name}({plain}):\n    return {body}\n",
    )


def _errors(name: str, argument: str, does: str, wrong: str, body: str) -> SmallTask:
    head = f"def {name}({argument}):\n    if {wrong}:\n"
    tail = f"    return {body}\n"
    return SmallTask(
        name,
        f"a function {name}({argument}) that {does}",
        rf"^def {name}\(",
        f'from src.errors import ShopError\n\n\n{head}        raise ShopError("wrong")\n{tail}',
        f'{head}        raise ValueError("wrong")\n{tail}',
    )


def _record(name: str, first: str, second: str) -> SmallTask:
    title = name.capitalize()
    head = f"class {title}:\n"
    fields = f"    {first}: float\n    {second}: float\n"
    init = f"    def __init__(self, {first}, {second}):\n"
    return SmallTask(
        name,
        f"a class {title} that has {first} and {second}",
        rf"^class {title}\b",
        f"from dataclasses import dataclass\n\n\n@dataclass\n{head}{fields}",
        f"{head}{init}        self.{first} = {first}\n        self.{second} = {second}\n",
    )


CONVENTIONS = (
    Convention(
        "pathlib",
        "Use pathlib.Path for files, never open() or os.path.",
        r"\bPath\(",
        "The subject of a commit begins with a verb.",
        (
            _pathlib(
                "load",
                "returns the text of a file",
                "Path(path).read_text()",
                "open(path).read()",
            ),
            _pathlib(
                "lines",
                "returns the number of lines of a file",
                "len(Path(path).read_text().splitlines())",
                "len(open(path).readlines())",
            ),
            _pathlib(
                "size",
                "returns the size of a file in bytes",
                "Path(path).stat().st_size",
                "len(open(path, 'rb').read())",
            ),
        ),
    ),
    Convention(
        "logging",
        "Never use print. Write `import logging` at the top of the module and report with "
        "logging.info.",
        r"\blogging\.info\(",
        "Words are spelled as in British English: colour, not color.",
        (
            _logging("greet", "name", "reports that a person was greeted", "name"),
            _logging("count", "items", "reports how many items there are", "len(items)"),
            _logging("ship", "order", "reports that an order was shipped", "order"),
        ),
    ),
    Convention(
        "type-hints",
        "Every function has type hints for all parameters and for its return value (`-> type`).",
        r"^def \w+\(\w+:.*\) *->",
        "Files below `docs/` are generated: do not change them.",
        (
            _hints(
                "area",
                ("width", "height"),
                "float",
                "returns the area of a rectangle",
                "width * height",
            ),
            _hints(
                "mean",
                ("values",),
                "list[float]",
                "returns the average of a list of numbers",
                "sum(values) / len(values)",
            ),
            _hints(
                "price",
                ("amount", "discount"),
                "float",
                "returns the price after a discount in percent",
                "amount * (1 - discount / 100)",
            ),
        ),
    ),
    Convention(
        "errors",
        "Raise ShopError for wrong arguments, never ValueError: "
        "`from src.errors import ShopError`.",
        r"^\s+raise ShopError\b",
        "Tests are in `tests/`, a file for each module.",
        (
            _errors(
                "root",
                "x",
                "returns the square root of a number and refuses negative numbers",
                "x < 0",
                "x**0.5",
            ),
            _errors(
                "pay",
                "amount",
                "returns an amount plus 20% tax and refuses negative amounts",
                "amount < 0",
                "amount * 1.2",
            ),
            _errors(
                "share",
                "part",
                "returns a number in percent and refuses numbers over 1",
                "part > 1",
                "part * 100",
            ),
        ),
    ),
    Convention(
        "dataclasses",
        "Records are dataclasses: use `@dataclass`, never write an `__init__` method.",
        r"^@dataclass\b",
        "Changes of the database are in `migrations/`, one file for each.",
        (
            _record("point", "x", "y"),
            _record("book", "title", "price"),
            _record("span", "start", "end"),
        ),
    ),
)
