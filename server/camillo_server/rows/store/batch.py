"""Several memories stored or imported in one transaction: each is new, repeats a stored one, or fails alone."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from camillo_server.kernel.errors import AlreadyExists, MemoryRepeated, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.merging import error_of
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.inserts import insert_staged, stage
from camillo_server.rows.store.rows import RowReader, memory_fingerprints
from camillo_server.rows.store.supersession import Supersessions
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.rows.write_records import (
    ImportedBatch,
    MemoriesReplay,
    MergedRow,
    RefusedRow,
    Unsuperseded,
)
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = {**statements("rows/store/writes"), **statements("rows/store/repeats")}


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """The outcome of a batch, by index: rows whose id is `taken`, rows with a blocked value (`refused`, with its
    field), rows that cannot supersede what they state (`unsuperseded`), rows that would replace a memory and
    repeat another (`repeating`), and rows `merged`, with the memory as it is after the merge, or after it
    superseded others; the others are stored."""

    taken: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)
    merged: dict[int, Row] = field(default_factory=dict)
    unsuperseded: list[Unsuperseded] = field(default_factory=list)
    repeating: dict[int, MemoryId] = field(default_factory=dict)

    def add(self, first: int, other: "StoredBatch") -> None:
        """Adds the outcome of rows of which the first has this index."""
        self.taken.extend(first + index for index in other.taken)
        self.refused.update({first + index: name for index, name in other.refused.items()})
        self.merged.update({first + index: memory for index, memory in other.merged.items()})
        self.unsuperseded.extend(each._replace(row=first + each.row) for each in other.unsuperseded)
        self.repeating.update({first + index: memory_id for index, memory_id in other.repeating.items()})

    def raise_failure(self, rows: Sequence[NewRow]) -> None:
        """Raises AlreadyExists, ValueRejected, or why a row cannot supersede others, if one failed."""
        for index in self.taken:
            raise AlreadyExists("memory", rows[index].memory.memory_id)
        for name in self.refused.values():
            raise ValueRejected(name)
        for failure in self.unsuperseded:
            raise error_of(failure, rows[failure.row].memory.supersedes[failure.place])

    def imported(self, revision: int, rows: int) -> ImportedBatch:
        """The outcome as that of an import."""
        refused = {index: ValueRejected(name) for index, name in self.refused.items()}
        repeating = {index: MemoryRepeated(memory_id) for index, memory_id in self.repeating.items()}
        skipped, merged, failures = len(self.taken), len(self.merged), {**refused, **repeating}
        stored = rows - skipped - merged - len(failures)
        return ImportedBatch(revision, stored, skipped, merged, failures)

    def add_to(self, replay: MemoriesReplay, rows: Sequence[NewRow]) -> MemoriesReplay:
        """The record with these outcomes. It holds no text: a field is kept as an index, a memory by its version."""
        return replace(
            replay,
            taken=tuple(self.taken),
            refused=tuple(
                RefusedRow(index, list(rows[index].memory.texts).index(name)) for index, name in self.refused.items()
            ),
            merged=tuple(_merged_row(index, memory) for index, memory in self.merged.items()),
            unsuperseded=tuple(self.unsuperseded),
        )


async def store_batch(transaction: MemoryTransaction, rows: Sequence[NewRow]) -> StoredBatch:
    """Stores rows in their order; those that supersede others one by one. Raises KeyMissing."""
    if not any(row.memory.supersedes for row in rows):
        return await _store_plain(transaction, rows)
    stored, begin = StoredBatch(), 0
    for end, row in enumerate(rows):
        if row.memory.supersedes:
            stored.add(begin, await _store_part(transaction, rows[begin:end]))
            stored.add(end, await _store_superseding(transaction, row))
            begin = end + 1
    stored.add(begin, await _store_part(transaction, rows[begin:]))
    return stored


async def _store_part(transaction: MemoryTransaction, rows: Sequence[NewRow]) -> StoredBatch:
    """Stores rows that are not all of a transaction: more are staged after them."""
    if not rows:
        return StoredBatch()
    stored = await _store_plain(transaction, rows)
    await transaction.session.execute(SQL["create_staging"])
    await transaction.session.execute(SQL["empty_staging"])
    return stored


async def _store_superseding(transaction: MemoryTransaction, row: NewRow) -> StoredBatch:
    """Stores a row, or adds it to the memory that says the same, and has it supersede the memories that it states."""
    superseded_ids = row.memory.supersedes
    row = replace(row, memory=row.memory._replace(supersedes=()))
    supersessions = await Supersessions.of(transaction, superseded_ids)
    fingerprints = await memory_fingerprints(transaction.keyring, transaction.scope, [row])
    repeated = (await transaction.ids_by_fingerprint(fingerprints)).values()
    successor_id = next(iter(repeated), row.memory.memory_id)
    if failure := await supersessions.failure(0, superseded_ids, successor_id):
        return StoredBatch(unsuperseded=[failure])
    stored = await _store_part(transaction, [row])
    if stored.taken or stored.refused:
        return stored
    successor = stored.merged.get(0, row.memory)
    supersessions.add_stored([successor], is_new=not stored.merged)
    stored.merged[0] = await supersessions.take(successor, superseded_ids)
    await supersessions.store()
    return stored


async def _store_plain(transaction: MemoryTransaction, rows: Sequence[NewRow]) -> StoredBatch:
    fingerprints = await memory_fingerprints(transaction.keyring, transaction.scope, rows)
    return await Batch(transaction, rows, fingerprints).store()


@dataclass(slots=True)
class Batch:
    """Rows that supersede nothing. Staged ones have different ids; with `replace`, a row replaces the memory of its
    id."""

    transaction: MemoryTransaction
    rows: Sequence[NewRow]
    fingerprints: Sequence[bytes | None]
    is_staged: bool = False
    replace: bool = False
    # The stored memories that say the same as a row, kept up to date.
    _ids_by_fingerprint: dict[bytes, MemoryId] = field(default_factory=dict)
    _stored: StoredBatch = field(default_factory=StoredBatch)

    async def store(self) -> StoredBatch:
        """Stores the rows in their order, those that replace a memory first. Raises KeyMissing."""
        taken = await self._taken()
        self._ids_by_fingerprint = await self.transaction.ids_by_fingerprint(self.fingerprints)
        passing = {
            index: row
            for index, row in enumerate(self.rows)
            if row.memory.memory_id not in taken or (self.replace and taken[row.memory.memory_id])
        }
        blocked = await self.transaction.blocked_rows(passing)
        await self._replace([index for index in passing if index not in blocked and self._id(index) in taken])
        new, repeats = self._sort(taken, passing, blocked)
        await self._insert(new)
        self._stored.merged.update(await self._merge(repeats))
        return self._stored

    def _id(self, index: int) -> MemoryId:
        return self.rows[index].memory.memory_id

    async def _taken(self) -> dict[MemoryId, bool]:
        """The ids that the scope has already, each with whether both rows are memories, or both are chunks."""
        chunks = {row.memory.memory_id: is_chunk(row.memory.kind) for row in self.rows}
        parameters = {**self.transaction.key, "memory_ids": [*chunks]}
        rows = await self.transaction.session.rows(SQL["taken_ids"], parameters)
        return {memory_id: of_chunk == chunks[memory_id] for memory_id, of_chunk in rows}

    async def _replace(self, indexes: Sequence[int]) -> None:
        """Replaces memories by these rows, but for rows that say what another memory says."""
        ids = self._ids_by_fingerprint
        fingerprints = {memory_id: each for each, memory_id in ids.items()}
        for index in indexes:
            row, fingerprint, memory_id = self.rows[index], self.fingerprints[index], self._id(index)
            same_id = ids.get(fingerprint or b"", memory_id)
            if same_id != memory_id:
                self._stored.repeating[index] = same_id
                continue
            await self.transaction.replace(row)
            await self.transaction.replace_statistics(row.memory)
            ids.pop(fingerprints.pop(memory_id, b""), None)
            if fingerprint:
                ids[fingerprint] = memory_id
                fingerprints[memory_id] = fingerprint

    def _sort(
        self, taken: Collection[MemoryId], passing: Collection[int], blocked: Mapping[int, str]
    ) -> tuple[list[int], dict[int, MemoryId]]:
        """The rows to insert, and those that say what a memory, or a row before them, says; with the id of that."""
        new, repeats, seen = list[int](), dict[int, MemoryId](), set[MemoryId]()
        for index, fingerprint in enumerate(self.fingerprints):
            memory_id = self._id(index)
            if index not in passing or memory_id in seen:
                self._stored.taken.append(index)
            elif index in blocked:
                self._stored.refused[index] = blocked[index]
            elif memory_id in taken:
                continue
            elif fingerprint in self._ids_by_fingerprint:
                repeats[index] = self._ids_by_fingerprint[fingerprint]
            else:
                new.append(index)
                seen.add(memory_id)
                if fingerprint:
                    self._ids_by_fingerprint[fingerprint] = memory_id
        return new, repeats

    async def _insert(self, new: Sequence[int]) -> None:
        if not new:
            return
        session, scope = self.transaction.session, self.transaction.scope
        if not self.is_staged:
            rows, fingerprints = [self.rows[index] for index in new], [self.fingerprints[index] for index in new]
            await stage(session, scope, rows, self.transaction.keyring, fingerprints)
        elif len(new) < len(self.rows):
            inserted = set(new)
            others = [self._id(index) for index in range(len(self.rows)) if index not in inserted]
            await session.execute(SQL["unstage"], {**self.transaction.key, "memory_ids": others})
        async with session.pipeline():
            await insert_staged(session, scope)

    async def _merge(self, repeats: Mapping[int, MemoryId]) -> dict[int, Row]:
        """Adds the rows of these indexes to the memories that say the same; those as they are then, by index."""
        groups = defaultdict[MemoryId, list[Row]](list)
        for index, memory_id in repeats.items():
            groups[memory_id].append(self.rows[index].memory)
        memories = await self.transaction.merge(groups)
        return {index: memories[memory_id] for index, memory_id in repeats.items()}


async def merged_memories(
    session: Session, scope: Scope, keyring: Keyring, rows: Sequence[MergedRow]
) -> dict[int, Row]:
    """The merged memories of a batch as they were then, by index; not those that are gone."""
    parameters = {
        **scope_parameters(scope),
        "memory_ids": [row.memory_id for row in rows],
        "versions": [row.version for row in rows],
    }
    versions = await session.rows(SQL["as_of_versions"], parameters) if rows else []
    memories = await RowReader(scope, keyring).memories(versions)
    by_version = {(memory.memory_id, memory.version): memory for memory in memories}
    return {
        row.place: _as_it_was(by_version[version], row)
        for row in rows
        if (version := (row.memory_id, row.version)) in by_version
    }


def _merged_row(index: int, memory: Row) -> MergedRow:
    return MergedRow(
        place=index,
        memory_id=memory.memory_id,
        version=memory.version,
        model=memory.vector_model_id,
        accessed_at=memory.accessed_at,
        access_count=memory.access_count,
        stated_count=memory.stated_count,
    )


def _as_it_was(memory: Row, row: MergedRow) -> Row:
    return memory._replace(
        vector_model_id=row.model,
        accessed_at=row.accessed_at,
        access_count=row.access_count,
        stated_count=row.stated_count,
    )
