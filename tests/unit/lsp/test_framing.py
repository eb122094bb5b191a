"""Messages are found in whatever a client sends."""

import json
from typing import Any

import pytest

from cortex_lsp.framing import MAX_BYTES, Frames, Malformed

FIRST, SECOND = {"jsonrpc": "2.0", "id": 1, "text": "Content-Length: 5\r\n\r\n"}, {"id": "ü"}


def framed(value: object, wrong_by: int = 0) -> bytes:
    body = json.dumps(value, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n" % (len(body) + wrong_by) + body


def read(*pieces: bytes) -> list[Any]:
    frames = Frames()
    values = [value for piece in pieces for value in frames.feed(piece)]
    return [None if isinstance(value, Malformed) else value for value in values]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_messages_arrive_in_any_pieces(size: int) -> None:
    data = framed(FIRST) + framed(SECOND)
    assert read(*(data[at : at + size] for at in range(0, len(data), size))) == [FIRST, SECOND]


@pytest.mark.parametrize("wrong_by", [-30, -1, 1, 5, 17, 19, 24, 5000])
def test_after_a_wrong_length_the_next_message_is_read(wrong_by: int) -> None:
    assert read(framed(FIRST, wrong_by), framed(SECOND)) == [None, SECOND]


@pytest.mark.parametrize(
    "header",
    [b"", b"Content-Length: -5\r\n\r\n", b"Content-Length: x\r\n\r\n", b"\r\n\r\n",
     b"Content-Length: 12", b"\xff\x00" * 50_000, b"Content-Length: " + b"9" * 40 + b"\r\n\r\n"],
)  # fmt: skip
def test_garbage_is_passed_over(header: bytes) -> None:
    assert read(header + b"{}", framed(SECOND)) == [SECOND]


def test_a_huge_message_is_not_kept() -> None:
    frames = Frames()
    assert len(list(frames.feed(b"Content-Length: %d\r\n\r\n" % (MAX_BYTES + 1)))) == 1
    for _ in range(40):
        assert list(frames.feed(b"x" * 1_000_000)) == []
        assert len(frames._buffer) < 10_000
    assert list(frames.feed(framed(SECOND))) == [SECOND]


@pytest.mark.parametrize("body", [b"[" * 100_000, b"NaN", b'{"a": Infinity}', b"\xff", b"9" * 5000])
def test_what_is_no_json_is_malformed(body: bytes) -> None:
    data = b"Content-Length: %d\r\n\r\n" % len(body) + body
    assert read(data, framed(SECOND)) == [None, SECOND]


def test_headers_of_other_clients_are_understood() -> None:
    body = json.dumps(SECOND).encode()
    for header in (
        b"content-length:%d\n\n",
        b"X: y\r\nContent-Length: %d\r\nContent-Type: a\r\n\r\n",
    ):
        assert read(header % len(body) + body) == [SECOND]
