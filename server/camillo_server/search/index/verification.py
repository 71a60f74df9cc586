"""The indexes that this process holds in memory, as an operator sees them, and their comparison with Postgres, row by
row and posting by posting."""

import enum
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.columns import id_halves
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.lexical import Postings
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_caches import ScopeCaches
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.store.packed_payload import read_payload
from camillo_server.search.store.packed_rows import FIXED, ScopeRows
from camillo_server.search.store.scope_rows import PackedPage, ScopeRowsReader

# A scope that changes all the time may have no moment at which both can be read.
ATTEMPTS = 10
# Use counts are not compared: the index has them as of when it read the row.
UNCOMPARED = ("accessed_at", "access_count", "stated_count")
COMPARED = [name for name in FIXED if name not in ("memory_id", *UNCOMPARED)]
ODD = np.uint64(0x9E3779B97F4A7C15)


class Agreement(enum.IntEnum):
    """The result of comparing an index with Postgres. The numbers are those of the contract."""

    NOT_COMPARED = 1
    AGREES = 2
    DIFFERS = 3
    NEVER_STILL = 4


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The index of one scope; `difference` names the first thing that differs."""

    scope: Scope
    revision: int
    memories: int
    nbytes: int
    agreement: Agreement = Agreement.NOT_COMPARED
    difference: str = ""


class CachedIndexes:
    """Lists the scopes in memory, and compares them with Postgres in `pool`."""

    def __init__(self, caches: ScopeCaches, reader: ScopeRowsReader, pool: Executor) -> None:
        self._caches = caches
        self._reader = reader
        self._pool = pool

    def of_tenant(self, tenant_id: TenantId, after: AgentId | None, size: int) -> Sequence[IndexStatus]:
        """The first indexes of a tenant by agent id, after this one (None: from the first)."""
        residents = sorted(
            (
                entry.resident
                for entry in self._caches.budget
                if entry.resident.scope.tenant_id == tenant_id
                and (after is None or entry.resident.scope.agent_id > after)
            ),
            key=lambda resident: resident.scope.agent_id,
        )
        return [_status(resident) for resident in residents[:size]]

    def of_scope(self, scope: Scope) -> IndexStatus | None:
        """The index of a scope, if it is in memory."""
        resident = self._caches.budget.get(scope)
        return _status(resident) if resident else None

    async def compare(self, index: IndexStatus) -> IndexStatus | None:
        """Compares an index with Postgres, and drops it if they differ; None where it is no longer in memory.

        Raises StorageUnavailable.
        """
        resident = self._caches.budget.get(index.scope)
        if resident is None:
            return None
        try:
            difference = await find_difference(resident, self._reader, self._pool)
        except NeverStill:
            return replace(_status(resident), agreement=Agreement.NEVER_STILL)
        except IndexFailed as error:
            difference = str(error)
        if difference is None:
            return replace(_status(resident), agreement=Agreement.AGREES)
        # Another index may have replaced it meanwhile.
        if self._caches.budget.get(index.scope) is resident:
            self._caches.drop(index.scope, f"it differs from Postgres: {difference}")
        return replace(_status(resident), agreement=Agreement.DIFFERS, difference=difference)


def _status(resident: ResidentScope) -> IndexStatus:
    return IndexStatus(resident.scope, resident.revision, resident.memory_count, resident.index.nbytes)


class NeverStill(Exception):
    """The scope changed so often that it could not be compared."""


async def find_difference(resident: ResidentScope, reader: ScopeRowsReader, pool: Executor) -> str | None:
    """The first thing in which the index and Postgres differ; None where they agree. Raises StorageUnavailable,
    IndexFailed, NeverStill."""
    for _ in range(ATTEMPTS):
        await resident.refresh()
        snapshot = resident.snapshot
        try:
            difference = await _compare(resident, reader, pool)
        except NeverStill:
            continue
        if difference is None:
            return None
        # The difference may be a change that is under way: a refresh that begins now waits for its end.
        await resident.refresh()
        if resident.snapshot is snapshot:
            return difference
    raise NeverStill


async def _compare(resident: ResidentScope, reader: ScopeRowsReader, pool: Executor) -> str | None:
    snapshot = resident.snapshot
    committed = snapshot.committed()
    rows = 0
    sums = np.zeros(2, np.uint64)
    async with aclosing(reader.pages(resident.scope)) as pages:
        async for page in pages:
            if page.facts.revision != snapshot.facts.revision or resident.snapshot is not snapshot:
                raise NeverStill
            difference, of_page = await off_loop(
                UNBOUNDED, partial(_compare_page, resident, snapshot, reader, page), pool
            )
            if resident.snapshot is not snapshot:
                raise NeverStill
            if difference:
                return difference
            rows += len(page)
            sums += of_page
    if rows != committed.live_count:
        return f"{committed.live_count} memories in memory, {rows} in Postgres"
    ours = await off_loop(UNBOUNDED, lambda: _checksums(committed), pool)
    names = ("terms", "labels")
    return next((name for name, a, b in zip(names, ours, sums, strict=True) if a != b), None)


def _compare_page(
    resident: ResidentScope, snapshot: IndexSnapshot, reader: ScopeRowsReader, page: PackedPage
) -> tuple[str | None, NDArray[np.uint64]]:
    """The first difference in these rows, and the checksums of their terms and labels."""
    theirs = reader.unpack(resident.scope, page)
    ids = theirs.fixed["memory_id"].tobytes()
    rows = resident.index.rows_of(ids)
    # A change under way may have added rows, which this snapshot does not have.
    rows = rows[rows < snapshot.count]
    if len(rows) != len(theirs):
        return f"{len(theirs) - len(rows)} memories are missing", np.zeros(2, np.uint64)
    halves = id_halves(ids)
    ours = (snapshot.arrays["id_high"][rows], snapshot.arrays["id_low"][rows])
    if not np.array_equal(np.column_stack(ours), halves):
        return "column memory_id", np.zeros(2, np.uint64)
    difference = _first_difference(snapshot, rows, theirs)
    weights = _weights(halves)
    terms = _sum(
        theirs.terms["code"].astype(np.uint64),
        theirs.terms["count"],
        np.repeat(weights, theirs.term_lengths),
    )
    labels = _sum(theirs.labels, np.uint8(1), np.repeat(weights, theirs.label_lengths))
    return difference, np.array([terms, labels], np.uint64)


def _first_difference(snapshot: IndexSnapshot, rows: NDArray[np.int64], theirs: ScopeRows) -> str | None:
    for name in COMPARED:
        if (snapshot.arrays[name][rows] != theirs.fixed[name]).any():
            return f"column {name}"
    if (snapshot.arrays["session"][rows] != theirs.sessions).any():
        return "sessions"
    vectors = np.where(theirs.has_vector[:, None], theirs.vectors.astype(np.float32), np.nan)
    if not np.array_equal(snapshot.dense.vectors(rows), vectors, equal_nan=True):
        return "vectors"
    ends = np.cumsum(theirs.payload_lengths)
    for index, row in enumerate(rows.tolist()):
        begin = ends[index] - theirs.payload_lengths[index]
        payload = theirs.payload[begin : ends[index]].tobytes()
        if read_payload(snapshot.payload_of(row)) != read_payload(payload):
            return "texts"
    return None


def _checksums(snapshot: IndexSnapshot) -> tuple[np.uint64, np.uint64]:
    halves = np.column_stack([snapshot.arrays[name][: snapshot.count] for name in ("id_high", "id_low")])
    weights = _weights(halves) * snapshot.live
    return _postings_sum(snapshot.terms, weights), _postings_sum(snapshot.labels, weights)


def _postings_sum(postings: Postings, weights: NDArray[np.uint64]) -> np.uint64:
    keys, rows, counts = postings.entries(len(weights))
    return _sum(keys, counts, weights[rows])


def _weights(halves: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number for each memory id, odd numbers spread over 64 bits."""
    return ((halves[:, 0] * ODD) ^ halves[:, 1]) * ODD | np.uint64(1)


def _sum(keys: NDArray[np.uint64], counts: NDArray[np.uint8] | np.uint8, weights: NDArray[np.uint64]) -> np.uint64:
    """A checksum modulo 2^64 that does not depend on the order of entries."""
    mixed = (keys ^ (keys >> np.uint64(29))) * ODD + np.uint64(1)
    total: np.uint64 = (mixed * weights * (np.uint64(2) * counts + np.uint64(1))).sum(dtype=np.uint64)
    return total
