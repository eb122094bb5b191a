"""Checks from contrasts: the smallest difference that another implementation would share."""

from collections.abc import Callable, Mapping

import pytest

from cortex.model.tasks import Check, FileCheck, PatternCheck
from cortex.tasks.derive import derive, escape
from cortex.tasks.describe import describe

Derived = Callable[..., tuple[Check, ...]]
Passes = Callable[[tuple[Check, ...], Mapping[str, str | None], Mapping[str, str | None]], bool]

BASE = """\
from datetime import datetime


class Order:
    def __init__(self, number):
        self.number = number
"""


def method(body: str, head: str = "") -> str:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    return f"{head}{BASE}\n    def place(self, items):\n{lines}"


def patterns(checks: tuple[Check, ...]) -> tuple[set[str], set[str]]:
    patterns = [check for check in checks if isinstance(check, PatternCheck)]
    absent = {check.pattern for check in patterns if not check.present}
    return absent, {check.pattern for check in patterns if check.present}


@pytest.mark.parametrize(
    ("attempt", "fix", "absent", "present"),
    [
        (
            "created = datetime.now()",
            "created = clock.now()",
            "datetime.now($$$)",
            "clock.now($$$)",
        ),
        (
            'raise ValueError("no items")',
            'raise ShopError("no items")',
            "raise ValueError($$$)",
            "raise ShopError($$$)",
        ),
        ("price = float(items[0])", "price = Decimal(items[0])", "float($$$)", "Decimal($$$)"),
        ('print("placed", items)', 'logger.info("placed")', "print($$$)", "logger.info($$$)"),
        ("return items == None", "return items is None", "$A == None", "$A is None"),
        ("return settings.RATE", "return config.RATE", "settings.RATE", "config.RATE"),
    ],
)
def test_python_contrasts(
    derived: Derived, attempt: str, fix: str, absent: str, present: str
) -> None:
    checks = derived("shop/orders.py", BASE, method(attempt), method(fix))
    assert patterns(checks) == ({absent}, {present})
    assert all(isinstance(check, PatternCheck) and check.language == "python" for check in checks)


@pytest.mark.parametrize(
    ("path", "attempt", "fix", "absent", "present"),
    [
        ("a.js", "console.log(x)", "log.debug(x)", "console.log($$$)", "log.debug($$$)"),
        ("a.tsx", 'fetch("/a")', 'api.get("/a")', "fetch($$$)", "api.get($$$)"),
        ("a.go", 'errors.New("x")', 'apperr.New("x")', "errors.New($$$)", "apperr.New($$$)"),
        ("a.rs", "load().unwrap();", 'load().expect("m");', "$X.unwrap($$$)", "$X.expect($$$)"),
        ("A.java", "new Date();", "Instant.now(clock);", "new Date($$$)", "Instant.now($$$)"),
        ("a.rb", "Time.now", "Time.current", "Time.now", "Time.current"),
        ("a.c", "strcpy(a, b);", "strlcpy(a, b, 2);", "strcpy($$$)", "strlcpy($$$)"),
    ],
)
def test_other_languages(
    derived: Derived, path: str, attempt: str, fix: str, absent: str, present: str
) -> None:
    frames = {
        "go": ("package m\n", "func work() error {{\n\treturn {}\n}}\n"),
        "rs": ("use m;\n", "fn work() {{\n    {}\n}}\n"),
        "java": ("// shop\n", "class A {{\n  void work() {{\n    {}\n  }}\n}}\n"),
        "rb": ("# shop\n", "def work\n  {}\nend\n"),
        "c": ("// shop\n", "void work(char *a, char *b) {{\n  {}\n}}\n"),
    }
    base, frame = frames.get(path.split(".")[1], ("", "function work(x) {{\n  {}\n}}\n"))
    checks = derived(path, base, base + frame.format(attempt), base + frame.format(fix))
    assert patterns(checks) == ({absent}, {present})


def test_a_check_holds_for_another_implementation(derived: Derived, passes: Passes) -> None:
    checks = derived(
        "shop/orders.py",
        BASE,
        method("created = datetime.now()\nreturn created"),
        method("created = clock.now()\nreturn created", "from shop import clock\n"),
    )
    base = {"shop/orders.py": BASE}
    other = "import shop.clock as clock\n" + BASE + "\ndef stamp():\n    return [clock.now(), 1]\n"
    assert passes(checks, base, {"shop/orders.py": other})
    wrong = BASE + "\ndef stamp(rows):\n    for row in rows:\n        row.at = datetime.now(UTC)\n"
    assert not passes(checks, base, {"shop/orders.py": wrong})


def test_local_names_are_generalised(derived: Derived) -> None:
    checks = derived(
        "shop/orders.py",
        BASE,
        method("conn = connect()\nconn.execute(items)"),
        method("conn = connect()\nconn.run_safely(items)"),
    )
    assert patterns(checks) == ({"$X.execute($$$)"}, {"$X.run_safely($$$)"})


def test_keyword_argument(derived: Derived) -> None:
    checks = derived(
        "shop/api.py", BASE, method("r = http.get(items)"), method("r = http.get(items, timeout=5)")
    )
    assert patterns(checks) == (set(), {r"\btimeout\s*=(?!=)"})
    assert describe(checks[0]) == "`timeout=` is added in shop/api.py"


def test_removal_alone_asks_for_some_work_too(derived: Derived) -> None:
    checks = derived("shop/a.py", BASE, method("print(items)\nreturn 1"), method("return 1"))
    assert patterns(checks) == ({"print($$$)"}, {r"\S"})


def test_the_words_decide_among_several_differences(derived: Derived) -> None:
    attempt = method("total = float(1)\nrows = load(items)\nreturn helper(total)")
    fix = method("total = Money(1)\nrows = fetch_all(items)\nreturn helper(total)")
    about_money = derived("a.py", BASE, attempt, fix, "use Money here, never float")
    about_rows = derived("a.py", BASE, attempt, fix, "please call fetch_all instead of load")
    assert patterns(about_money) == ({"float($$$)"}, {"Money($$$)"})
    assert patterns(about_rows) == ({"load($$$)"}, {"fetch_all($$$)"})


def test_a_second_difference_counts_when_the_words_name_it(derived: Derived) -> None:
    attempt = method('total = float(1)\nraise ValueError("x")')
    fix = method('total = Money(1)\nraise ShopError("x")')
    checks = derived("a.py", BASE, attempt, fix, "Money not float; ShopError, no ValueError")
    assert patterns(checks) == (
        {"float($$$)", "raise ValueError($$$)"},
        {"Money($$$)", "raise ShopError($$$)"},
    )


def test_string_contents_and_names_of_the_task_are_no_check() -> None:
    base = {"a.py": BASE}
    attempt = {"a.py": method('return "helo wrold"')}
    fix = {"a.py": method('return "hello world"')}
    assert derive(base, attempt, fix) == ()


def test_renaming_counts_when_the_words_name_it(derived: Derived) -> None:
    attempt, fix = method("total = 1\nreturn total"), method("total_cents = 1\nreturn total_cents")
    checks = derived("a.py", BASE, attempt, fix, "call it total_cents")
    assert any("total_cents" in pattern for pattern in patterns(checks)[1])


def test_configuration_falls_back_to_words(derived: Derived) -> None:
    checks = derived(
        "ci.yml", "jobs: 1\n", "jobs: 1\nimage: python:latest\n", "jobs: 1\nimage: python:3.11\n"
    )
    assert [describe(check) for check in checks] == [
        "no new `latest` in ci.yml",
        "`3.11` is added in ci.yml",
    ]


def test_prose_is_never_a_check() -> None:
    base = {"README.md": "# Shop\n"}
    assert derive(base, {"README.md": "# Shop\nFast.\n"}, {"README.md": "# Shop\nQuick.\n"}) == ()


def test_a_forgotten_changelog_entry(passes: Passes) -> None:
    base = {"a.py": "x = 1\n", "CHANGELOG.md": "# Changes\n"}
    attempt = {"a.py": "x = 2\n"}
    fix = {**attempt, "CHANGELOG.md": "# Changes\n- x is 2\n"}
    checks = derive(base, attempt, fix, "add a changelog entry")
    assert [describe(check) for check in checks] == ["something is added to CHANGELOG.md"]
    assert passes(checks, base, {**attempt, "CHANGELOG.md": "# Changes\n- other words\n"})


def test_forgotten_tests_may_have_another_name(passes: Passes) -> None:
    base = {"a.py": "x = 1\n"}
    attempt = {"a.py": "x = 2\n"}
    fix = {**attempt, "tests/test_a.py": "def test_x():\n    assert True\n"}
    checks = derive(base, attempt, fix, "where are the tests?")
    assert not passes(checks, base, attempt)
    assert passes(checks, base, {**attempt, "tests/unit/test_other.py": "def test_y(): ...\n"})


def test_a_file_that_should_not_have_been_made() -> None:
    checks = derive({"a.py": "x = 1\n"}, {"a.py": "x = 2\n", "NOTES.md": "n"}, {"a.py": "x = 2\n"})
    assert FileCheck("NOTES.md", exists=False) in checks


def test_a_new_file_that_the_prompt_does_not_name_may_get_another_name() -> None:
    fix = {"shop/[id]/load.py": "rows = fetch_all()\n"}
    attempt = {"shop/[id]/load.py": "rows = load_all()\n"}
    named = derive({}, attempt, fix, prompt="write load.py")[0]
    free = derive({}, attempt, fix, prompt="load the rows")[0]
    assert isinstance(named, PatternCheck)
    assert isinstance(free, PatternCheck)
    assert named.paths == ("shop/[id]/load.py",)
    assert free.paths == (f"{escape('shop/[id]')}/*.py",)


def test_no_contrast_gives_no_check() -> None:
    assert derive({"a.py": BASE}, {"a.py": method("pass")}, {"a.py": method("pass")}) == ()
    assert derive({}, {}, {}) == ()


def test_plain_types_are_not_forbidden_for_one_place(derived: Derived) -> None:
    frame = "package m\n\nfunc Get(id {}) error {{\n\treturn nil\n}}\n"
    checks = derived("a.go", "package m\n", frame.format("string"), frame.format("OrderID"))
    assert patterns(checks) == (set(), {r"\bOrderID\b"})
