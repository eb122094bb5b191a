from collections.abc import Callable

import pytest

from cortex.model.tasks import Task
from cortex.proposing import scoping

TREE = ("a/x.py", "a/b/y.py", "a/b/c/z.py", "d/w.py", "e/v.py", "f/u.py", "g/t.py", "top.py")


@pytest.mark.parametrize(
    ("evidence", "patterns"),
    [
        (["a/x.py"], ("a/**/*.py",)),
        (["a/b/y.py"], ("a/**/*.py",)),
        (["a/b/1.py", "a/b/2.py", "a/b/3.py"], ("a/b/**/*.py",)),
        (["a/b/1.py", "a/c/2.py", "a/3.py"], ("a/**/*.py",)),
        (["a/x.py", "d/w.py"], ("a/**/*.py", "d/**/*.py")),
        (["a/x.py", "d/w.py", "e/v.py", "f/u.py"], ("**/*.py",)),
        (["a/x.py", "top.py"], ("**/*.py",)),
        (["a/x.py", "a/style.css"], ("a/**/*.py",)),
        (["a/Makefile"], ("**/Makefile",)),
        (["gone/old.py"], ("**/*.py",)),
        (["/abs/x.py", "../up.py", "a/{b}.py", "a/x\n.py", ""], ()),
    ],
)
def test_scope(evidence: list[str], patterns: tuple[str, ...]) -> None:
    assert scoping.scope(evidence, TREE) == patterns


def test_files_without_the_code_do_not_widen_the_scope(make_task: Callable[..., Task]) -> None:
    task = make_task(
        1,
        attempt={"shop/a.py": "datetime.now()", "docs/x.md": "words"},
        corrected={"shop/a.py": "clock.now()", "CHANGES": None},
    )
    assert scoping.telling_paths([task], ["clock.now("]) == ("shop/a.py",)
    assert set(scoping.telling_paths([task], [])) == {"shop/a.py", "docs/x.md", "CHANGES"}
