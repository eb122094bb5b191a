"""Whole files in the answer of a model, in the forms that models write them."""

import pytest

from cortex_replay.messages.whole import Block, blocks

BODY = "x = 1\n"


@pytest.mark.parametrize(
    "answer",
    [
        "src/a.py\n```python\nx = 1\n```",
        "Here is the file.\n\n**src/a.py**\n\n```python\nx = 1\n```\nDone.",
        "### `src/a.py`:\n```\nx = 1\n```",
        "File: src/a.py\n```\nx = 1\n```",
        "This goes into `src/a.py`:\n\n```py\nx = 1\n```",
        "```python src/a.py\nx = 1\n```",
        "```src/a.py\nx = 1\n```",
        "```python title=src/a.py\nx = 1\n```",
        "```python\n# src/a.py\nx = 1\n```",
        "```python\nsrc/a.py\nx = 1\n```",
        "./src/a.py\n~~~~\nx = 1\n~~~~",
        "src/a.py\n```python\n# a.py\nx = 1\n```",
    ],
)
def test_a_path_is_found_where_models_put_it(answer: str) -> None:
    assert blocks(answer) == (Block("src/a.py", BODY),)


def test_several_files_and_a_fence_within_a_longer_one() -> None:
    answer = "a.md\n````md\n```py\nx\n```\n````\nb.py\n```py\ny\n```"
    assert blocks(answer) == (Block("a.md", "```py\nx\n```\n"), Block("b.py", "y\n"))


def test_the_file_that_the_prompt_names_needs_no_path() -> None:
    answer = "Sure:\n```python\nx = 1\n```\nRun it:\n```\npython\n```"
    assert blocks(answer) == ()
    assert blocks(answer, "src/a.py") == (Block("src/a.py", BODY),)


def test_a_block_with_its_path_wins_over_one_without() -> None:
    answer = "```\npip install x\n```\nsrc/a.py\n```\nx = 1\n```"
    assert blocks(answer, "src/a.py") == (Block("src/a.py", BODY),)


@pytest.mark.parametrize("answer", ["", "src/a.py", "src/a.py\n```python\nx = 1\n", "``` ```"])
def test_what_is_not_whole_is_left_out(answer: str) -> None:
    assert blocks(answer, "src/a.py") == ()
