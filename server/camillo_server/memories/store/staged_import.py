"""One batch of an import, copied into the staging table before the scope's write lock was taken."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from camillo_server.kernel.errors import DomainError, MemoryRepeated, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.batch import MemoryTransaction, merge_repeats
from camillo_server.memories.store.staging import insert_staged
from camillo_server.memories.write_records import ImportedBatch
from camillo_server.storage.statements import statements

SQL = {**statements("memories/store/writes"), **statements("memories/store/repeats")}


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
