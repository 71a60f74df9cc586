"""Calls of several callers, gathered into batches without making any of them wait for company.

A call that finds the provider free goes to it at once, alone. Those that arrive meanwhile wait for it as they would
anyway, and go together when it is free again.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextvars import Context
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from camillo_server.embedding.embedder import NOBODY, Embedder, EmbeddingUnavailable
from camillo_server.kernel.ids import TenantId

Rows = NDArray[np.float32]
# Single texts, for which somebody waits, and batches take turns, each with as many characters as the other: neither
# is ever mixed with the other, which would make a query as slow as the longest text of an import.
_Lane = tuple[TenantId, bool]
_MAX_LANES = 10_000
_ALIKE = 0.75
_SHORT_CHARACTERS = 24
# A text costs something beside its characters.
_EXTRA_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Sharing:
    """The limits of one call to a provider, and how many calls may run at once.

    `padded`: every text counts as much as the longest of its batch, as it does for a local model. `per_tenant`:
    texts of different tenants never go together, because each pays for its own.
    """

    texts: int
    characters: int
    calls: int = 1
    padded: bool = False
    per_tenant: bool = False

    def fits(self, texts: int, longest: int, characters: int) -> bool:
        """Whether so many texts may go together; `characters` is the sum."""
        size = texts * longest if self.padded else characters
        return texts == 1 or (texts <= self.texts and size <= self.characters)


@dataclass(slots=True)
class _Request:
    """One caller's texts and the rows for them, which come piece by piece."""

    tenant_id: TenantId
    texts: Sequence[str]
    rows: Rows
    missing: int
    done: asyncio.Future[Rows]

    def put(self, indices: list[int], rows: Rows) -> None:
        self.rows[indices] = rows
        self.missing -= len(rows)
        if not self.missing and not self.done.done():
            self.done.set_result(self.rows)

    def fail(self, error: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(error)


@dataclass(slots=True)
class _Piece:
    """Texts of one caller that go to the provider together."""

    request: _Request
    indices: list[int]
    texts: list[str] = field(init=False)
    longest: int = field(init=False)
    characters: int = field(init=False)

    def __post_init__(self) -> None:
        self.texts = [self.request.texts[index] for index in self.indices]
        lengths = [len(text) for text in self.texts]
        self.longest, self.characters = max(lengths), sum(lengths)

    def is_alike(self, other: "_Piece") -> bool:
        """Whether a batch of both would hold little padding; with more, a third of what batching gains was lost."""
        shorter, longer = sorted((self.longest, other.longest))
        return longer * _ALIKE <= max(shorter, _SHORT_CHARACTERS)


class Batching:
    """An embedder in front of another one, for all callers of a process."""

    def __init__(self, embedder: Embedder, sharing: Sharing) -> None:
        self.model_id = embedder.model_id
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._sharing = sharing
        self._running = 0
        self._waiting: dict[_Lane, deque[_Piece]] = {}
        # How many characters each lane has had, counted so that one that was empty does not make up for it.
        self._served: dict[_Lane, int] = {}
        self._served_last = 0
        self._batches: dict[asyncio.Task[Rows], list[_Piece]] = {}

    async def embed(self, texts: Sequence[str], tenant_id: TenantId = NOBODY) -> Rows:
        pieces = list(divide(texts, self._sharing))
        if len(pieces) <= 1 and not self._waiting and self._running < self._sharing.calls:
            return await self._embed_directly(texts, tenant_id)
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        if not pieces:
            return rows
        done: asyncio.Future[Rows] = asyncio.get_running_loop().create_future()
        request = _Request(tenant_id, texts, rows, len(texts), done)
        lane = (tenant_id if self._sharing.per_tenant else NOBODY, len(texts) == 1)
        self._queue(lane).extend(_Piece(request, indices) for indices in pieces)
        self._start()
        try:
            return await done
        finally:
            # Cancelled, or failed by one of its pieces: what is left of it need not be made.
            self._drop_deserted()

    async def close(self) -> None:
        for queue in self._waiting.values():
            for piece in queue:
                piece.request.fail(EmbeddingUnavailable("the embedder is closed"))
        self._waiting.clear()
        running = list(self._batches)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._embedder.close()

    async def _embed_directly(self, texts: Sequence[str], tenant_id: TenantId) -> Rows:
        self._running += 1
        try:
            return await self._embedder.embed(texts, tenant_id)
        finally:
            self._running -= 1
            self._start()

    def _start(self) -> None:
        """Sends what waits, as far as the provider is free."""
        while self._waiting and self._running < self._sharing.calls:
            lane = min(self._waiting, key=self._served.__getitem__)
            batch = self._next_batch(self._waiting[lane])
            if not self._waiting[lane]:
                del self._waiting[lane]
            if batch:
                self._served_last = self._served[lane]
                self._served[lane] += sum(_EXTRA_CHARACTERS + piece.characters for piece in batch)
                self._send(batch)

    def _queue(self, lane: _Lane) -> deque[_Piece]:
        """The lane's queue; one that begins to wait stands level with the one that had its turn last."""
        if lane not in self._waiting:
            if len(self._served) >= _MAX_LANES:
                self._served = {waiting: self._served[waiting] for waiting in self._waiting}
            self._served[lane] = max(self._served.get(lane, 0), self._served_last)
            self._waiting[lane] = deque()
        return self._waiting[lane]

    def _next_batch(self, queue: deque[_Piece]) -> list[_Piece]:
        """Pieces from the front that fit into one batch, without those that nobody waits for any longer."""
        batch: list[_Piece] = []
        passed_over: list[_Piece] = []
        texts = longest = characters = 0
        while queue:
            piece = queue[0]
            if not piece.request.done.done():
                if batch and self._sharing.padded and not batch[0].is_alike(piece):
                    passed_over.append(queue.popleft())
                    continue
                texts, characters = texts + len(piece.texts), characters + piece.characters
                longest = max(longest, piece.longest)
                if batch and not self._sharing.fits(texts, longest, characters):
                    break
                batch.append(piece)
            queue.popleft()
        queue.extendleft(reversed(passed_over))
        return batch

    def _send(self, batch: list[_Piece]) -> None:
        texts = [text for piece in batch for text in piece.texts]
        call = self._embedder.embed(texts, batch[0].request.tenant_id)
        # In a context of its own: the deadline of one caller is not that of the others.
        task = asyncio.get_running_loop().create_task(call, context=Context())
        self._running += 1
        self._batches[task] = batch
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[Rows]) -> None:
        self._running -= 1
        batch = self._batches.pop(task)
        if task.cancelled():
            error: BaseException | None = EmbeddingUnavailable("the embedder is closed")
        else:
            error = task.exception()
        start = 0
        for piece in batch:
            if error is not None:
                piece.request.fail(error)
            else:
                piece.request.put(piece.indices, task.result()[start : start + len(piece.texts)])
            start += len(piece.texts)
        self._start()

    def _drop_deserted(self) -> None:
        for task, batch in self._batches.items():
            if all(piece.request.done.done() for piece in batch):
                task.cancel()


def divide(texts: Sequence[str], sharing: Sharing) -> Iterator[list[int]]:
    """The texts of one caller by index, divided into calls; of similar length where texts are padded."""
    order: Sequence[int] = range(len(texts))
    if sharing.padded:
        order = sorted(order, key=lambda index: len(texts[index]))
    piece: list[int] = []
    longest = characters = 0
    for index in order:
        length = len(texts[index])
        longest, characters = max(longest, length), characters + length
        if piece and not sharing.fits(len(piece) + 1, longest, characters):
            yield piece
            piece, longest, characters = [], length, length
        piece.append(index)
    if piece:
        yield piece
