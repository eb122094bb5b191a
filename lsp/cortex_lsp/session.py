"""The repositories of an editor window, and what is published about its open documents."""

import asyncio
import os
import stat
import threading
from concurrent.futures import CancelledError
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from lsprotocol import types
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer

from cortex import __version__
from cortex.artifacts import harness
from cortex.commands.context import find_repository
from cortex.errors import CortexError
from cortex_lsp.diagnostics import diagnostics
from cortex_lsp.framing import Frames
from cortex_lsp.locations import is_folder, local_path
from cortex_lsp.protocol import CortexProtocol
from cortex_lsp.repository import Repository

CHUNK = 65536
QUEUED = 8
"""Chunks of input that wait."""
KEPT = 1000
"""Folders and messages that are remembered; a client may name any number."""
MAX_FILE_BYTES = 2_000_000
"""Of a document that is not open, read from the disk."""


class CortexServer(LanguageServer):
    """The server, with one `Repository` for each that has a document open or is a folder."""

    protocol: CortexProtocol

    def __init__(self) -> None:
        super().__init__("cortex-lsp", __version__, protocol_cls=CortexProtocol)
        self._repositories: dict[Path, Repository] = {}
        self._roots: dict[Path, Path | None] = {}
        self._told: set[str] = set()

    def main(self) -> Repository | None:
        """Return the repository of the first folder of the window; None when it is none."""
        for folder in self.folders():
            repository = self.at(folder)
            if repository is not None:
                return repository
        return None

    def folders(self) -> list[Path]:
        """Return the folders of the window."""
        uris = [folder.uri for folder in (self.workspace.folders or {}).values()]
        uris = uris or ([self.workspace.root_uri] if self.workspace.root_uri else [])
        return [path for path in map(local_path, uris) if path]

    def at(self, folder: Path) -> Repository | None:
        """Return the repository around a folder; None outside of a repository."""
        if folder not in self._roots:
            if len(self._roots) >= KEPT:
                self._roots.clear()
            self._roots[folder] = find_repository(folder)
        root = self._roots[folder]
        if root is None:
            return None
        if root not in self._repositories:
            try:
                made = Repository(root)
            except CortexError as error:
                self.tell(str(error))
                return None
            made.refresh()
            if made.error is not None:
                self.tell(made.error)
            self._repositories[root] = made
        return self._repositories[root]

    def document(self, uri: str) -> tuple[Repository, str, str] | None:
        """Return repository, relative path and text of harness text; None for other documents."""
        file = local_path(uri)
        if file is None or file.suffix != ".md":
            return None
        repository = self.at(file.parent) if is_folder(file.parent) else self.main()
        path = repository.relative(file) if repository else None
        if repository is None or path is None or not harness.is_harness(path):
            return None
        text = self._text(uri, file)
        return None if text is None else (repository, path, text)

    def _text(self, uri: str, file: Path) -> str | None:
        """Return the text of an open document, or of its file; None for anything else."""
        if unquote(uri) in self.workspace.text_documents:
            return str(self.workspace.get_text_document(uri).source)
        try:
            details = file.stat()
            if not stat.S_ISREG(details.st_mode) or details.st_size > MAX_FILE_BYTES:
                return None
            return file.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def publish(self, uri: str) -> None:
        """Send the diagnostics of a document."""
        document = self.document(uri)
        if document is not None:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics(*document))
            )

    def poll(self) -> bool:
        """Look for changes of any repository; publish anew and return whether there were any."""
        changed = [repository for repository in self._repositories.values() if repository.refresh()]
        for repository in changed:
            if repository.error is not None:
                self.tell(repository.error)
        if changed:
            for uri in list(self.workspace.text_documents):
                self.publish(uri)
        return bool(changed)

    def tell(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Show a message, each one once."""
        if message not in self._told and len(self._told) < KEPT:
            self._told.add(message)
            self.window_show_message(types.ShowMessageParams(kind, f"Cortex: {message}"))

    def serve(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        """Answer messages until the client leaves or sends `exit`."""
        self.protocol.set_writer(StdoutWriter(stdout))
        try:
            asyncio.run(self._serve(stdin.fileno()))
        except BrokenPipeError:
            pass
        finally:
            self.close()

    async def _serve(self, source: int) -> None:
        frames, loop = Frames(), asyncio.get_running_loop()
        arrived: asyncio.Queue[bytes] = asyncio.Queue(QUEUED)
        threading.Thread(target=_read, args=(source, loop, arrived), daemon=True).start()
        while data := await arrived.get():
            for value in frames.feed(data):
                self.protocol.receive(value)
                await asyncio.sleep(0)

    def close(self) -> None:
        """Let the stores go."""
        for repository in self._repositories.values():
            repository.feed.close()
        self._repositories.clear()


def _read(source: int, loop: asyncio.AbstractEventLoop, arrived: "asyncio.Queue[bytes]") -> None:
    """Hand what arrives to the loop; empty bytes at the end."""
    data = b"-"
    while data:
        try:
            data = os.read(source, CHUNK)
        except OSError:
            data = b""
        try:
            asyncio.run_coroutine_threadsafe(arrived.put(data), loop).result()
        except (RuntimeError, CancelledError):
            return
