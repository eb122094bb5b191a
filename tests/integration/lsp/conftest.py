"""The server as a process, and a client that remembers what it is told."""

import ast
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, make_test_lsp_client
from tests.integration.tui.conftest import SampleRepository, empty, sample

__all__ = ["Editor", "edit", "empty", "sample"]


class Editor:
    """One window of an editor."""

    def __init__(self, client: LanguageClient, sample: SampleRepository) -> None:
        self.client, self.sample = client, sample
        self.changes = 0
        self.refreshed = 0

        @client.feature("cortex/changed")  # type: ignore[untyped-decorator]
        def changed(_: Any) -> None:
            self.changes += 1

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
        def refresh(_: Any) -> None:
            self.refreshed += 1

    def uri(self, path: str) -> str:
        return (self.sample.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> str:
        words = (self.sample.root / path).read_text() if text is None else text
        document = types.TextDocumentItem(self.uri(path), "markdown", 1, words)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return self.uri(path)

    def type(self, path: str, text: str, version: int = 2) -> None:
        document = types.VersionedTextDocumentIdentifier(version, self.uri(path))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def lenses(self, path: str) -> list[str]:
        identifier = types.TextDocumentIdentifier(self.uri(path))
        response = await self.client.text_document_code_lens_async(types.CodeLensParams(identifier))
        return [lens.command.title for lens in response or [] if lens.command]

    async def hover(self, path: str, line: int = 0) -> str:
        where = types.HoverParams(
            types.TextDocumentIdentifier(self.uri(path)), types.Position(line, 0)
        )
        response = await self.client.text_document_hover_async(where)
        if response is None:
            return ""
        assert isinstance(response.contents, types.MarkupContent)
        return response.contents.value

    async def actions(self, path: str, line: int = 0) -> dict[str, types.Command]:
        at = types.Range(types.Position(line, 0), types.Position(line, 0))
        context = types.CodeActionContext([])
        identifier = types.TextDocumentIdentifier(self.uri(path))
        response = await self.client.text_document_code_action_async(
            types.CodeActionParams(identifier, at, context)
        )
        return {lens.title: command_of(lens) for lens in response or []}

    async def execute(self, command: types.Command) -> Any:
        return await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, command.arguments)
        )

    async def ask(self, method: str, **params: Any) -> Any:
        send: Any = self.client.protocol.send_request_async
        return plain(await send(method, params))

    def codes(self, path: str) -> list[str]:
        return sorted(
            str(diagnostic.code) for diagnostic in self.client.diagnostics.get(self.uri(path), [])
        )

    def messages(self) -> list[str]:
        return [message.message for message in self.client.messages]

    async def until(self, what: Callable[[], Any], seconds: float = 10.0) -> None:
        for _ in range(int(seconds / 0.02)):
            if what():
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"not within {seconds} s; told: {self.messages()}")


def command_of(action: types.Command | types.CodeAction) -> types.Command:
    """Return what an action runs. The client library takes a code action for a command, with the
    inner command as text."""
    if isinstance(action, types.CodeAction):
        assert action.command is not None
        return action.command
    inner = ast.literal_eval(action.command)
    return types.Command(**inner)


def plain(value: Any) -> Any:
    """Return what pygls made objects of as dicts."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def edit(
    sample: SampleRepository, script: Callable[[Editor], Awaitable[None]], root: Path | None = None
) -> None:
    """Run a server for the repository, let `script` use it, and check that it exits by itself."""

    async def run() -> None:
        client = make_test_lsp_client()
        editor = Editor(client, sample)
        env = {**os.environ, "CORTEX_HOME": str(sample.home)}
        code = "from cortex_lsp.server import run; run()"
        await client.start_io(sys.executable, "-c", code, env=env)
        workspace = types.WorkspaceClientCapabilities(
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        )
        await client.initialize_session(
            types.InitializeParams(
                types.ClientCapabilities(workspace=workspace),
                root_uri=(root or sample.root).as_uri(),
            )
        )
        try:
            await script(editor)
        finally:
            await client.shutdown_session()
            await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(asyncio.wait_for(run(), 90))
