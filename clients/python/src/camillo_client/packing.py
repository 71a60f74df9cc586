"""Packs many messages into few calls, within limits of number and size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)

# The tag and the length of an element of a repeated field, at most.
ELEMENT_OVERHEAD_BYTES = 6


class Packer(Generic[M]):
    """Collects messages until the next one would exceed a limit. A message that is too large alone is a pack of its
    own."""

    def __init__(self, max_count: int, max_bytes: int) -> None:
        self._max_count = max_count
        self._max_bytes = max_bytes
        self._pack: list[M] = []
        self._bytes = 0

    def add(self, message: M) -> list[M]:
        """Adds a message; returns the pack that was full before it, else nothing."""
        size = message.ByteSize() + ELEMENT_OVERHEAD_BYTES
        is_full = len(self._pack) >= self._max_count or self._bytes + size > self._max_bytes
        full = self.rest() if is_full else []
        self._pack.append(message)
        self._bytes += size
        return full

    def rest(self) -> list[M]:
        """The messages collected since the last full pack."""
        rest, self._pack, self._bytes = self._pack, [], 0
        return rest


def packs(messages: Iterable[M], max_count: int, max_bytes: int) -> Iterator[list[M]]:
    """The messages in the order given, in packs within the limits."""
    packer: Packer[M] = Packer(max_count, max_bytes)
    for message in messages:
        if full := packer.add(message):
            yield full
    if rest := packer.rest():
        yield rest
