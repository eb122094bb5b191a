"""The server process: `cortex-lsp` over stdio. Wiring only."""

import asyncio
import sys
from typing import Any

from lsprotocol import types
from pydantic import ValidationError
from pygls.exceptions import JsonRpcException

from cortex.encoding import use_utf8_paths
from cortex.errors import CortexError
from cortex.presenting.plain import one_line
from cortex.presenting.titles import status_title
from cortex_lsp import errors, markdown, sidebar
from cortex_lsp.actions import COMMANDS, act, code_actions
from cortex_lsp.payloads import Act
from cortex_lsp.session import CortexServer

POLL_S = 0.15
LENS_WIDTH = 160
"""Characters of a code lens."""
REFUSED = -32803
"""The protocol's code for a request that is well formed and could not be carried out."""

server = CortexServer()
_watching: set["asyncio.Task[None]"] = set()


@server.feature(types.INITIALIZED)
async def initialized(ls: CortexServer, _: types.InitializedParams) -> None:
    """Follow the store for as long as the window is open."""
    ls.main()
    if _watching:
        return
    task = asyncio.create_task(_watch(ls))
    _watching.add(task)


async def _watch(ls: CortexServer) -> None:
    while True:
        await asyncio.sleep(POLL_S)
        _follow(ls)


def _follow(ls: CortexServer) -> None:
    """Tell the editor when something changed."""
    if not ls.poll():
        return
    capabilities = ls.client_capabilities.workspace
    if capabilities and capabilities.code_lens and capabilities.code_lens.refresh_support:
        ls.workspace_code_lens_refresh(None)
    ls.protocol.notify("cortex/changed", {})


@server.feature(types.SHUTDOWN)
def shutdown(ls: CortexServer, _: Any) -> None:
    """Stop following."""
    for task in _watching:
        task.cancel()
    ls.close()


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(ls: CortexServer, params: types.DidOpenTextDocumentParams) -> None:
    """Diagnose what was opened."""
    ls.publish(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(ls: CortexServer, params: types.DidChangeTextDocumentParams) -> None:
    """Diagnose what was typed."""
    ls.publish(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def closed(ls: CortexServer, params: types.DidCloseTextDocumentParams) -> None:
    """Take the diagnostics of a closed document away."""
    uri = params.text_document.uri
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
def code_lens(ls: CortexServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Show the verdict of each artifact above it."""
    document = ls.document(params.text_document.uri)
    if document is None:
        return []
    repository, path, text = document
    return [
        types.CodeLens(
            range=place.head,
            command=types.Command(
                title=f"Cortex: {one_line(status_title(status), LENS_WIDTH)}",
                command="cortex.showEvidence",
                arguments=[status.artifact.key],
            ),
        )
        for place, status in repository.artifact_statuses(path, text)
    ]


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(ls: CortexServer, params: types.HoverParams) -> types.Hover | None:
    """Show the tasks behind the verdict of the artifact under the cursor."""
    document = ls.document(params.text_document.uri)
    if document is None:
        return None
    repository, path, text = document
    for place, status in repository.artifact_statuses(path, text):
        if place.start <= params.position.line < place.end:
            content = types.MarkupContent(types.MarkupKind.Markdown, markdown.hover(status))
            return types.Hover(content, place.range)
    return None


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def actions(ls: CortexServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Offer to prune, restore or measure."""
    document = ls.document(params.text_document.uri)
    return list(code_actions(*document, params.range)) if document else []


def _command(name: str) -> None:
    @server.command(name)
    def run(ls: CortexServer, *arguments: Any) -> str | None:
        subject = arguments[0] if arguments else ""
        try:
            result = _act(ls, COMMANDS[name], str(subject))
        except CortexError as error:
            message = types.ShowMessageParams(types.MessageType.Error, f"Cortex: {error}")
            ls.window_show_message(message)
            return None
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"Cortex: {result}"))
        return result


for _name in COMMANDS:
    _command(_name)


@server.command("cortex.showEvidence")
def show_evidence(ls: CortexServer, *arguments: Any) -> str | None:
    """Return, and show, what is known about an artifact, for editors without the extension."""
    repository = ls.main()
    for row in sidebar.state(repository).harness:
        if arguments and row.key == arguments[0]:
            evidence = f"{row.name}: {row.title}. {row.reason}".strip()
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, evidence))
            return evidence
    return None


@server.feature("cortex/state")
def state(ls: CortexServer, _: Any) -> dict[str, Any]:
    """Answer with what the sidebar shows."""
    return sidebar.state(ls.main()).sent()


@server.feature("cortex/entry")
def entry(ls: CortexServer, params: Any) -> dict[str, Any]:
    """Answer with an entry of the inbox."""
    repository = ls.main()
    if repository is None:
        raise JsonRpcException("no repository is open", REFUSED)
    try:
        return sidebar.entry(repository.feed.context(), str(_field(params, "id"))).sent()
    except CortexError as error:
        raise JsonRpcException(str(error), REFUSED) from None


@server.feature("cortex/act")
def acted(ls: CortexServer, params: Any) -> dict[str, Any]:
    """Run an action."""
    try:
        request = Act(action=_field(params, "action"), id=_field(params, "id"))
        return {"message": _act(ls, request.action, request.id)}
    except ValidationError:
        raise JsonRpcException("cortex/act needs an action and an id", REFUSED) from None
    except CortexError as error:
        raise JsonRpcException(str(error), REFUSED) from None


def _act(ls: CortexServer, action: str, subject: str) -> str:
    repository = ls.main()
    if repository is None:
        raise JsonRpcException("no repository is open", REFUSED)
    with repository.feed.writing() as context:
        result = act(context, action, subject)
    _follow(ls)
    return result


def _field(params: Any, name: str) -> Any:
    return params.get(name) if isinstance(params, dict) else getattr(params, name, None)


def run() -> None:
    """Serve on standard input and output until the client leaves."""
    use_utf8_paths()
    errors.log_in_lines()
    server.serve(sys.stdin.buffer, sys.stdout.buffer)
