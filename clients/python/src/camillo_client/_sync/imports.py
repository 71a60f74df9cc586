# Generated from _async/imports.py by tools/generate_sync.py: do not edit.
"""Storing a stream of memories as they were exported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from camillo.v1.memory_pb2 import Memory
from camillo.v1.memory_service_pb2 import (
    ConflictPolicy,
    ImportMemoriesRequest,
    ImportMemoriesResponse,
)
from camillo_client._sync.connection import Connection
from camillo_client.convert import OnConflict, to_enum
from camillo_client.packing import Packer

MAX_MESSAGE_MEMORIES = 500
MAX_MESSAGE_BYTES = 1024 * 1024 - 1024


class Imports(Connection):
    """Import of any size, in bounded memory."""

    def import_memories(
        self,
        memories: Iterable[Memory],
        *,
        on_conflict: OnConflict | ConflictPolicy = "skip",
        on_progress: Callable[[int], None] | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> ImportMemoriesResponse:
        """Stores memories with their ids, times and statistics, in batches.

        After a failure, import the same again with `on_conflict="skip"`. `on_progress` is told how many have been
        sent. There is no timeout unless one is given.
        """
        feed = Feed(memories, on_progress)
        first = ImportMemoriesRequest(
            agent_id=self._agent(agent_id), on_conflict=to_enum(ConflictPolicy, on_conflict)
        )
        ticket = self._written.begin(first.agent_id)
        try:
            answer = self._calls.upload(
                self._memories.ImportMemories, feed.requests(first), timeout, first.agent_id
            )
        except BaseException:
            # gRPC tells only that the stream was cancelled; the caller wants to know by what.
            if feed.failure is not None:
                raise feed.failure from None
            raise
        self._written.wrote(ticket, answer.revision)
        return answer


class Feed:
    """The messages of an import, packed while they are sent."""

    def __init__(
        self,
        memories: Iterable[Memory],
        on_progress: Callable[[int], None] | None,
    ) -> None:
        self._memories = memories
        self._on_progress = on_progress
        self._packer: Packer[Memory] = Packer(MAX_MESSAGE_MEMORIES, MAX_MESSAGE_BYTES)
        self._sent = 0
        # What the caller's iterable or callback raised.
        self.failure: Exception | None = None

    def requests(self, first: ImportMemoriesRequest) -> Iterator[ImportMemoriesRequest]:
        """The first message carries what `first` says, the others only memories."""
        request = first
        try:
            for pack in self._packs():
                request.memories.extend(pack)
                yield request
                self._report(len(pack))
                request = ImportMemoriesRequest()
        except Exception as error:
            self.failure = error
            raise

    def _packs(self) -> Iterator[list[Memory]]:
        for memory in each(self._memories):
            if full := self._packer.add(memory):
                yield full
        if rest := self._packer.rest():
            yield rest

    def _report(self, count: int) -> None:
        self._sent += count
        if self._on_progress is not None:
            self._on_progress(self._sent)


def each(memories: Iterable[Memory]) -> Iterator[Memory]:
    """The memories of either kind of iterable."""
    for memory in memories:
        yield memory
