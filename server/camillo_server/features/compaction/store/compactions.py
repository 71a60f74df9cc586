"""Compactions, and the memories that they make, archive and bring back."""

from collections.abc import Collection, Sequence, Set
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.features.compaction.compaction import (
    COMPACTED_KINDS,
    PROPOSAL_LIFETIME,
    Compaction,
    CompactionId,
    CompactionRow,
    CompactionsReplay,
    CompactionState,
    Merge,
)
from camillo_server.features.compaction.store.rows import CompactionRows, MergeCheck
from camillo_server.kernel.errors import NotFound, WrongState
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.inserts import insert_staged, stage
from camillo_server.rows.store.removal import archive_rows, delete_rows, restore_rows
from camillo_server.rows.store.rows import RowReader, memory_fingerprints
from camillo_server.rows.write_records import RestoredReplay
from camillo_server.storage.blocklist import fingerprint_texts_off_loop
from camillo_server.storage.database import Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/compaction/store/compactions")
REFUSAL_LIFETIME = timedelta(days=30)
# Older memories are found by their tags, or with criteria that name some.
MAX_CANDIDATES = 10_000
CANDIDATES_AT_ONCE = 500


class CompactionStore:
    """Compactions of one scope. Every write is one transaction that advances the scope's revision by one; a repeated
    request writes nothing and gets the first record. Every method raises StorageUnavailable and KeyMissing; writes
    raise RequestIdReused, reads BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._keyring = keyring
        self._rows = CompactionRows(keyring)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, now: datetime
    ) -> Written[CompactionsReplay] | None:
        """The answer to this request when it came first, or None."""
        return await self._writes.first_answer(scope, request, CompactionsReplay, now)

    async def newest(self, scope: Scope, tags: Sequence[str], *, now: datetime) -> Sequence[NewRow]:
        """The memories that were stored last, with one of these tags if any are given; oldest first, with their
        vectors."""
        async with self._database.snapshot(scope) as session:
            return await self._candidates(session, scope, SQL["newest"], _criteria(tags, now))

    async def tagged(
        self, scope: Scope, tags: Sequence[str], tag_threshold: int, *, now: datetime
    ) -> tuple[Sequence[str], Sequence[Row]]:
        """The tags of more than `tag_threshold` memories, in order, and memories that have them, the oldest first; read
        in one snapshot."""
        parameters = {**scope_parameters(scope), **_criteria(tags, now)}
        parameters["tag_threshold"] = tag_threshold
        async with self._database.snapshot(scope) as session:
            crowded = [tag for (tag,) in await session.rows(SQL["crowded_tags"], parameters)]
            if not crowded:
                return (), ()
            criteria = _criteria(crowded, now)
            rows = await self._candidates(session, scope, SQL["tagged"], criteria)
        return crowded, [row.memory for row in rows]

    async def _candidates(
        self, session: Session, scope: Scope, sql: LiteralString, criteria: dict[str, Any]
    ) -> list[NewRow]:
        reader = RowReader(scope, self._keyring)
        found: list[NewRow] = []
        async with session.cursor("candidates", binary=True) as cursor:
            await cursor.execute(sql, {**scope_parameters(scope), **criteria})
            while rows := await cursor.fetchmany(CANDIDATES_AT_ONCE):
                found += await reader.new_rows(rows)
        return found

    async def memories(self, scope: Scope, memory_ids: Sequence[MemoryId]) -> dict[MemoryId, Row]:
        """The memories that exist, archived ones among them."""
        parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
        rows = await self._read(scope, "memories", parameters)
        found = await RowReader(scope, self._keyring).memories(rows)
        return {memory.memory_id: memory for memory in found}

    async def decided(
        self, scope: Scope, states: Collection[CompactionState], since: datetime
    ) -> Set[frozenset[MemoryId]]:
        """The sources of compactions in these states that were created since then."""
        parameters = {"states": [int(state) for state in states], "since": since}
        rows = await self._read(scope, "decided", {**scope_parameters(scope), **parameters})
        return {frozenset(map(MemoryId, source_ids)) for (source_ids,) in rows}

    async def get(
        self, scope: Scope, compaction_ids: Sequence[CompactionId], *, now: datetime
    ) -> dict[CompactionId, Compaction]:
        """The compactions that exist; proposals that are too old do not."""
        parameters = {**_moment(scope, now), "compaction_ids": list(compaction_ids)}
        rows = await self._records(scope, "get", parameters)
        found = [self._rows.compaction(scope, row) for row in rows]
        return {compaction.compaction_id: compaction for compaction in found}

    async def page(
        self,
        scope: Scope,
        state: CompactionState | None,
        after: tuple[datetime, UUID] | None,
        size: int,
        *,
        now: datetime,
    ) -> Sequence[Compaction]:
        """Newest first, behind the last one of the page before, without proposals that are too old."""
        after_at, after_id = after or (None, None)
        parameters = {**_moment(scope, now), "state": int(state) if state else None, "size": size}
        parameters |= {"after_at": after_at, "after_id": after_id}
        rows = await self._records(scope, "page", parameters)
        return [self._rows.compaction(scope, row) for row in rows]

    async def propose(
        self,
        scope: Scope,
        merges: Sequence[Merge],
        request: RequestKey | None,
        *,
        has_more: bool,
        now: datetime,
    ) -> Written[CompactionsReplay]:
        """Stores them as they are, and removes proposals that are too old."""
        check = await self._check(scope, merges)

        async def change(session: Session, revision: int) -> CompactionsReplay:
            checked = await check.check_texts(session, merges)
            return await self._keep(session, scope, checked, now, has_more=has_more)

        return await self._writes.write(scope, request, CompactionsReplay, change, now)

    async def commit(
        self,
        scope: Scope,
        merges: Sequence[Merge],
        request: RequestKey | None,
        *,
        has_more: bool,
        now: datetime,
    ) -> Written[CompactionsReplay]:
        """Carries out those that were not refused: stores the merged memory, archives its sources. One whose sources
        have changed, or whose text was forgotten, is refused alone. Raises WrongState where one is no proposal any
        more."""
        check = await self._check(scope, merges)

        async def change(session: Session, revision: int) -> CompactionsReplay:
            await _refuse_settled(session, scope, merges)
            checked = await check.check(session, merges, now)
            merged = [merge for merge in checked if merge.row is not None]
            sources = [each for merge in merged for each in merge.compaction.source_ids]
            await archive_rows(session, scope, sources, revision, now)
            rows = [merge.row for merge in merged if merge.row is not None]
            fingerprints = await memory_fingerprints(self._keyring, scope, rows)
            await stage(session, scope, rows, self._keyring, fingerprints)
            async with session.pipeline():
                await insert_staged(session, scope)
            return await self._keep(session, scope, checked, now, has_more=has_more)

        rows = [merge.row for merge in merges if merge.row is not None]
        return await self._writes.write(scope, request, CompactionsReplay, change, now, rows)

    async def revert(
        self,
        scope: Scope,
        compaction_id: CompactionId,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[RestoredReplay]:
        """Restores the sources that are still archived, and removes the merged memory. Raises NotFound, WrongState."""

        async def change(session: Session, revision: int) -> RestoredReplay:
            key = {**_moment(scope, now), "compaction_id": compaction_id}
            source_ids, merged_id = await _committed(session, key, compaction_id)
            restored = await restore_rows(session, scope, source_ids, revision, now)
            # First: what is undone goes with its sources, not with the merged memory.
            await session.execute(SQL["set_reverted"], key)
            await delete_rows(session, scope, [merged_id], revision, now)
            return RestoredReplay(restored)

        return await self._writes.write(scope, request, RestoredReplay, change, now)

    async def _check(self, scope: Scope, merges: Sequence[Merge]) -> MergeCheck:
        texts = {str(each.compaction.compaction_id): each.compaction.content for each in merges}
        return MergeCheck(scope, self._keyring, await fingerprint_texts_off_loop(scope, texts))

    async def _keep(
        self,
        session: Session,
        scope: Scope,
        merges: Sequence[Merge],
        now: datetime,
        *,
        has_more: bool,
    ) -> CompactionsReplay:
        compactions = [merge.compaction for merge in merges]
        refused = [each for each in compactions if each.state is CompactionState.REFUSED]
        again = Jsonb([[str(source) for source in each.source_ids] for each in refused])
        parameters = {**_moment(scope, now), "refused_after": now - REFUSAL_LIFETIME}
        await session.execute(SQL["purge"], {**parameters, "refused_again": again})
        if compactions:
            async with session.cursor() as cursor:
                await cursor.executemany(SQL["keep"], [self._rows.parameters(scope, each) for each in compactions])
        return CompactionsReplay(has_more, tuple(_row(each) for each in compactions))

    async def _records(self, scope: Scope, name: str, parameters: dict[str, Any]) -> list[Any]:
        return await self._database.records(scope, SQL[name], parameters)

    async def _read(self, scope: Scope, name: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        return await self._database.rows(scope, SQL[name], parameters)


def _criteria(tags: Sequence[str], now: datetime) -> dict[str, Any]:
    """Selects memories that may be compacted: the parameters of `newest`, `crowded_tags` and `tagged`."""
    return {
        "kinds": [int(kind) for kind in COMPACTED_KINDS],
        "tags_any": list(tags) or None,
        "now": now,
        "size": MAX_CANDIDATES,
    }


def _moment(scope: Scope, now: datetime) -> dict[str, Any]:
    return {**scope_parameters(scope), "now": now, "proposed_after": now - PROPOSAL_LIFETIME}


def _row(compaction: Compaction) -> CompactionRow:
    refusal = int(compaction.refusal or 0)
    return CompactionRow(compaction.compaction_id, compaction.state, refusal, compaction.memory_id)


async def _refuse_settled(session: Session, scope: Scope, merges: Sequence[Merge]) -> None:
    """Somebody else may have carried a proposal out since it was read. Raises WrongState."""
    compaction_ids = [merge.compaction.compaction_id for merge in merges]
    parameters = {**scope_parameters(scope), "compaction_ids": compaction_ids}
    settled = await session.record(SQL["settled"], parameters)
    if settled is not None:
        state = CompactionState(settled.state)
        raise WrongState("compaction", settled.compaction_id, state.name.lower())


async def _committed(
    session: Session, key: dict[str, Any], compaction_id: CompactionId
) -> tuple[list[MemoryId], MemoryId]:
    """Its sources and its merged memory. Raises NotFound, WrongState."""
    found = await session.record(SQL["lock_compaction"], key)
    if found is None:
        raise NotFound("compaction", compaction_id)
    state = CompactionState(found.state)
    if state is not CompactionState.COMMITTED:
        raise WrongState("compaction", compaction_id, state.name.lower())
    return [MemoryId(each) for each in found.source_ids], MemoryId(found.memory_id)
