"""The server process: `cortex-lsp` over stdio."""

from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from cortex import __version__
from cortex_lsp.lenses import lenses

server = LanguageServer("cortex-lsp", __version__)


@server.feature(types.TEXT_DOCUMENT_CODE_LENS)
def code_lens(
    language_server: LanguageServer, params: types.CodeLensParams
) -> list[types.CodeLens]:
    """Show the verdict of each artifact of a harness file."""
    uri = params.text_document.uri
    root, file = language_server.workspace.root_path, to_fs_path(uri)
    if root is None or file is None or not Path(file).is_relative_to(root):
        return []
    text = language_server.workspace.get_text_document(uri).source
    relative = Path(file).relative_to(root).as_posix()
    return [
        types.CodeLens(
            range=types.Range(types.Position(lens.line, 0), types.Position(lens.line, 0)),
            command=types.Command(title=lens.title, command=""),
        )
        for lens in lenses(Path(root), relative, text)
    ]


def run() -> None:
    """Serve on standard input and output until the client leaves."""
    server.start_io()
