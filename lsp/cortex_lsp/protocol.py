"""The protocol as this server speaks it: every message is checked before pygls handles it.

A message that is wrong gets an error response, or is passed over when it is a notification; it
never raises within pygls, and never ends the server.
"""

import re
from typing import Any
from urllib.parse import unquote

from cattrs.errors import BaseValidationError
from lsprotocol import types
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)
from pygls.uris import from_fs_path, to_fs_path

from cortex_lsp.framing import Malformed

MAX_DEPTH = 64
MAX_ID = 2**53
MAX_URI = 10_000
_URIS = frozenset({"uri", "rootUri", "baseUri", "newUri", "oldUri", "scopeUri", "targetUri"})
_WRONG = (BaseValidationError, TypeError, ValueError, LookupError, AttributeError, RecursionError)
"""What cattrs raises for parameters that do not fit."""
_NOTEBOOKS = (
    types.DidOpenNotebookDocumentNotification,
    types.DidChangeNotebookDocumentNotification,
    types.DidCloseNotebookDocumentNotification,
)
_SURROGATES = re.compile("[\ud800-\udfff]")
Id = str | int | None


class WrongMessageError(Exception):
    """A message that cannot be handled: a JSON-RPC error code and a sentence."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class CortexProtocol(LanguageServerProtocol):
    """Checks messages, then does what pygls does."""

    def receive(self, value: Any | Malformed) -> None:
        """Handle what was read: a JSON value, or bytes that were none."""
        identifier = _id(value)
        try:
            self._handle(value)
        except WrongMessageError as wrong:
            if identifier is not None or _needs_no_id(value):
                self._refuse(identifier, wrong)

    def _handle(self, value: Any | Malformed) -> None:
        if isinstance(value, Malformed):
            raise WrongMessageError(types.ErrorCodes.ParseError, value.reason)
        _check_envelope(value)
        _check_values(value)
        method = value.get("method")
        if method is not None:
            self._check_order(method)
        try:
            message = self.structure_checked(value)
        except _WRONG:
            raise WrongMessageError(
                types.ErrorCodes.InvalidParams, "the parameters are not valid"
            ) from None
        if message is not None:
            self.handle_message(message)

    def structure_checked(self, value: dict[str, Any]) -> Any:
        """Return a message as pygls handles it; None for one that changes nothing.

        Raises what cattrs raises.
        """
        value = {"params": None, **value} if "method" in value else value
        if "method" not in value and value["id"] not in self._request_futures:
            return None
        message = self._structured(value)
        if isinstance(message, types.DidChangeTextDocumentNotification):
            uri = unquote(message.params.text_document.uri)
            return message if uri in self.workspace.text_documents else None
        if isinstance(message, types.CancelNotification):
            _check_key(message.params.id)
        if isinstance(message, types.WorkDoneProgressCancelNotification):
            _check_key(message.params.token)
        return None if isinstance(message, _NOTEBOOKS) else message

    def _structured(self, value: dict[str, Any]) -> Any:
        structure, identified = self._converter.structure, "id" in value
        if "method" in value:
            plain = JsonRPCRequestMessage if identified else JsonRPCNotification
            return structure(value, self.get_message_type(value["method"]) or plain)
        if "error" in value:
            return structure(value, types.ResponseErrorMessage)
        return structure(value, self._result_types.pop(value["id"], None) or JsonRPCResponseMessage)

    def _check_order(self, method: str) -> None:
        """Raise for requests before `initialize`, and for a second one."""
        if method in (types.EXIT, types.CANCEL_REQUEST):
            return
        ready = self._workspace is not None
        if method == types.INITIALIZE:
            if ready:
                raise WrongMessageError(types.ErrorCodes.InvalidRequest, "already initialized")
        elif not ready:
            raise WrongMessageError(types.ErrorCodes.ServerNotInitialized, "not initialized yet")
        elif self._shutdown:
            raise WrongMessageError(types.ErrorCodes.InvalidRequest, "the server is shut down")

    def _refuse(self, identifier: Id, wrong: WrongMessageError) -> None:
        error = {"code": int(wrong.code), "message": wrong.reason}
        self._send_data({"jsonrpc": self.VERSION, "id": identifier, "error": error})


def _id(value: Any) -> Id:
    """Return the id to answer to; None without a valid one."""
    identifier = value.get("id") if isinstance(value, dict) else None
    if isinstance(identifier, bool) or not isinstance(identifier, str | int):
        return None
    if isinstance(identifier, int):
        return identifier if abs(identifier) <= MAX_ID else None
    return identifier if len(identifier) <= MAX_URI else None


def _needs_no_id(value: Any) -> bool:
    """Whether an error is answered although its message has no valid id."""
    return not isinstance(value, dict) or "id" in value or "method" not in value


def _check_envelope(value: Any) -> None:
    """Raise for what is not a request, notification or response of JSON-RPC 2.0."""
    invalid = types.ErrorCodes.InvalidRequest
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise WrongMessageError(invalid, "a message is not JSON-RPC 2.0")
    if "id" in value and _id(value) is None:
        raise WrongMessageError(invalid, "an id is neither a number nor a string")
    if "method" in value and not isinstance(value["method"], str):
        raise WrongMessageError(invalid, "a method is not a string")
    if "method" not in value and ("id" not in value or not {"result", "error"} & value.keys()):
        raise WrongMessageError(invalid, "a message is neither request nor response")


def _check_values(value: dict[str, Any]) -> None:
    """Raise for values that are too deep and URIs that are none; replace lone surrogates."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for container in level:
            items = container.items() if isinstance(container, dict) else enumerate(container)
            for key, item in list(items):
                if isinstance(item, dict | list):
                    below.append(item)
                elif isinstance(item, str):
                    container[key] = _SURROGATES.sub("\ufffd", item)
                    _check_uri(key, container[key])
        if not below:
            return
        level = below
    raise WrongMessageError(types.ErrorCodes.InvalidRequest, "a message is nested too deeply")


def _check_key(value: object) -> None:
    """Raise TypeError for what is no id or token: cattrs lets everything pass."""
    if not isinstance(value, str | int):
        raise TypeError(value)


def _check_uri(key: Any, text: str) -> None:
    if key != "rootPath" and key not in _URIS:
        return
    try:
        path = from_fs_path(text) if key == "rootPath" else to_fs_path(text)
        wrong = len(text) > MAX_URI or "\0" in (path or "")
    except ValueError:
        wrong = True
    if wrong:
        raise WrongMessageError(types.ErrorCodes.InvalidParams, f"{key} is not a valid URI or path")
