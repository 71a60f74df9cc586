"""Several memories stored or imported in one transaction: each is new, repeats a stored one, or fails alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from camillo_server.kernel.errors import DomainError, MemoryRepeated, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import Memory, NewRow
from camillo_server.rows.store.rows import RowReader, memory_fingerprints
from camillo_server.rows.store.staging import insert_staged, stage
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
    field), rows that cannot take the places that they state (`unsuperseded`), and rows `merged`, with the memory as it is after
    the merge, or with the places of others; the others are new."""

    taken: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)
    merged: dict[int, Memory] = field(default_factory=dict)
    unsuperseded: list[Unsuperseded] = field(default_factory=list)

    def add(self, first: int, other: "StoredBatch") -> None:
        """Adds the outcome of rows of which the first has this index."""
        self.taken.extend(first + index for index in other.taken)
        self.refused.update({first + index: name for index, name in other.refused.items()})
        self.merged.update({first + index: memory for index, memory in other.merged.items()})
        self.unsuperseded.extend(each._replace(row=first + each.row) for each in other.unsuperseded)

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
    """Stores rows in their order; those that take the places of others one by one. Raises KeyMissing."""
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
    """Stores a row, or adds it to the memory that says the same, and has it take the places that it states."""
    places = row.memory.supersedes
    row = replace(row, memory=row.memory._replace(supersedes=()))
    supersessions = await Supersessions.of(transaction, places)
    fingerprints = await memory_fingerprints(transaction.keyring, transaction.scope, [row])
    repeated = (await transaction.ids_by_fingerprint(fingerprints)).values()
    successor_id = next(iter(repeated), row.memory.memory_id)
    if failure := await supersessions.failure(0, places, successor_id):
        return StoredBatch(unsuperseded=[failure])
    stored = await _store_part(transaction, [row])
    if stored.taken or stored.refused:
        return stored
    successor = stored.merged.get(0, row.memory)
    supersessions.add_stored([successor], is_new=not stored.merged)
    stored.merged[0] = await supersessions.take(successor, places)
    await supersessions.store()
    return stored


async def _store_plain(transaction: MemoryTransaction, rows: Sequence[NewRow]) -> StoredBatch:
    seen = await _taken_ids(transaction, rows)
    fingerprints = await memory_fingerprints(transaction.keyring, transaction.scope, rows)
    ids_by_fingerprint = await transaction.ids_by_fingerprint(fingerprints)
    blocked = await transaction.blocked_rows(
        {index: row for index, row in enumerate(rows) if row.memory.memory_id not in seen}
    )
    stored, new, repeats = StoredBatch(), dict[int, NewRow](), dict[int, MemoryId]()
    for index, (row, fingerprint) in enumerate(zip(rows, fingerprints, strict=True)):
        memory_id = row.memory.memory_id
        if memory_id in seen:
            stored.taken.append(index)
        elif index in blocked:
            stored.refused[index] = blocked[index]
        elif fingerprint in ids_by_fingerprint:
            repeats[index] = ids_by_fingerprint[fingerprint]
        else:
            new[index] = row
            seen.add(memory_id)
            if fingerprint:
                ids_by_fingerprint[fingerprint] = memory_id
    await _insert(transaction, [*new.values()], [fingerprints[index] for index in new])
    stored.merged.update(await merge_repeats(transaction, rows, repeats))
    return stored


async def merge_repeats(
    transaction: MemoryTransaction, rows: Sequence[NewRow], repeats: Mapping[int, MemoryId]
) -> dict[int, Memory]:
    """Adds the rows of these indexes to the memories that say the same; those as they are then, by index."""
    groups = defaultdict[MemoryId, list[Memory]](list)
    for index, memory_id in repeats.items():
        groups[memory_id].append(rows[index].memory)
    memories = await transaction.merge(groups)
    return {index: memories[memory_id] for index, memory_id in repeats.items()}


async def merged_memories(
    session: Session, scope: Scope, keyring: Keyring, rows: Sequence[MergedRow]
) -> dict[int, Memory]:
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


async def _insert(transaction: MemoryTransaction, rows: Sequence[NewRow], fingerprints: Sequence[bytes | None]) -> None:
    if rows:
        await stage(transaction.session, transaction.scope, rows, transaction.keyring, fingerprints)
        async with transaction.session.pipeline():
            await insert_staged(transaction.session, transaction.scope)


def _merged_row(index: int, memory: Memory) -> MergedRow:
    return MergedRow(
        place=index,
        memory_id=memory.memory_id,
        version=memory.version,
        model=memory.vector_model_id,
        accessed_at=memory.accessed_at,
        access_count=memory.access_count,
        stated_count=memory.stated_count,
    )


def _as_it_was(memory: Memory, row: MergedRow) -> Memory:
    return memory._replace(
        vector_model_id=row.model,
        accessed_at=row.accessed_at,
        access_count=row.access_count,
        stated_count=row.stated_count,
    )


async def _taken_ids(transaction: MemoryTransaction, rows: Sequence[NewRow]) -> set[MemoryId]:
    parameters = {**transaction.key, "memory_ids": [row.memory.memory_id for row in rows]}
    return {memory_id for (memory_id,) in await transaction.session.rows(SQL["taken_ids"], parameters)}


@dataclass(frozen=True, slots=True)
class StagedImport:
    """Rows of different ids. `ids_by_fingerprint` begins with the stored memories that say the same as a row, and is
    kept up to date."""

    transaction: MemoryTransaction
    rows: Sequence[NewRow]
    fingerprints: Sequence[bytes | None]
    ids_by_fingerprint: dict[bytes, MemoryId]
    failures: dict[int, DomainError] = field(default_factory=dict)

    async def store(self, *, replace: bool) -> ImportedBatch:
        """Stores the staged rows; with `replace` also those whose id a memory has. Raises KeyMissing."""
        session = self.transaction.session
        # Ids that the scope has already, each with whether both rows are memories, or both are chunks.
        taken: dict[MemoryId, bool] = dict(await session.rows(SQL["unstage_taken"], self.transaction.key))
        candidates = {
            index: row
            for index, row in enumerate(self.rows)
            if row.memory.memory_id not in taken or (replace and taken[row.memory.memory_id])
        }
        blocked = await self.transaction.blocked_rows(candidates)
        self.failures.update({index: ValueRejected(name) for index, name in blocked.items()})
        allowed = [index for index in candidates if index not in blocked]
        replacing = [index for index in allowed if self.rows[index].memory.memory_id in taken]
        new = [index for index in allowed if self.rows[index].memory.memory_id not in taken]
        replaced = await self._replace(replacing)
        repeats = self._repeats(new)
        await self._unstage([*blocked, *repeats])
        async with session.pipeline():
            await insert_staged(session, self.transaction.scope)
        await merge_repeats(self.transaction, self.rows, repeats)
        return ImportedBatch(
            revision=self.transaction.revision,
            stored=len(new) - len(repeats) + replaced,
            skipped=len(self.rows) - len(candidates),
            merged=len(repeats),
            failures=self.failures,
        )

    async def _replace(self, indexes: Sequence[int]) -> int:
        """Replaces memories by these rows, but for rows that say what another memory says; how many."""
        fingerprints = {memory_id: each for each, memory_id in self.ids_by_fingerprint.items()}
        replaced = 0
        for index in indexes:
            row, fingerprint = self.rows[index], self.fingerprints[index]
            memory_id = row.memory.memory_id
            same_id = self.ids_by_fingerprint.get(fingerprint or b"", memory_id)
            if same_id != memory_id:
                self.failures[index] = MemoryRepeated(same_id)
                continue
            await self.transaction.replace(row)
            await self.transaction.replace_statistics(row.memory)
            self.ids_by_fingerprint.pop(fingerprints.pop(memory_id, b""), None)
            if fingerprint:
                self.ids_by_fingerprint[fingerprint] = memory_id
                fingerprints[memory_id] = fingerprint
            replaced += 1
        return replaced

    def _repeats(self, indexes: Sequence[int]) -> dict[int, MemoryId]:
        """The rows that say what a memory, or a row before them, says; and the id of that."""
        repeats = {}
        for index in indexes:
            fingerprint = self.fingerprints[index]
            if fingerprint in self.ids_by_fingerprint:
                repeats[index] = self.ids_by_fingerprint[fingerprint]
            elif fingerprint:
                self.ids_by_fingerprint[fingerprint] = self.rows[index].memory.memory_id
        return repeats

    async def _unstage(self, indexes: Sequence[int]) -> None:
        if indexes:
            memory_ids = [self.rows[index].memory.memory_id for index in indexes]
            parameters = {**self.transaction.key, "memory_ids": memory_ids}
            await self.transaction.session.execute(SQL["unstage"], parameters)
