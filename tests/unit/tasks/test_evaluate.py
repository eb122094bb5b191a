from cortex.model.sessions import Action, ActionKind, Called, Returned
from cortex.model.tasks import ActionCheck, FileCheck, PatternCheck
from cortex.tasks.evaluate import WorkResult, evaluate

OLD = "import time\nnow = time.time()\n\ndef f():\n    return now\n"


def absent(pattern: str, language: str | None = "python") -> PatternCheck:
    return PatternCheck(pattern, ("src/**",), present=False, language=language)


def on(text: str, base: str | None = OLD, path: str = "src/a.py") -> WorkResult:
    return WorkResult({path: base}, {path: text})


def test_only_added_lines_count() -> None:
    check = absent("time.time($$$)")
    assert evaluate(check, on(OLD + "\nx = 1\n")).passed
    result = evaluate(check, on(OLD + "\nx = time.time()\n"))
    assert not result.passed
    assert result.detail == "src/a.py:7: x = time.time()"


def test_indenting_or_moving_a_line_does_not_add_it() -> None:
    check = absent("time.time($$$)")
    assert evaluate(check, on("import time\nif True:\n    now = time.time()\n")).passed
    assert evaluate(
        check, on("import time\n\ndef f():\n    return now\nnow = time.time()\n")
    ).passed
    twice = "import time\nnow = time.time()\nnow = time.time()\n\ndef f():\n    return now\n"
    assert not evaluate(check, on(twice)).passed


def test_a_match_that_spans_lines_counts_where_one_is_new() -> None:
    text = OLD + "\nx = time.time(\n)\n"
    assert not evaluate(absent("time.time($$$)"), on(text)).passed


def test_other_paths_and_languages_are_not_looked_at() -> None:
    check = absent("time.time($$$)")
    assert evaluate(check, on("time.time()\n", None, "docs/a.py")).passed
    assert evaluate(check, on("time.time()\n", None, "src/a.md")).passed
    assert not evaluate(absent(r"time\.time", None), on("time.time()\n", None, "src/a.md")).passed


def test_a_pattern_of_a_family_reads_its_dialects() -> None:
    check = PatternCheck("console.log($$$)", ("**",), present=True, language="typescript")
    final = {"a.tsx": "const a = <b onClick={() => console.log(1)}/>\n"}
    assert evaluate(check, WorkResult({}, final)).passed


def test_what_cannot_be_evaluated_is_broken_and_not_passed() -> None:
    for check in (absent("(", None), absent("", "python"), absent("x", "klingon")):
        result = evaluate(check, on(OLD + "x = 1\n"))
        assert result.broken
        assert not result.passed


def test_deleted_and_binary_files_add_nothing() -> None:
    check = PatternCheck(r"\S", ("**",), present=True)
    assert not evaluate(check, WorkResult({"a": "x\n"}, {"a": None})).passed
    assert not evaluate(check, WorkResult({"a": None}, {"a": ""})).passed


def test_lines_are_counted_as_parsers_do() -> None:
    text = 'x = "\u2028\x0c"\r\ntime.time()\r\n'
    assert "src/a.py:2:" in evaluate(absent("time.time($$$)"), on(text, None)).detail


def test_files() -> None:
    there = WorkResult({}, {}, exists=lambda path: path == "a")
    assert evaluate(FileCheck("a", exists=True), there).passed
    assert not evaluate(FileCheck("a", exists=False), there).passed
    assert not evaluate(FileCheck("b", exists=True), there).passed


def ran(command: str, *, ok: bool = True, exit_code: int | None = 0) -> Action:
    call = Called("u", "", "c", "Bash", ActionKind.COMMAND, command=command)
    return Action(call, Returned("u", "", "c", ok=ok, exit_code=exit_code))


def wrote(path: str) -> Action:
    call = Called("u", "", "c", "Write", ActionKind.WRITE, path=path)
    return Action(call, Returned("u", "", "c", ok=True))


def holds(check: ActionCheck, *actions: Action) -> bool:
    return evaluate(check, WorkResult({}, {}, actions=actions)).passed


def test_must_run() -> None:
    check = ActionCheck(must_run=r"^ruff check")
    assert holds(check, ran("cd src && ruff check ."))
    assert holds(check, ran("ruff check .", ok=False, exit_code=1))
    assert not holds(check, ran("ruff check .", ok=False, exit_code=None))
    assert not holds(check, ran('echo "ruff check"'), ran("git commit -m 'ruff check'"))
    assert not holds(check)


def test_must_not_run_counts_attempts_that_were_refused() -> None:
    check = ActionCheck(must_not_run=r"^git push")
    assert holds(check, ran("git commit -m x"))
    assert not holds(check, ran("git push", ok=False, exit_code=None))


def test_before_a_command_and_before_any_write() -> None:
    lint_first = ActionCheck(must_run=r"^make lint", before=r"^git commit")
    assert holds(lint_first, ran("make lint && git commit -m x"))
    assert holds(lint_first, ran("make lint"))
    assert not holds(lint_first, ran("git commit -m x && make lint"))
    branch_first = ActionCheck(must_run=r"^git checkout -b", before="write")
    assert holds(branch_first, ran("git checkout -b x"), wrote("a"))
    assert not holds(branch_first, wrote("a"), ran("git checkout -b x"))


def test_commands_alone_are_enough() -> None:
    finished = WorkResult({}, {}, commands=("make lint",))
    assert evaluate(ActionCheck(must_run="make lint"), finished).passed
