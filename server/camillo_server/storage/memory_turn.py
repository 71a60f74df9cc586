"""What a writer of memories does when it is its turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.ports import NewRow
from camillo_server.domain.repeats import merged
from camillo_server.domain.scope import Scope
from camillo_server.domain.source import is_chunk
from camillo_server.storage.database import Session
from camillo_server.storage.row_reading import RowReading
from camillo_server.storage.rows import row_parameters, scope_parameters
from camillo_server.storage.statements import statements
from camillo_server.storage.value_blocks import Marked, blocked_marks, has_blocks, marked

SQL = {**statements("memory_writes"), **statements("repeats")}


@dataclass(frozen=True, slots=True)
class MemoryTurn:
    """Inside a transaction that has taken the scope's turn and ends with it, at one revision."""

    session: Session
    scope: Scope
    revision: int
    now: datetime
    keyring: Keyring

    @property
    def key(self) -> dict[str, Any]:
        """The parameters that every statement takes."""
        return {**scope_parameters(self.scope), "revision": self.revision, "now": self.now}

    async def holders(self, fingerprints: Sequence[bytes | None]) -> dict[bytes, MemoryId]:
        """Who says already what these stand for."""
        parameters = {**self.key, "fingerprints": [each for each in fingerprints if each]}
        rows = await self.session.rows(SQL["holders"], parameters)
        return {bytes(row[0]): row[1] for row in rows}

    async def refused(self, rows: Mapping[int, NewRow]) -> dict[int, str]:
        """The rows that state what may not be stated, by their places, each with the first such field."""
        if not await has_blocks(self.session, self.scope):
            return {}
        of_each = await off_loop(UNBOUNDED, lambda: self._marked(rows))
        marks = {mark for each in of_each.values() for mark in each.marks()}
        blocked = await blocked_marks(self.session, self.scope, marks)
        fields = ((place, each.fields_with(blocked)) for place, each in of_each.items())
        return {place: found[0] for place, found in fields if found}

    def _marked(self, rows: Mapping[int, NewRow]) -> dict[int, Marked]:
        return {place: marked(self.scope, row.memory.texts) for place, row in rows.items()}

    async def put_in_place(self, row: NewRow) -> None:
        """The row takes the place of what is in force, which becomes history."""
        memory = row.memory
        key = {**self.key, "memory_id": memory.memory_id, "is_chunk": is_chunk(memory.kind)}
        version, term_count, said = await self.session.only_row(SQL["lock_memory"], key)
        parameters = row_parameters(self.scope, row, self.keyring) | key
        parameters["says_the_same"] = said is not None and said == parameters["fingerprint"]
        parameters["version"] = max(version + 1, memory.version)
        added_terms = parameters["term_count"] - term_count
        await self._keep_versions([memory.memory_id])
        await self.session.execute(SQL["replace_memory"], parameters)
        await self.session.execute(SQL["replace_vector"], parameters)
        await self.session.execute(
            SQL["adjust_scope"], {**key, "added_memories": 0, "added_terms": added_terms}
        )

    async def put_statistics(self, memory: Memory) -> None:
        """What an imported memory brings takes the place of what was counted."""
        if memory.access_count or memory.accessed_at or memory.stated_count > 1:
            counted = {
                "accessed_at": memory.accessed_at,
                "access_count": memory.access_count,
                "stated_count": memory.stated_count,
            }
            parameters = {**self.key, "memory_id": memory.memory_id, **counted}
            await self.session.execute(SQL["put_access"], parameters)

    async def merge(
        self, repeats: Mapping[MemoryId, Sequence[Memory]]
    ) -> Mapping[MemoryId, Memory]:
        """Adds statements to the memories of these ids, and gives those as they are then."""
        if not repeats:
            return {}
        held = await self.session.rows(SQL["held"], {**self.key, "memory_ids": list(repeats)})
        kept = await RowReading(self.scope, self.keyring).memories(held)
        joined = [merged(each, repeats[each.memory_id], self.now) for each in kept]
        changed = [new for old, new in zip(kept, joined, strict=True) if new.version != old.version]
        async with self.session.pipeline():
            await self._keep_versions([memory.memory_id for memory in changed])
            for memory in changed:
                parameters = row_parameters(self.scope, NewRow(memory, None), self.keyring)
                await self.session.execute(SQL["merge"], parameters | self.key)
            await self.session.execute(SQL["add_statements"], self.key | _counted(repeats))
        return {memory.memory_id: memory for memory in joined}

    async def _keep_versions(self, memory_ids: Sequence[MemoryId]) -> None:
        if memory_ids:
            parameters = {**self.key, "memory_ids": list(memory_ids)}
            await self.session.execute(SQL["keep_version"], parameters)


def _counted(repeats: Mapping[MemoryId, Sequence[Memory]]) -> dict[str, Any]:
    """What repeats add to the statistics, as columns."""
    of_each = repeats.values()
    seen = ([each.accessed_at for each in stated if each.accessed_at] for stated in of_each)
    return {
        "memory_ids": list(repeats),
        "accessed_at": [max(times, default=None) for times in seen],
        "access_count": [sum(each.access_count for each in stated) for stated in of_each],
        "stated_count": [sum(each.stated_count for each in stated) for stated in of_each],
    }
