"""The least of HTTP/2 that a connection without a call needs: it says hello, and answers what would else close it."""

import asyncio
from collections.abc import Iterator

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_BYTES = 9
SETTINGS, PING = 4, 6
ACK = 1


def frame(kind: int, flags: int = 0, payload: bytes = b"") -> bytes:
    """A frame of the connection itself: of stream 0."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + bytes(4) + payload


GREETING = PREFACE + frame(SETTINGS)


class Answers:
    """Answers to the bytes of a peer, in whatever pieces they come."""

    def __init__(self) -> None:
        self._rest = b""

    def to(self, data: bytes) -> bytes:
        """The acknowledgements of every SETTINGS and PING that is complete now; other frames need none."""
        self._rest += data
        return b"".join(self._complete())

    def _complete(self) -> Iterator[bytes]:
        while len(self._rest) >= HEADER_BYTES:
            end = HEADER_BYTES + int.from_bytes(self._rest[:3])
            if len(self._rest) < end:
                return
            kind, flags = self._rest[3], self._rest[4]
            payload = self._rest[HEADER_BYTES:end]
            self._rest = self._rest[end:]
            if kind in (SETTINGS, PING) and not flags & ACK:
                yield frame(kind, ACK, payload if kind == PING else b"")


class IdleConnection(asyncio.Protocol):
    """A connection that never calls. `greeted` is done when the server has spoken, or failed with the connection."""

    def __init__(self) -> None:
        self._answers = Answers()
        self._transport: asyncio.Transport | None = None
        self.greeted = asyncio.get_running_loop().create_future()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(GREETING)

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        if answer := self._answers.to(data):
            self._transport.write(answer)
        if not self.greeted.done():
            self.greeted.set_result(None)

    def connection_lost(self, _: Exception | None) -> None:
        self.closed = True
        if not self.greeted.done():
            self.greeted.set_result(None)
