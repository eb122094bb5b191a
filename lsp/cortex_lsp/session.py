"""The repositories of an editor window, and what is published about its open documents."""

from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from cortex import __version__
from cortex.artifacts import harness
from cortex.commands.context import find_repository
from cortex.errors import CortexError
from cortex_lsp.diagnostics import diagnostics
from cortex_lsp.repository import Repository


class CortexServer(LanguageServer):
    """The server, with one `Repository` for each that has a document open or is a folder."""

    def __init__(self) -> None:
        super().__init__("cortex-lsp", __version__)
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
        return [Path(path) for path in map(to_fs_path, uris) if path]

    def at(self, folder: Path) -> Repository | None:
        """Return the repository around a folder; None outside of a repository."""
        if folder not in self._roots:
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
        file = to_fs_path(uri)
        if file is None or not file.endswith(".md"):
            return None
        folder = Path(file).parent
        repository = self.at(folder) if folder.is_dir() else self.main()
        path = repository.relative(Path(file)) if repository else None
        if repository is None or path is None or not harness.is_harness(path):
            return None
        try:
            return repository, path, self.workspace.get_text_document(uri).source
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
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(types.ShowMessageParams(kind, f"Cortex: {message}"))

    def close(self) -> None:
        """Let the stores go."""
        for repository in self._repositories.values():
            repository.feed.close()
        self._repositories.clear()
