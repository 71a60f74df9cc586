"""Records that stay when a value is forgotten: it is cut out of them, and nothing becomes stale by it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from camillo_server.across.forgetting.records import Records
from camillo_server.across.forgetting.store.texts import RecordTexts
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.value_fingerprints import is_common
from camillo_server.lib.text.value_spans import PLACEHOLDER, SoughtValues
from camillo_server.rows.forgettable import Forgettables, PlannedRedaction, Removal
from camillo_server.rows.row import Row
from camillo_server.rows.store.rows import memory_fingerprint
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/forgetting/store/forgetting")


@dataclass(frozen=True, slots=True)
class Redactions:
    """Memories as they are to be, and their earlier versions that go; and records that stay in other stores."""

    memories: Mapping[MemoryId, Row]
    versions: Sequence[tuple[MemoryId, int]] = ()
    others: Mapping[str, PlannedRedaction] = field(default_factory=dict)

    @property
    def records(self) -> Records:
        """The ids of what stays, by store."""
        ids = {"memories": set(map(str, self.memories))}
        return ids | {store: set(each.ids) for store, each in self.others.items()}

    @property
    def stores(self) -> Mapping[str, int]:
        """How many rows change or go, by store."""
        counts = {f"redacted_{store}": len(ids) for store, ids in self.records.items()}
        counts["memory_history"] = len(self.versions)
        return {store: count for store, count in counts.items() if count}

    def apart_from(self, records: Records) -> Records:
        """The records without what stays."""
        staying = self.records
        return {store: set(ids).difference(staying.get(store, ())) for store, ids in records.items()}


NO_REDACTIONS = Redactions({})


async def plan_redactions(
    texts: RecordTexts, declared: Forgettables, found: Records, sought: SoughtValues, now: datetime
) -> Redactions:
    """Which of these records, which hold a value, can stay without it. Raises KeyMissing, BytesLost."""
    if sought.spans is None:
        return NO_REDACTIONS
    others = {
        store: await redact(texts.session, texts.scope, sorted(found[store]), sought)
        for store, redact in declared.redacted.items()
        if found.get(store)
    }
    memory_ids = sorted(found.get("memories", ()))
    memories = await _memories(texts, memory_ids, sought, now) if memory_ids else NO_REDACTIONS
    return replace(memories, others=others)


async def _memories(texts: RecordTexts, memory_ids: Sequence[str], sought: SoughtValues, now: datetime) -> Redactions:
    session, scope = texts.session, texts.scope
    versions = await texts.versions(memory_ids)
    in_compactions = await _in_compactions(session, scope, memory_ids)
    planned = await off_loop(UNBOUNDED, lambda: _planned(scope, versions, sought))
    found = {each: row for each, row in planned.memories.items() if each not in in_compactions}
    kept = await _without_repeats(MemoryTransaction(session, scope, 0, now, session.keyring), found)
    return Redactions(kept, [each for each in planned.versions if each[0] in kept])


def _planned(scope: Scope, versions: Sequence[Row], sought: SoughtValues) -> Redactions:
    by_memory: dict[MemoryId, list[Row]] = defaultdict(list)
    for each in versions:
        by_memory[each.memory_id].append(each)
    memories, earlier = dict[MemoryId, Row](), list[tuple[MemoryId, int]]()
    for memory_id, rows in by_memory.items():
        *before, current = sorted(rows, key=lambda row: row.version)
        redacted = _redacted(current, sought)
        # A word or a name around it says something; signs and greetings do not.
        rest = redacted.content.replace(PLACEHOLDER, " ")
        if not _states(scope, redacted, sought) and not is_common(rest):
            memories[memory_id] = redacted
            earlier += [(memory_id, row.version) for row in before if _states(scope, row, sought)]
    return Redactions(memories, earlier)


def _redacted(memory: Row, sought: SoughtValues) -> Row:
    metadata = {
        key: sought.cut_from(value) if isinstance(value, str) else value for key, value in memory.metadata.items()
    }
    content = sought.cut_from(memory.content)
    if (content, metadata) == (memory.content, memory.metadata):
        # Only an earlier version has the value.
        return memory
    return memory._replace(content=content, metadata=metadata, version=memory.version + 1, vector_model_id="")


def _states(scope: Scope, memory: Row, sought: SoughtValues) -> bool:
    return any(sought.are_in(scope.tenant_id, each) for each in memory.texts.values())


async def _in_compactions(session: Session, scope: Scope, memory_ids: Sequence[str]) -> set[MemoryId]:
    """The memories of which a compaction tells: it holds their texts."""
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    rows = await session.rows(SQL["compactions_of"], parameters)
    return {each for _, _, merged_id, source_ids in rows for each in (merged_id, *source_ids)}


async def _without_repeats(transaction: MemoryTransaction, memories: Mapping[MemoryId, Row]) -> dict[MemoryId, Row]:
    """The memories without those that would say what another one says."""
    fingerprints = {
        each: memory_fingerprint(transaction.keyring, transaction.scope, row) for each, row in memories.items()
    }
    taken = await transaction.ids_by_fingerprint(list(fingerprints.values()))
    kept = dict[MemoryId, Row]()
    for memory_id, fingerprint in fingerprints.items():
        if fingerprint is not None and taken.setdefault(fingerprint, memory_id) == memory_id:
            kept[memory_id] = memories[memory_id]
    return kept


async def redact(session: Session, scope: Scope, redactions: Redactions, removal: Removal) -> int:
    """Cuts the values out inside the caller's transaction, which holds the scope's write lock and has removed what
    goes; how many rows wait for their vectors."""
    transaction = MemoryTransaction(session, scope, removal.revision, removal.now, session.keyring)
    if redactions.versions:
        ids, numbers = zip(*redactions.versions, strict=True)
        parameters = {**scope_parameters(scope), "memory_ids": list(ids), "versions": list(numbers)}
        await session.execute(SQL["delete_versions"], parameters)
    for memory in redactions.memories.values():
        await transaction.redact(memory)
    waiting = len(redactions.memories)
    for planned in redactions.others.values():
        waiting += await planned.carry_out(session, scope, removal)
    return waiting
