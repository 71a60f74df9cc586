"""One batch of an import, put into the staging table before the scope's turn was taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from camillo_server.kernel.errors import DomainError, MemoryRepeated, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.memories.memory import NewRow
from camillo_server.memories.store.batch import MemoryTransaction, merged_repeats
from camillo_server.memories.store.staging import insert_staged
from camillo_server.memories.write_records import ImportedBatch
from camillo_server.storage.statements import statements

SQL = {**statements("memories/store/writes"), **statements("memories/store/repeats")}


@dataclass(frozen=True, slots=True)
class StagedImport:
    """Rows of different ids. `holders` are the memories that say what a fingerprint stands for, and become those that do
    then."""

    turn: MemoryTransaction
    rows: Sequence[NewRow]
    fingerprints: Sequence[bytes | None]
    holders: dict[bytes, MemoryId]
    failures: dict[int, DomainError] = field(default_factory=dict)

    async def store(self, *, replace: bool) -> ImportedBatch:
        """Stores what is staged. Raises KeyMissing."""
        session = self.turn.session
        unstaged = await session.rows(SQL["unstage_taken"], self.turn.key)
        taken: Mapping[MemoryId, bool] = dict(unstaged)
        wanted = {
            place: row
            for place, row in enumerate(self.rows)
            if row.memory.memory_id not in taken or (replace and taken[row.memory.memory_id])
        }
        refused = await self.turn.refused(wanted)
        self.failures.update({place: ValueRejected(name) for place, name in refused.items()})
        allowed = [place for place in wanted if place not in refused]
        in_place = [place for place in allowed if self.rows[place].memory.memory_id in taken]
        new = [place for place in allowed if self.rows[place].memory.memory_id not in taken]
        replaced = await self._replaced(in_place)
        repeats = self._repeats(new)
        await self._unstage([*refused, *repeats])
        async with session.pipeline():
            await insert_staged(session, self.turn.scope)
        await merged_repeats(self.turn, self.rows, repeats)
        return ImportedBatch(
            revision=self.turn.revision,
            stored=len(new) - len(repeats) + replaced,
            skipped=len(self.rows) - len(wanted),
            merged=len(repeats),
            failures=self.failures,
        )

    async def _replaced(self, places: Sequence[int]) -> int:
        """Puts these in place, but for those that say what another memory says; tells how many."""
        says = {memory_id: told for told, memory_id in self.holders.items()}
        replaced = 0
        for place in places:
            row, told = self.rows[place], self.fingerprints[place]
            memory_id = row.memory.memory_id
            holder = self.holders.get(told, memory_id) if told else memory_id
            if holder != memory_id:
                self.failures[place] = MemoryRepeated(holder)
                continue
            await self.turn.put_in_place(row)
            await self.turn.put_statistics(row.memory)
            self.holders.pop(says.pop(memory_id, b""), None)
            if told:
                self.holders[told], says[memory_id] = memory_id, told
            replaced += 1
        return replaced

    def _repeats(self, places: Sequence[int]) -> dict[int, MemoryId]:
        """Which of these say what a memory, or one of them before, says; and which that is."""
        found = {}
        for place in places:
            told = self.fingerprints[place]
            if told in self.holders:
                found[place] = self.holders[told]
            elif told:
                self.holders[told] = self.rows[place].memory.memory_id
        return found

    async def _unstage(self, places: Sequence[int]) -> None:
        if places:
            memory_ids = [self.rows[place].memory.memory_id for place in places]
            parameters = {**self.turn.key, "memory_ids": memory_ids}
            await self.turn.session.execute(SQL["unstage"], parameters)
