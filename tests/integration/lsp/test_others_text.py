"""Text of others is text in an editor: no link, no image, no HTML, no control character."""

import json

import pytest
from tests.integration.lsp.conftest import Editor, edit
from tests.integration.tui.conftest import SampleRepository

from cortex.digests import digest_text
from cortex_lsp.markdown import escape

REASON = (
    "![x](https://evil.example/a.png) [y](command:evil) <img src=x> https://evil.example "
    "www.evil.example me@evil.example \x1b[31m \u202e"
)
LIVE = ("![", "](", " <img", "https://", "www.evil", "me@evil", "\x1b", "\u202e")


@pytest.mark.parametrize("text", [REASON, "- item", "1. item", "# head", "a\n# head", "|x|"])
def test_markdown_is_escaped(text: str) -> None:
    escaped = escape(text)
    assert not [live for live in LIVE if live in escaped]
    assert not escaped.startswith(("-", "#", "1.", "|"))
    assert "\n" not in escaped


def test_plain_sentences_are_not_escaped() -> None:
    sentence = "It helps: 4 of 4 times, e-value 12. No task got worse."
    assert escape(sentence) == sentence


def test_a_ledger_of_others_is_text_in_lens_and_hover(sample: SampleRepository) -> None:
    path = ".claude/rules/plain.md"
    line = {
        "path": path, "heading": None, "verdict": "keep", "reason": REASON, "pairs": 4,
        "digest": digest_text((sample.root / path).read_text()), "lift": 1.0, "e_value": 45.0,
        "model": "m\x1b[31m](https://evil.example)", "date": "2026-01-02",
    }  # fmt: skip
    ledger = sample.root / ".cortex" / "verdicts.jsonl"
    ledger.parent.mkdir(exist_ok=True)
    ledger.write_text(json.dumps(line) + "\n")

    async def script(editor: Editor) -> None:
        editor.open(path)
        hover = await editor.hover(path)
        assert "evil" in hover
        assert not [live for live in LIVE if live in hover]
        assert "\x1b" not in (await editor.lenses(path))[0]

    edit(sample, script)
