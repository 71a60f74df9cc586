"""Several memories stored or imported in one transaction: each is new, repeats a stored one, or fails alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import DomainError, MemoryRepeated, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory, NewRow
from camillo_server.memories.repeats import merge
from camillo_server.memories.store.rows import RowReader, memory_fingerprints, row_parameters
from camillo_server.memories.store.staging import insert_staged, stage
from camillo_server.memories.store.staleness import mark_derived
from camillo_server.memories.write_records import (
    ImportedBatch,
    MemoriesReplay,
    MergedRow,
    RefusedRow,
)
from camillo_server.storage.blocklist import (
    ValueFingerprints,
    blocked_fingerprints,
    fingerprint_texts,
    has_blocks,
)
from camillo_server.storage.database import Session
from camillo_server.storage.refusals import note_refusals
from camillo_server.storage.statements import scope_parameters, statements

SQL = {**statements("memories/store/writes"), **statements("memories/store/repeats")}


@dataclass(frozen=True, slots=True)
class MemoryTransaction:
    """A transaction that holds the scope's write lock, at the revision that it will commit."""

    session: Session
    scope: Scope
    revision: int
    now: datetime
    keyring: Keyring

    @property
    def key(self) -> dict[str, Any]:
        """The parameters of every statement."""
        return {**scope_parameters(self.scope), "revision": self.revision, "now": self.now}

    async def ids_by_fingerprint(
        self, fingerprints: Sequence[bytes | None]
    ) -> dict[bytes, MemoryId]:
        """The stored memories that have one of these fingerprints."""
        parameters = {**self.key, "fingerprints": [each for each in fingerprints if each]}
        rows = await self.session.rows(SQL["ids_by_fingerprint"], parameters)
        return {bytes(fingerprint): memory_id for fingerprint, memory_id in rows}

    async def blocked_rows(self, rows: Mapping[int, NewRow]) -> dict[int, str]:
        """The rows with a blocked value, by index, each with the first field that has one."""
        if not await has_blocks(self.session, self.scope):
            return {}
        of_each = await off_loop(UNBOUNDED, lambda: self._value_fingerprints(rows))
        every = {fingerprint for each in of_each.values() for fingerprint in each.all()}
        blocked = await blocked_fingerprints(self.session, self.scope, every)
        for index, each in of_each.items():
            path = f"memories[{index}]." if len(rows) > 1 else "memory."
            note_refusals(self.scope, each.receipts(blocked, path))
        fields = ((index, each.fields_with(blocked)) for index, each in of_each.items())
        return {index: names[0] for index, names in fields if names}

    def _value_fingerprints(self, rows: Mapping[int, NewRow]) -> dict[int, ValueFingerprints]:
        return {
            index: fingerprint_texts(self.scope, row.memory.texts) for index, row in rows.items()
        }

    async def replace(self, row: NewRow) -> None:
        """Puts the row in force as the next version of its memory; the version before it becomes history. What was derived
        from a memory that says something else now is stale, and a source of a merged memory in force again."""
        memory = row.memory
        key = {**self.key, "memory_id": memory.memory_id, "is_chunk": is_chunk(memory.kind)}
        version, term_count, fingerprint = await self.session.only_row(SQL["lock_memory"], key)
        parameters = row_parameters(self.scope, row, self.keyring) | key
        is_same = fingerprint is not None and fingerprint == parameters["fingerprint"]
        parameters["says_the_same"] = is_same
        if (
            not is_same
            and not key["is_chunk"]
            and memory.memory_id
            in await mark_derived(
                self.session, self.scope, memory.memory_id, self.revision, self.now
            )
        ):
            parameters["archived"] = False
        parameters["version"] = max(version + 1, memory.version)
        added_terms = parameters["term_count"] - term_count
        added = {**key, "added_memories": 0, "added_terms": added_terms}
        async with self.session.pipeline():
            await self._keep_versions([memory.memory_id])
            await self.session.execute(SQL["replace_memory"], parameters)
            vectors = "drop_vectors" if row.vector is None else "replace_vector"
            await self.session.execute(SQL[vectors], parameters)
            await self.session.execute(SQL["adjust_scope"], added)

    async def replace_statistics(self, memory: Memory) -> None:
        """The statistics of an imported memory replace the stored ones, if it has any."""
        if memory.access_count or memory.accessed_at or memory.stated_count > 1:
            parameters = {
                **self.key,
                "memory_id": memory.memory_id,
                "accessed_at": memory.accessed_at,
                "access_count": memory.access_count,
                "stated_count": memory.stated_count,
            }
            await self.session.execute(SQL["replace_access"], parameters)

    async def merge(
        self, repeats: Mapping[MemoryId, Sequence[Memory]]
    ) -> Mapping[MemoryId, Memory]:
        """Adds repeats to the memories of these ids; the memories as they are then."""
        if not repeats:
            return {}
        rows = await self.session.rows(SQL["memories"], {**self.key, "memory_ids": list(repeats)})
        kept = await RowReader(self.scope, self.keyring).memories(rows)
        joined = [merge(each, repeats[each.memory_id], self.now) for each in kept]
        changed = [new for old, new in zip(kept, joined, strict=True) if new.version != old.version]
        async with self.session.pipeline():
            await self._keep_versions([memory.memory_id for memory in changed])
            for memory in changed:
                parameters = row_parameters(self.scope, NewRow(memory, None), self.keyring)
                await self.session.execute(SQL["merge"], parameters | self.key)
            await self.session.execute(SQL["add_statements"], self.key | _added_statistics(repeats))
        return {memory.memory_id: memory for memory in joined}

    async def _keep_versions(self, memory_ids: Sequence[MemoryId]) -> None:
        if memory_ids:
            parameters = {**self.key, "memory_ids": list(memory_ids)}
            await self.session.execute(SQL["keep_version"], parameters)


def _added_statistics(repeats: Mapping[MemoryId, Sequence[Memory]]) -> dict[str, Any]:
    """What repeats add to the statistics of their memories, as columns."""
    groups = repeats.values()
    return {
        "memory_ids": list(repeats),
        "accessed_at": [
            max((each.accessed_at for each in group if each.accessed_at), default=None)
            for group in groups
        ],
        "access_count": [sum(each.access_count for each in group) for group in groups],
        "stated_count": [sum(each.stated_count for each in group) for group in groups],
    }


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """The outcome of a batch, by index: rows whose id is `taken`, rows with a blocked value (`refused`, with its
    field), and rows `merged`, with the memory as it is after the merge; the others are new."""

    taken: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)
    merged: dict[int, Memory] = field(default_factory=dict)

    def add_to(self, replay: MemoriesReplay, rows: Sequence[NewRow]) -> MemoriesReplay:
        """The record with these outcomes. It holds no text: a field is kept as an index, a memory by its version."""
        return replace(
            replay,
            taken=tuple(self.taken),
            refused=tuple(
                RefusedRow(index, list(rows[index].memory.texts).index(name))
                for index, name in self.refused.items()
            ),
            merged=tuple(_merged_row(index, memory) for index, memory in self.merged.items()),
        )


async def store_batch(transaction: MemoryTransaction, rows: Sequence[NewRow]) -> StoredBatch:
    """Stores rows in their order. Raises KeyMissing."""
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


async def _insert(
    transaction: MemoryTransaction, rows: Sequence[NewRow], fingerprints: Sequence[bytes | None]
) -> None:
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
    return {
        memory_id for (memory_id,) in await transaction.session.rows(SQL["taken_ids"], parameters)
    }


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
        # By id, whether a memory has it where the row is a memory, or a chunk where it is a chunk.
        taken: dict[MemoryId, bool] = dict(
            await session.rows(SQL["unstage_taken"], self.transaction.key)
        )
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
