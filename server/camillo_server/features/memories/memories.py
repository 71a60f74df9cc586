"""Memories: what a caller can do with its memories, but for updates (update_memory.py)."""

from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from datetime import datetime
from functools import partial

from camillo_server.features.memories.several_spaces import SpaceCursor, SpacePage, page_of_spaces
from camillo_server.features.memories.watch import WatchEvent, watch
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import (
    AlreadyExists,
    DomainError,
    NotFound,
    ValueRejected,
)
from camillo_server.kernel.ids import BEFORE_ALL, MemoryId, PageCursor, WatchPosition
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Freshness, RequestKey
from camillo_server.lib.redaction.redaction import Redaction
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.builder import BuiltRows, MemoryBuilder
from camillo_server.rows.merging import error_of
from camillo_server.rows.row import MemoryDraft, MemoryVersion, NewRow, Row, over
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.rows.write_records import ImportedBatch, MemoriesReplay, StoredRows
from camillo_server.storage.blocklist import OmittedText
from camillo_server.storage.change_notifier import ChangeNotifier


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory that was written, the revision that holds it, and the secrets that were taken out of what its caller
    sent."""

    memory: Row
    revision: int
    redactions: Sequence[Redaction]
    omitted: Sequence[OmittedText] = ()


@dataclass(frozen=True, slots=True)
class BatchRemembered:
    """The outcome of each draft, in order, and the revision that holds those that were stored."""

    results: Sequence[Remembered | DomainError]
    revision: int


class Memories:
    """The memories of scopes. Every method raises StorageUnavailable, every write RequestIdReused."""

    def __init__(
        self,
        reader: MemoryReader,
        writer: MemoryWriter,
        builder: MemoryBuilder,
        notifier: ChangeNotifier,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._builder = builder
        self._notifier = notifier
        self._clock = clock

    async def remember(
        self,
        scope: Scope,
        draft: MemoryDraft,
        request: RequestKey | None,
        *,
        omit_forgotten: bool = False,
        now: datetime | None = None,
        new_id: MemoryId | None = None,
    ) -> Remembered:
        """Stores a draft, or adds it to the memory that says the same; with `omit_forgotten`, without sentences of its
        content that were forgotten; `now` is when it counts as written, `new_id` the id of a draft without one. Raises
        AlreadyExists, ValueRejected; NotFound where a repeated request was added to a memory that is gone, and
        InvalidField where it has expired."""
        if draft.expires_at is not None and await self._over(scope, [draft], request, now):
            raise over("memory.expires_at", draft.expires_at)
        built = await self._builder.build(
            scope,
            [draft],
            without_forgotten=self._writer.without_forgotten if omit_forgotten else None,
            now=now,
            new_id=new_id,
        )
        replay = built.replay
        stored = await self._writer.remember(scope, built.rows[0], replay, request, now=built.now)
        if stored.record is replay:
            # It was stored as it was built.
            return Remembered(built.rows[0].memory, stored.revision, built.redactions[0], built.omitted.get(0, ()))
        (outcome,) = outcomes(built, scope, stored)
        if isinstance(outcome, DomainError):
            raise outcome
        return outcome

    async def preview(self, scope: Scope, draft: MemoryDraft, now: datetime) -> tuple[Remembered, NewRow]:
        """The result that `remember` would give for a draft, and its row; stores nothing and does not query Postgres.
        Raises InvalidField."""
        if draft.expires_at is not None and draft.expires_at < now:
            raise over("memory.expires_at", draft.expires_at)
        built = await self._builder.build(scope, [draft], now=now, is_provisional=True)
        row = built.rows[0].with_terms()
        return Remembered(row.memory, 0, built.redactions[0]), row

    async def batch_remember(
        self,
        scope: Scope,
        drafts: Sequence[MemoryDraft],
        request: RequestKey | None,
        *,
        omit_forgotten: bool = False,
    ) -> BatchRemembered:
        """Stores drafts as `remember` does, each with a result of its own. If two drafts have the same id, the first is
        stored."""
        refused = await self._over(scope, drafts, request, None)
        drafts = [draft for i, draft in enumerate(drafts) if i not in refused]
        built = await self._builder.build(
            scope,
            drafts,
            without_forgotten=self._writer.without_forgotten if omit_forgotten else None,
        )
        stored = await self._writer.remember_many(scope, built.rows, built.replay, request, now=built.now)
        done = iter(outcomes(built, scope, stored))
        results = [refused[i] if i in refused else next(done) for i in range(len(drafts) + len(refused))]
        return BatchRemembered(results, stored.revision)

    async def _over(
        self,
        scope: Scope,
        drafts: Sequence[MemoryDraft],
        request: RequestKey | None,
        now: datetime | None,
    ) -> dict[int, DomainError]:
        """Why drafts are refused that have expired, by their indexes. A repeated request is judged by the time of the
        first."""
        now = now or self._clock.now()

        def expired(at: datetime) -> dict[int, DomainError]:
            ends = ((i, draft.expires_at) for i, draft in enumerate(drafts))
            found = ((i, end) for i, end in ends if end is not None and end < at)
            return {i: over("memory.expires_at", end) for i, end in found}

        refused = expired(now)
        if not refused or request is None:
            return refused
        first = await self._writer.first_answer(scope, request, MemoriesReplay, now=now)
        return refused if first is None else expired(first.at)

    async def import_batch(
        self,
        scope: Scope,
        drafts: Sequence[MemoryDraft],
        *,
        replace: bool,
        after: Awaitable[object] | None = None,
    ) -> ImportedBatch:
        """Stores drafts in one transaction as they were exported. If two drafts of a batch have the same id, the later
        one is stored. Failures are named by the indexes of the drafts. Commits after `after`, the batch before it,
        during whose storing this one is prepared."""
        now = self._clock.now()
        rows: dict[MemoryId, tuple[int, NewRow]] = {}
        redactions: list[Redaction] = []
        refused = await self._over(scope, drafts, None, now)
        kept_drafts = {i: draft for i, draft in enumerate(drafts) if i not in refused}
        if not kept_drafts:
            if after is not None:
                await after
            return ImportedBatch(0, stored=0, skipped=0, failures=refused)
        built = await self._builder.build_imported(scope, [*kept_drafts.values()], now)
        for index, (row, redacted) in zip(kept_drafts, built, strict=True):
            redactions += redacted
            rows[row.memory.memory_id] = (index, row)
        indexes, kept = zip(*rows.values(), strict=True)
        imported = await self._writer.import_rows(scope, kept, replace=replace, after=after, now=now)
        return replace_fields(
            imported,
            skipped=imported.skipped + len(kept_drafts) - len(rows),
            failures=refused | {indexes[row]: error for row, error in imported.failures.items()},
            redactions=redactions,
        )

    async def get(
        self, scope: Scope, memory_id: MemoryId, freshness: Freshness, *, with_vector: bool
    ) -> tuple[Row, Vector | None, int]:
        """The memory, archived or not, its vector if requested, the revision read at. Raises NotFound,
        RevisionBehind."""
        now = self._clock.now()
        memory, revision = await self._reader.get(scope, memory_id, freshness, now=now)
        if memory is None:
            raise NotFound("memory", memory_id)
        vectors = await self._reader.vectors(scope, [memory_id]) if with_vector else {}
        return memory, vectors.get(memory_id), revision

    async def list(
        self,
        scope: Scope,
        query: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
    ) -> tuple[Sequence[Row], int]:
        """A page, newest first, and one more where there is a next page; with the revision read at. Raises
        RevisionBehind."""
        return await self._reader.page(scope, query, after, size + 1, freshness, now=self._clock.now())

    async def list_versions(
        self, scope: Scope, memory_id: MemoryId, below_version: int | None, size: int
    ) -> Sequence[MemoryVersion]:
        """A page of the versions below one, and one more where there is a next page. Raises NotFound."""
        rows = await self._reader.versions(scope, memory_id, below_version, size + 1, now=self._clock.now())
        if not rows and below_version is None:
            raise NotFound("memory", memory_id)
        return rows

    async def restore(
        self, scope: Scope, memory_ids: Sequence[MemoryId], request: RequestKey | None
    ) -> tuple[int, int]:
        """Takes archived memories back into recall; how many, and the revision that holds them."""
        now = self._clock.now()
        written = await self._writer.restore(scope, memory_ids, request, now=now)
        return written.record.restored, written.revision

    def export(
        self, scope: Scope, query: MemoryFilter, after: PageCursor | None, *, with_vectors: bool
    ) -> AsyncGenerator[tuple[Sequence[NewRow], int]]:
        """Batches behind a cursor (None: from the oldest), with the revision at which the export began."""
        now = self._clock.now()
        return self._reader.export(scope, query, after or BEFORE_ALL, with_vectors=with_vectors, now=now)

    async def list_spaces(
        self, own: Scope, spaces: Mapping[Scope, Freshness], query: MemoryFilter, after: SpaceCursor | None, size: int
    ) -> SpacePage:
        """A page of these spaces as of one, each as fresh as demanded; restricted memories of the own one alone. Raises
        RevisionBehind."""
        read = partial(self._reader.page, now=self._clock.now())
        return await page_of_spaces(read, own, spaces, query, after, size)

    def watch(self, own: Scope, starts: Mapping[Scope, WatchPosition]) -> AsyncGenerator[WatchEvent]:
        """Follows the changes of these scopes, each from its position on, without end. Each has a checkpoint whenever
        everything has been sent, and again when its revision moved on. Restricted memories of others than the own scope
        count as forgotten."""
        return watch(self._reader, self._notifier, self._clock, own, starts)


def outcomes(built: BuiltRows, scope: Scope, stored: StoredRows) -> list[Remembered | DomainError]:
    """The answer to each draft, in their order: the same for a repeated request."""
    record = stored.record
    failed: dict[int, DomainError] = {
        index: AlreadyExists("memory", record.memory_ids[index]) for index in record.taken
    }
    for index, text in record.refused:
        failed[index] = ValueRejected(list(built.rows[index].memory.texts)[text])
    for failure in record.unsuperseded:
        superseded = built.rows[failure.row].memory.supersedes
        failed[failure.row] = error_of(failure, superseded[failure.place])
    for row in record.merged:
        if row.place not in stored.merged:
            failed[row.place] = NotFound("memory", row.memory_id)
    return [
        failed.get(index)
        or Remembered(
            stored.merged.get(index) or _as_answered(draft, scope, index, record),
            stored.revision,
            built.redactions[index],
            built.omitted.get(index, ()),
        )
        for index, draft in enumerate(built.drafts)
    ]


def _as_answered(draft: MemoryDraft, scope: Scope, index: int, record: MemoriesReplay) -> Row:
    """The memory as the first answer had it: from this request, with the id, the time, the expiry and the attribution
    of then."""
    memory = draft.memory(scope.agent_id, record.memory_ids[index], record.at)
    # Requests from before there were lifetimes have no expiry in their record.
    end = draft.expires_at if record.ends is None else record.ends[index]
    attribution = record.attributions[index] if record.attributions else memory.attribution
    return memory._replace(vector_model_id=record.models[index], expires_at=end, **attribution._asdict())
