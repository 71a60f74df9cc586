"""Bytes cut into pieces that one message holds."""

from collections.abc import Iterator

from camillo_server.domain.character_borders import begun_character

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
