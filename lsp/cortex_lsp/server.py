"""The server process: `cortex-lsp` over stdio. Wiring only."""

import asyncio
from typing import Any

from lsprotocol import types
from pydantic import ValidationError
from pygls.exceptions import JsonRpcException

from cortex.encoding import use_utf8_paths
from cortex.errors import CortexError
from cortex.presenting.titles import status_title
from cortex_lsp import markdown, sidebar
from cortex_lsp.actions import COMMANDS, act, code_actions
from cortex_lsp.payloads import Act
from cortex_lsp.session import CortexServer

POLL_S = 0.15
REFUSED = -32803
"""The protocol's code for a request that is well formed and could not be carried out."""

server = CortexServer()
_watching: set["asyncio.Task[None]"] = set()


@server.feature(types.INITIALIZED)
async def initialized(one: CortexServer, _: types.InitializedParams) -> None:
    """Follow the store for as long as the window is open."""
    one.main()
    task = asyncio.create_task(_watch(one))
    _watching.add(task)


async def _watch(one: CortexServer) -> None:
    while True:
        await asyncio.sleep(POLL_S)
        _follow(one)


def _follow(one: CortexServer) -> None:
    """Tell the editor when something changed."""
    if not one.poll():
        return
    capabilities = one.client_capabilities.workspace
    if capabilities and capabilities.code_lens and capabilities.code_lens.refresh_support:
        one.workspace_code_lens_refresh(None)
    one.protocol.notify("cortex/changed", {})


@server.feature(types.SHUTDOWN)
def shutdown(one: CortexServer, _: Any) -> None:
    """Stop following."""
    for task in _watching:
        task.cancel()
    one.close()


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def opened(one: CortexServer, params: types.DidOpenTextDocumentParams) -> None:
    """Diagnose what was opened."""
    one.publish(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def changed(one: CortexServer, params: types.DidChangeTextDocumentParams) -> None:
    """Diagnose what was typed."""
    one.publish(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
def closed(one: CortexServer, params: types.DidCloseTextDocumentParams) -> None:
    """Take the diagnostics of a closed document away."""
    uri = params.text_document.uri
    one.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
def code_lens(one: CortexServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Show the verdict of each artifact above it."""
    found = one.document(params.text_document.uri)
    if found is None:
        return []
    repository, path, text = found
    return [
        types.CodeLens(
            range=place.head,
            command=types.Command(
                title=f"Cortex: {status_title(status)}",
                command="cortex.showEvidence",
                arguments=[status.artifact.key],
            ),
        )
        for place, status in repository.artifact_statuses(path, text)
    ]


@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(one: CortexServer, params: types.HoverParams) -> types.Hover | None:
    """Show the tasks behind the verdict of the artifact under the cursor."""
    found = one.document(params.text_document.uri)
    if found is None:
        return None
    repository, path, text = found
    for place, status in repository.artifact_statuses(path, text):
        if place.start <= params.position.line < place.end:
            said = types.MarkupContent(types.MarkupKind.Markdown, markdown.hover(status))
            return types.Hover(said, place.range)
    return None


@server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
def actions(one: CortexServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Offer to prune, restore or measure."""
    found = one.document(params.text_document.uri)
    return list(code_actions(*found, params.range)) if found else []


def _command(name: str) -> None:
    @server.command(name)
    def run(one: CortexServer, *arguments: Any) -> str | None:
        subject = arguments[0] if arguments else ""
        try:
            said = _act(one, COMMANDS[name], str(subject))
        except CortexError as error:
            message = types.ShowMessageParams(types.MessageType.Error, f"Cortex: {error}")
            one.window_show_message(message)
            return None
        one.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"Cortex: {said}"))
        return said


for _name in COMMANDS:
    _command(_name)


@server.command("cortex.showEvidence")
def show_evidence(one: CortexServer, *arguments: Any) -> str | None:
    """Return, and show, what is known about an artifact, for editors without the extension."""
    repository = one.main()
    for row in sidebar.state(repository).harness:
        if arguments and row.key == arguments[0]:
            said = f"{row.name}: {row.title}. {row.reason}".strip()
            one.window_show_message(types.ShowMessageParams(types.MessageType.Info, said))
            return said
    return None


@server.feature("cortex/state")
def state(one: CortexServer, _: Any) -> dict[str, Any]:
    """Answer with what the sidebar shows."""
    return sidebar.state(one.main()).sent()


@server.feature("cortex/entry")
def entry(one: CortexServer, params: Any) -> dict[str, Any]:
    """Answer with one entry of the inbox."""
    repository = one.main()
    if repository is None:
        raise JsonRpcException("no repository is open", REFUSED)
    try:
        return sidebar.entry(repository.feed.context(), str(_field(params, "id"))).sent()
    except CortexError as error:
        raise JsonRpcException(str(error), REFUSED) from None


@server.feature("cortex/act")
def acted(one: CortexServer, params: Any) -> dict[str, Any]:
    """Carry out one action."""
    try:
        wanted = Act(action=_field(params, "action"), id=_field(params, "id"))
        return {"said": _act(one, wanted.action, wanted.id)}
    except ValidationError:
        raise JsonRpcException("cortex/act needs an action and an id", REFUSED) from None
    except CortexError as error:
        raise JsonRpcException(str(error), REFUSED) from None


def _act(one: CortexServer, action: str, subject: str) -> str:
    repository = one.main()
    if repository is None:
        raise JsonRpcException("no repository is open", REFUSED)
    with repository.feed.writing() as context:
        said = act(context, action, subject)
    _follow(one)
    return said


def _field(params: Any, name: str) -> Any:
    return params.get(name) if isinstance(params, dict) else getattr(params, name, None)


def run() -> None:
    """Serve on standard input and output until the client leaves."""
    use_utf8_paths()
    server.start_io()
