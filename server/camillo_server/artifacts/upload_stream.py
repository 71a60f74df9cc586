"""The messages of an upload, checked and gathered."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from camillo_server.artifacts.ports import PART_BYTES
from camillo_server.kernel.errors import ContentMismatch, UploadOffsetMismatch, invalid_field
from camillo_server.text.bytes import begun_character


@dataclass(frozen=True, slots=True)
class UploadBytes:
    """Bytes, and where they belong."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class UploadFinish:
    """That was all: the SHA-256 of the bytes of this call."""

    sha256: bytes


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Where an upload begins, how long it was said to be (None: not said), and how long it may be."""

    start: int
    size: int | None
    most: int


class UploadStream:
    """Gives the bytes in blocks of about a part, and in the end what the caller said of them."""

    def __init__(
        self, messages: AsyncIterator[UploadBytes | UploadFinish], limits: UploadLimits
    ) -> None:
        self._messages = messages
        self._limits = limits
        self._offset = limits.start
        self._finish: UploadFinish | None = None
        self.is_cut_off = False
        """Whether it ended before its finish, as it also does where the connection broke."""

    async def blocks(self) -> AsyncIterator[bytes]:
        """Raises UploadOffsetMismatch, ContentMismatch for another size than was said, InvalidField."""
        waiting: list[bytes] = []
        begun = self._offset
        async for message in self._messages:
            if isinstance(message, UploadFinish):
                self._end(message)
                break
            self._follow(message)
            waiting.append(message.data)
            if self._offset - begun >= PART_BYTES:
                yield b"".join(waiting)
                waiting, begun = [], self._offset
        else:
            self.is_cut_off = True
            raise invalid_field("finish", "is missing: the stream ended before it")
        async for _ in self._messages:
            raise invalid_field("part", "comes after the finish")
        if waiting:
            yield b"".join(waiting)

    def check(self, sha256: bytes) -> None:
        """Raises ContentMismatch where the caller had another sum in mind."""
        if self._finish is not None and self._finish.sha256 != sha256:
            raise ContentMismatch("sha256", self._finish.sha256.hex(), sha256.hex())

    def _follow(self, message: UploadBytes) -> None:
        if message.offset != self._offset:
            raise UploadOffsetMismatch(self._offset, message.offset)
        if not message.data:
            raise invalid_field("bytes.data", "must have at least 1 byte")
        self._offset += len(message.data)
        if self._offset > self._limits.most:
            raise invalid_field("bytes", f"must be at most {self._limits.most} bytes in all")
        if self._limits.size is not None and self._offset > self._limits.size:
            raise ContentMismatch("size", self._limits.size, self._offset)

    def _end(self, finish: UploadFinish) -> None:
        self._finish = finish
        if self._offset == 0:
            raise invalid_field("bytes", "must be at least 1 byte in all")
        if self._limits.size is not None and self._offset != self._limits.size:
            raise ContentMismatch("size", self._limits.size, self._offset)


CHUNK_BYTES = 256 * 1024


class Chunker:
    """Cuts what it is fed into chunks; with `keeps_characters` never within a character of UTF-8."""

    def __init__(self, *, keeps_characters: bool) -> None:
        self._keeps_characters = keeps_characters
        self._begun = b""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The chunks of the next bytes; the beginning of a character is kept for the next ones."""
        data = self._begun + data if self._begun else data
        at = 0
        while at < len(data):
            chunk = data[at : at + CHUNK_BYTES]
            begun = begun_character(chunk) if self._keeps_characters else 0
            if begun:
                chunk = chunk[:-begun]
            if chunk:
                yield chunk
            at += len(chunk)
            if at + begun == len(data):
                break
        self._begun = data[at:]

    def finish(self) -> Iterator[bytes]:
        """What is left of a character that never ended."""
        if self._begun:
            yield self._begun
