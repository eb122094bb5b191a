"""Messages from a stream of bytes: `Content-Length: N`, an empty line, JSON.

JSON holds no raw line breaks within strings, so a header inside of a message can only be the next
message: after a wrong length, reading goes on there.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

MAX_BYTES = 8_000_000
"""Of a message. A longer one is passed over; harness text is far shorter."""
HEADER_BYTES = 4096
_HEADER = re.compile(
    rb"Content-Length:[ \t]*(\d{1,12})[ \t]*\r?\n"
    rb"(?:[A-Za-z-]{1,40}:[^\r\n]{0,200}\r?\n){0,8}\r?\n",
    re.IGNORECASE,
)


class Malformed:
    """Stands for bytes that were no message; `reason` is a sentence without them."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Frames:
    """A reader of messages; bounded by MAX_BYTES."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        """Of the message whose header was read; None between messages."""
        self._searched = 0

    def feed(self, data: bytes) -> Iterator[Any | Malformed]:
        """Yield the JSON values that are complete now, and a Malformed for each that is none."""
        self._buffer += data
        while True:
            if self._length is None and not self._take_header():
                return
            if self._length is not None and self._length > MAX_BYTES:
                self._length = None
                yield Malformed(f"a message is longer than {MAX_BYTES} bytes")
                continue
            body = self._take_body()
            if body is None:
                return
            yield body

    def _take_header(self) -> bool:
        header = _HEADER.search(self._buffer)
        if header is None:
            del self._buffer[:-HEADER_BYTES]
            return False
        self._length, self._searched = int(header[1]), 0
        del self._buffer[: header.end()]
        return True

    def _take_body(self) -> Any | Malformed | None:
        """Return a value, a Malformed, or None when more bytes are needed."""
        length = self._length or 0
        inner = _HEADER.search(self._buffer, self._searched, length)
        if inner is not None:
            del self._buffer[: inner.start()]
            self._length = None
            return Malformed("Content-Length is larger than the message")
        if len(self._buffer) < length:
            self._searched = max(0, len(self._buffer) - HEADER_BYTES)
            return None
        self._length = None
        try:
            value = json.loads(self._buffer[:length], parse_constant=_refuse)
        except (ValueError, RecursionError):
            return Malformed("a message is not JSON of the announced length")
        del self._buffer[:length]
        return value


def _refuse(constant: str) -> None:
    raise ValueError(constant)
