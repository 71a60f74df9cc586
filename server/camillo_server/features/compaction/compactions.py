"""Use cases of compactions: memories that share a tag or say nearly the same become one, and separate again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from camillo_server.features.compaction.compaction import (
    MAX_COMPACTIONS,
    Compaction,
    CompactionId,
    CompactionRow,
    CompactionsReplay,
    CompactionState,
    Criteria,
    Merge,
    Refusal,
)
from camillo_server.features.compaction.groups import FindGroups
from camillo_server.features.compaction.merge import MergeGroups, merged_memory
from camillo_server.features.compaction.store.compactions import CompactionStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, WrongState
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Attribution, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow, Row

# Groups that were refused since, or proposed where that is all that is asked for, come after all others, so that
# calling again gets on.
RECENT = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Compacted:
    """The compactions that were carried out, proposed or refused; whether another call would find further groups; and
    the revision that holds them."""

    compactions: Sequence[Compaction]
    has_more: bool
    revision: int


@dataclass(frozen=True, slots=True)
class Reverted:
    """The compaction as it is now, how many sources are back, and the revision that holds them."""

    compaction: Compaction
    restored: int
    revision: int


class Compactions:
    """Compactions of a scope: carried out, reverted and listed."""

    def __init__(
        self,
        store: CompactionStore,
        find: FindGroups,
        merge: MergeGroups,
        embedding: TextEmbedding,
        clock: Clock,
    ) -> None:
        self._store = store
        self._find_groups = find
        self._merge_groups = merge
        self._embedding = embedding
        self._clock = clock

    async def compact(
        self,
        scope: Scope,
        work: Criteria | Sequence[UUID],
        by: Attribution,
        request: RequestKey | None,
        *,
        dry_run: bool,
    ) -> Compacted:
        """Finds groups, or takes the proposals of a dry run, and carries all of them out in one transaction, `by` this
        caller. Raises NotFound, WrongState, QuotaExceeded, RequestIdReused, KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        # Before a model is paid for an answer that nobody needs.
        written = await self._store.first_answer(scope, request, now)
        if written is None:
            if isinstance(work, Criteria):
                compactions, has_more = await self._find(scope, work, now, dry_run=dry_run)
            else:
                compactions, has_more = await self._proposals(scope, work, now), False
            merges: Sequence[Merge] = [Merge(compaction, None) for compaction in compactions]
            if not dry_run:
                merges = await self._with_rows(scope, compactions, by, now)
            keep = self._store.propose if dry_run else self._store.commit
            written = await keep(scope, merges, request, has_more=has_more, now=now)
        found = await self._as_answered(scope, written.record, now)
        return Compacted(found, written.record.more, written.revision)

    async def revert(self, scope: Scope, compaction_id: UUID, request: RequestKey | None) -> Reverted:
        """Restores the sources. Sources that were forgotten since then stay forgotten, and those that somebody restored
        are there already. Raises NotFound, WrongState where it is not committed, RequestIdReused, KeyMissing,
        StorageUnavailable."""
        now, key = self._clock.now(), CompactionId(compaction_id)
        written = await self._store.revert(scope, key, request, now=now)
        found = (await self._store.get(scope, [key], now=now)).get(key)
        if found is None:
            raise NotFound("compaction", compaction_id)
        return Reverted(found, written.record.restored, written.revision)

    async def list(
        self,
        scope: Scope,
        state: CompactionState | None,
        after: tuple[datetime, UUID] | None,
        size: int,
    ) -> Sequence[Compaction]:
        """Compactions in this state (None: any), newest first, behind `after`. Raises KeyMissing,
        StorageUnavailable."""
        return await self._store.page(scope, state, after, size, now=self._clock.now())

    async def _find(
        self, scope: Scope, criteria: Criteria, now: datetime, *, dry_run: bool
    ) -> tuple[Sequence[Compaction], bool]:
        """Finds and merges groups; also returns whether groups are left that another call would take."""
        found = await self._find_groups(scope, criteria, now)
        answers = [CompactionState.REFUSED, *([CompactionState.PROPOSED] if dry_run else [])]
        decided = await self._store.decided(scope, answers, now - RECENT)
        members = {frozenset(each.memory_id for each in group.sources): group for group in found}
        new = [group for ids, group in members.items() if ids not in decided]
        others = [group for ids, group in members.items() if ids in decided]
        chosen = [*new, *others][:MAX_COMPACTIONS]
        merged = await self._merge_groups(chosen, scope, now)
        done = {frozenset(compaction.source_ids) for compaction in merged}
        return merged, any(ids not in done and ids not in decided for ids in members)

    async def _proposals(self, scope: Scope, compaction_ids: Sequence[UUID], now: datetime) -> Sequence[Compaction]:
        ids = [CompactionId(each) for each in dict.fromkeys(compaction_ids)]
        found = await self._store.get(scope, ids, now=now)
        for compaction_id in ids:
            if compaction_id not in found:
                raise NotFound("compaction", compaction_id)
            state = found[compaction_id].state
            if state is not CompactionState.PROPOSED:
                raise WrongState("compaction", compaction_id, state.name.lower())
        return [found[compaction_id] for compaction_id in ids]

    async def _with_rows(
        self, scope: Scope, compactions: Sequence[Compaction], by: Attribution, now: datetime
    ) -> Sequence[Merge]:
        """The compactions with their merged memories, and with refusals where a source is not what it was."""
        source_ids = [each for compaction in compactions for each in compaction.source_ids]
        sources = await self._store.memories(scope, source_ids)
        checked = [_checked(compaction, sources) for compaction in compactions]
        mergeable = [each for each in checked if each.state is CompactionState.PROPOSED]
        contents = [each.content for each in mergeable]
        vectors = await self._embedding.vectors(contents, scope) if mergeable else []
        rows = {}
        for compaction, vector in zip(mergeable, vectors or [None] * len(mergeable), strict=True):
            of_it = [sources[memory_id] for memory_id in compaction.source_ids]
            memory = merged_memory(compaction, of_it, by, now)
            rows[compaction.compaction_id] = NewRow(memory.with_vector_of(vector), vector)
        return [Merge(each, rows.get(each.compaction_id)) for each in checked]

    async def _as_answered(self, scope: Scope, record: CompactionsReplay, now: datetime) -> Sequence[Compaction]:
        """The compactions as they were then, without those that are gone since, because a source was forgotten."""
        rows = {row.compaction_id: row for row in record.compactions}
        found = await self._store.get(scope, list(rows), now=now)
        return [_as_it_was(found[each], row) for each, row in rows.items() if each in found]


def _checked(compaction: Compaction, sources: dict[MemoryId, Row]) -> Compaction:
    if compaction.state is not CompactionState.PROPOSED:
        return compaction
    versions = [sources[each].version if each in sources else None for each in compaction.source_ids]
    if versions == list(compaction.source_versions):
        return compaction
    return replace(compaction, state=CompactionState.REFUSED, refusal=Refusal.SOURCE_CHANGED)


def _as_it_was(compaction: Compaction, row: CompactionRow) -> Compaction:
    return replace(
        compaction,
        state=row.state,
        refusal=Refusal(row.refusal) if row.refusal else None,
        memory_id=row.memory_id,
        reverted_at=None,
    )
