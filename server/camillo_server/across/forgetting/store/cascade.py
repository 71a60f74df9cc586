"""The records that go with forgotten ones: all that cite them, in however many steps."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from uuid import UUID

from camillo_server.across.forgetting.records import Records
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.forgettable import Forgettables
from camillo_server.rows.store.removal import chunks_of
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.wire import Parameters

SQL = statements("across/forgetting/store/forgetting")


@dataclass(slots=True)
class Cascade:
    """The records reached so far, by store. The records of `cited` are in another scope."""

    declared: Forgettables
    cited: frozenset[str] = frozenset()
    records: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    chunk_ids: set[str] = field(default_factory=set)
    # The sources of these go with them, since a caller selected them.
    selected: frozenset[str] = frozenset()
    compaction_ids: set[UUID] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)

    @property
    def memory_ids(self) -> list[MemoryId]:
        return [MemoryId(UUID(each)) for each in sorted(self.records["memories"])]

    @property
    def restored_ids(self) -> list[MemoryId]:
        """Memories that come back because the memory that replaced them goes."""
        back = self.sources - self.records["memories"]
        return [MemoryId(UUID(each)) for each in sorted(back)]

    def add(self, store: str, ids: Iterable[object]) -> None:
        self.records[store].update(map(str, ids))

    def add_all(self, records: Records) -> None:
        for store, ids in records.items():
            self.add(store, ids)

    def refs(self) -> list[str]:
        """The refs by which another record may cite one of these."""
        ids = (self.records[store] for store in self.declared.cited)
        return [*self.cited, *self.chunk_ids, *(each for of_store in ids for each in of_store)]


async def select(session: Session, scope: Scope, cascade: Cascade, roots: Records) -> None:
    """Adds the records that a caller selected. A merged memory that was selected takes its sources with it: else they
    would bring back what it says."""
    cascade.add_all(roots)
    parameters = {**scope_parameters(scope), "memory_ids": cascade.memory_ids}
    cascade.add("memories", _column(await session.rows(SQL["with_sources"], parameters)))
    cascade.selected = frozenset(cascade.records["memories"])


async def follow(session: Session, scope: Scope, cascade: Cascade) -> None:
    """Adds all that was derived from the records. A merged memory goes when a source of it goes, and its other sources
    come back."""
    # One statement finds the memories over every step. The rest leads back to them: until it adds nothing.
    declared, size = cascade.declared, -1
    while size < len(refs := cascade.refs()):
        key = {**scope_parameters(scope), "refs": refs}
        cascade.add("memories", _column(await session.rows(SQL["with_derived"], key)))
        key["refs"] = cascade.refs()
        size = len(key["refs"])
        await _add_merged(session, key, cascade)
        for store in declared.citing:
            cascade.add(store, _column(await session.rows(declared.sql[f"citing_{store}"], key)))
        await _add_chunks(session, scope, cascade)
    cascade.add("handoffs", await _naming_handoffs(session, scope, cascade))


async def follow_links(session: Session, scope: Scope, cascade: Cascade) -> None:
    """Adds records with a link that says they are about one of these, or derived from it, and all derived from them."""
    size = -1
    while size < (size := len(cascade.refs())):
        await follow(session, scope, cascade)
        for store, record_id in await session.rows(SQL["linked"], {**scope_parameters(scope), "refs": cascade.refs()}):
            cascade.add(store, [record_id])


async def _add_merged(session: Session, key: Parameters, cascade: Cascade) -> None:
    rows = await session.rows(SQL["compactions_of"], {**key, "memory_ids": cascade.memory_ids})
    for compaction_id, is_committed, merged_id, source_ids in rows:
        cascade.compaction_ids.add(compaction_id)
        if is_committed and merged_id is not None:
            cascade.add("memories", [merged_id])
            if str(merged_id) not in cascade.selected:
                cascade.sources.update(map(str, source_ids))


async def _add_chunks(session: Session, scope: Scope, cascade: Cascade) -> None:
    """Adds the chunks of the records: one is cited like the record that it is of."""
    declared = [cascade.declared.by_store[store] for store in cascade.declared.cited if store != "memories"]
    origins = [each for of in declared if of.has_chunks for each in cascade.records[of.store]]
    cascade.chunk_ids.update(map(str, await chunks_of(session, scope, origins)))
    for of in declared:
        if of.chunk_of_version and (ids := list(cascade.records[of.store])):
            key = {**scope_parameters(scope), "ids": ids}
            versions = await session.rows(of.sql[f"{of.versions}_of"], key)
            cascade.chunk_ids.update(str(of.chunk_of_version(*each)) for each in versions)


async def _naming_handoffs(session: Session, scope: Scope, cascade: Cascade) -> Collection[object]:
    """Packets from or to the agent that show one of the decisions or tasks."""
    refs = [each for store in cascade.declared.citing for each in cascade.records[store]]
    if not refs:
        return ()
    key = {**scope_parameters(scope), "refs": refs}
    return _column(await session.rows(cascade.declared.sql["naming_handoffs"], key))


def _column(rows: Collection[tuple[object, ...]]) -> list[object]:
    return [each for (each, *_) in rows]
