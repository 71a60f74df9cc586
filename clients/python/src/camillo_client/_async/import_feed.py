"""The messages of an import."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable

from camillo.v1.memory_pb2 import Memory
from camillo.v1.memory_service_pb2 import ImportMemoriesRequest
from camillo_client._async.calls import each
from camillo_client.packing import Packer
from camillo_client.written import message_of

MAX_MESSAGE_MEMORIES = 500
MAX_MESSAGE_BYTES = 1024 * 1024 - 1024


class ImportFeed:
    """Packs memories into messages while they are sent."""

    def __init__(
        self,
        memories: AsyncIterable[Memory] | Iterable[Memory],
        on_progress: Callable[[int], None] | None,
    ) -> None:
        self._memories = memories
        self._on_progress = on_progress
        self._packer: Packer[Memory] = Packer(MAX_MESSAGE_MEMORIES, MAX_MESSAGE_BYTES)
        self._sent = 0
        # The exception that the caller's iterable or callback raised.
        self.failure: Exception | None = None

    async def requests(self, first: ImportMemoriesRequest) -> AsyncIterator[ImportMemoriesRequest]:
        """Yields messages: the first with the fields of `first`, the others with memories alone."""
        request = first
        try:
            async for pack in self._packs():
                request.memories.extend(pack)
                yield request
                self._report(len(pack))
                request = ImportMemoriesRequest()
        except Exception as error:
            self.failure = error
            raise

    async def _packs(self) -> AsyncIterator[list[Memory]]:
        async for memory in each(self._memories):
            if full := self._packer.add(message_of(memory)):
                yield full
        if rest := self._packer.rest():
            yield rest

    def _report(self, count: int) -> None:
        self._sent += count
        if self._on_progress is not None:
            self._on_progress(self._sent)
