"""Calls of several callers, gathered into batches without making any of them wait for company.

A call that finds the provider free goes to it at once, alone. Calls that arrive meanwhile wait for it as they
would anyway, and go together when it is free again: tenants in turns, each with as many characters as the others.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Sized
from contextvars import Context
from dataclasses import dataclass, field
from itertools import chain, islice, repeat
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import TurnOrder, share_of
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable

Rows = NDArray[np.float32]
# A text, or what else has a length in characters.
Item = TypeVar("Item", bound=Sized)
ItemTaken = TypeVar("ItemTaken", bound=Sized, contravariant=True)
# Single texts, for which somebody waits, and batches take turns, each with as many characters as the other: neither
# is ever mixed with the other, which would make a query as slow as the longest text of an import.
_Lane = tuple[TenantId, bool]
# Pieces of a tenant among which those are looked for that go with a batch.
_LOOK_AHEAD = 100
_ALIKE = 0.75
_SHORT_CHARACTERS = 24
# A text costs something beside its characters.
_EXTRA_CHARACTERS = 16


class RowProvider(Protocol[ItemTaken]):
    """Makes a row of numbers of each item: an embedder of texts, a cross-encoder of pairs."""

    @property
    def model_id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    async def embed(
        self, texts: Sequence[ItemTaken], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> Rows:
        """Shape (len(texts), dimensions). `agent_ids`: the space of each text, one for all of them, or none. Raises
        EmbeddingUnavailable."""
        ...

    async def close(self) -> None: ...


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


@dataclass(slots=True, eq=False)
class _Request(Generic[Item]):
    """One caller's texts and the rows for them, which come piece by piece."""

    tenant_id: TenantId
    agent_ids: Sequence[AgentId]
    texts: Sequence[Item]
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


@dataclass(slots=True, eq=False)
class _Piece(Generic[Item]):
    """Texts of one caller that go to the provider together."""

    request: _Request[Item]
    indices: list[int]
    texts: list[Item] = field(init=False)
    longest: int = field(init=False)
    characters: int = field(init=False)

    def __post_init__(self) -> None:
        self.texts = [self.request.texts[index] for index in self.indices]
        lengths = [len(text) for text in self.texts]
        self.longest, self.characters = max(lengths), sum(lengths)

    @property
    def cost(self) -> int:
        return _EXTRA_CHARACTERS + self.characters

    @property
    def is_deserted(self) -> bool:
        """Nobody waits for it any longer."""
        return self.request.done.done()

    def is_alike(self, other: "_Piece[Item]") -> bool:
        """Whether a batch of both would hold little padding; with more, a third of what batching gains was lost."""
        shorter, longer = sorted((self.longest, other.longest))
        return longer * _ALIKE <= max(shorter, _SHORT_CHARACTERS)


@dataclass(slots=True)
class _Waiting(Generic[Item]):
    """The pieces of one lane that wait, by tenant."""

    queues: dict[TenantId, deque[_Piece[Item]]] = field(default_factory=dict)
    order: TurnOrder[TenantId] = field(default_factory=TurnOrder)

    def add(self, request: _Request[Item], pieces: list[list[int]]) -> None:
        tenant_id = request.tenant_id
        if tenant_id not in self.queues:
            self.order.join(tenant_id, self.queues)
            self.queues[tenant_id] = deque()
        self.queues[tenant_id].extend(_Piece(request, indices) for indices in pieces)

    def next_of(self, tenant_id: TenantId, is_wanted: Callable[[_Piece[Item]], bool]) -> _Piece[Item] | None:
        """The tenant's first piece that is wanted, of those that somebody waits for."""
        queue = self.queues[tenant_id]
        while queue and queue[0].is_deserted:
            queue.popleft()
        if not queue:
            del self.queues[tenant_id]
        ahead = (piece for piece in islice(queue, _LOOK_AHEAD) if not piece.is_deserted)
        return next(filter(is_wanted, ahead), None)

    def take(self, tenant_id: TenantId, piece: _Piece[Item]) -> None:
        """Takes a piece out: the tenant had a turn."""
        queue = self.queues[tenant_id]
        queue.remove(piece)
        if not queue:
            del self.queues[tenant_id]
        self.order.serve(tenant_id, piece.cost * share_of(tenant_id))


class Batching(Generic[Item]):
    """A provider in front of another one, for all callers of a process."""

    def __init__(self, embedder: RowProvider[Item], sharing: Sharing) -> None:
        self.model_id = embedder.model_id
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._sharing = sharing
        self._running = 0
        self._waiting: dict[_Lane, _Waiting[Item]] = {}
        self._order = TurnOrder[_Lane]()
        self._batches: dict[asyncio.Task[Rows], list[_Piece[Item]]] = {}

    async def embed(
        self, texts: Sequence[Item], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> Rows:
        """`agent_ids` has the space for which the texts are sent, or none."""
        pieces = list(divide(texts, self._sharing))
        if len(pieces) <= 1 and not self._waiting and self._running < self._sharing.calls:
            return await self._embed_directly(texts, tenant_id, agent_ids)
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        if not pieces:
            return rows
        done: asyncio.Future[Rows] = asyncio.get_running_loop().create_future()
        request = _Request(tenant_id, agent_ids, texts, rows, len(texts), done)
        lane = (tenant_id if self._sharing.per_tenant else NOBODY, len(texts) == 1)
        if lane not in self._waiting:
            self._order.join(lane, self._waiting)
            self._waiting[lane] = _Waiting()
        self._waiting[lane].add(request, pieces)
        self._start()
        try:
            return await done
        finally:
            # Cancelled, or failed by one of its pieces: what is left of it need not be made.
            self._drop_deserted()

    async def close(self) -> None:
        for waiting in self._waiting.values():
            for piece in chain.from_iterable(waiting.queues.values()):
                piece.request.fail(EmbeddingUnavailable("the embedder is closed"))
        self._waiting.clear()
        running = list(self._batches)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._embedder.close()

    async def _embed_directly(self, texts: Sequence[Item], tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> Rows:
        self._running += 1
        try:
            return await self._embedder.embed(texts, tenant_id, agent_ids)
        finally:
            self._running -= 1
            self._start()

    def _start(self) -> None:
        """Sends what waits, as far as the provider is free."""
        while self._waiting and self._running < self._sharing.calls:
            lane = self._order.first(self._waiting)
            batch = self._next_batch(self._waiting[lane])
            if not self._waiting[lane].queues:
                del self._waiting[lane]
            if batch:
                self._order.serve(lane, sum(piece.cost for piece in batch))
                self._send(batch)

    def _next_batch(self, waiting: _Waiting[Item]) -> list[_Piece[Item]]:
        """Pieces that fit into one batch, of the tenants in turns."""
        batch: list[_Piece[Item]] = []
        texts = longest = characters = 0
        passed_over = set[TenantId]()

        def goes_along(piece: _Piece[Item]) -> bool:
            return not (batch and self._sharing.padded) or batch[0].is_alike(piece)

        while tenants := [each for each in waiting.queues if each not in passed_over]:
            tenant_id = waiting.order.first(tenants)
            piece = waiting.next_of(tenant_id, goes_along)
            if piece is None:
                passed_over.add(tenant_id)
                continue
            texts, characters = texts + len(piece.texts), characters + piece.characters
            longest = max(longest, piece.longest)
            if batch and not self._sharing.fits(texts, longest, characters):
                break
            batch.append(piece)
            waiting.take(tenant_id, piece)
        return batch

    def _send(self, batch: list[_Piece[Item]]) -> None:
        texts = [text for piece in batch for text in piece.texts]
        call = self._embedder.embed(texts, batch[0].request.tenant_id, _agent_ids(batch))
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
            if all(piece.is_deserted for piece in batch):
                task.cancel()


def _agent_ids(batch: Sequence[_Piece[Item]]) -> Sequence[AgentId]:
    """The space of each text; one for all if there is no other; none if one of them has none."""
    of_pieces = [piece.request.agent_ids for piece in batch]
    if len(set(map(tuple, of_pieces))) == 1 or not all(of_pieces):
        return of_pieces[0] if all(of_pieces) else ()
    return [agent_id for piece in batch for agent_id in repeat(piece.request.agent_ids[0], len(piece.texts))]


def divide(texts: Sequence[Sized], sharing: Sharing) -> Iterator[list[int]]:
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
