"""The language server as a process over stdio."""

import asyncio
import sys
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from cortex.artifacts import harness, ledger

PATH = ".claude/rules/clock.md"
TEXT = '---\npaths: ["src/**"]\n---\nUse clock.now().\n'


async def ask(root: Path) -> list[types.CodeLens] | None:
    client = LanguageClient("test", "1")
    await client.start_io(sys.executable, "-c", "from cortex_lsp.server import run; run()")
    await client.initialize_async(
        types.InitializeParams(types.ClientCapabilities(), root_uri=root.as_uri())
    )
    client.initialized(types.InitializedParams())
    uri = (root / PATH).as_uri()
    document = types.TextDocumentItem(uri, "markdown", 1, TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(document))
    identifier = types.TextDocumentIdentifier(uri)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(identifier))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return list(lenses) if lenses is not None else None


def test_the_editor_is_told_the_verdict(tmp_path: Path) -> None:
    artifact = harness.from_text(PATH, TEXT)
    line = {"path": PATH, "heading": None, "digest": artifact.digest}
    ledger.record(tmp_path, {**line, "verdict": "keep", "pairs": 4})
    lenses = asyncio.run(asyncio.wait_for(ask(tmp_path), 60))
    assert lenses is not None
    assert [lens.command.title for lens in lenses if lens.command] == ["Cortex: keep · 4 pairs"]
