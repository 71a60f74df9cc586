"""A transaction that writes memories: what it compares, replaces and merges, and the versions that it keeps."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.kernel.errors import MemoryRepeated, NotFound, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.merging import merge, with_occurrences
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.removal import mark_derived
from camillo_server.rows.store.rows import RowReader, memory_fingerprint, row_parameters
from camillo_server.rows.write_records import UpdatedVersions
from camillo_server.storage.blocklist import (
    ValueFingerprints,
    blocked_fingerprints,
    fingerprint_texts,
    has_blocks,
)
from camillo_server.storage.database import Session
from camillo_server.storage.receipts import note_refusals
from camillo_server.storage.statements import scope_parameters, statements

SQL = {**statements("rows/store/writes"), **statements("rows/store/repeats")}


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

    async def ids_by_fingerprint(self, fingerprints: Sequence[bytes | None]) -> dict[bytes, MemoryId]:
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
        return {index: fingerprint_texts(self.scope, row.memory.texts) for index, row in rows.items()}

    async def update(self, row: NewRow, fingerprints: Sequence[bytes | None], versions: UpdatedVersions) -> None:
        """Replaces the expected version of a memory by the row, which has the only one of these fingerprints. Raises
        NotFound, VersionConflict, MemoryRepeated."""
        memory_id = row.memory.memory_id
        key = {**self.key, "memory_id": memory_id, "is_chunk": False}
        current = await self.session.record(SQL["lock_memory"], key)
        if current is None:
            raise NotFound("memory", memory_id)
        if not current.version == versions.expected == versions.read:
            raise VersionConflict("memory", versions.expected, current.version)
        for same_id in (await self.ids_by_fingerprint(fingerprints)).values():
            if same_id != memory_id:
                raise MemoryRepeated(same_id)
        await self.replace(row)

    async def replace(self, row: NewRow) -> None:
        """Puts the row in force as the next version of its memory; the version before it becomes history. If the new
        version says something else, memories derived from it become stale; a source of a merged memory is then in force
        again."""
        memory = row.memory
        key = {**self.key, "memory_id": memory.memory_id, "is_chunk": is_chunk(memory.kind)}
        locked = await self.session.only_record(SQL["lock_memory"], key)
        parameters = row_parameters(self.scope, row, self.keyring) | key
        is_same = parameters["says_the_same"] = self._says_the_same(memory, locked)
        if (
            not is_same
            and not key["is_chunk"]
            and memory.memory_id
            in await mark_derived(self.session, self.scope, memory.memory_id, self.revision, self.now)
        ):
            parameters["archived"] = False
        parameters["version"] = max(locked.version + 1, memory.version)
        added_terms = parameters["term_count"] - locked.term_count
        added = {**key, "added_memories": 0, "added_terms": added_terms}
        async with self.session.pipeline():
            await self.keep_versions([memory.memory_id])
            await self.session.execute(SQL["replace_memory"], parameters)
            vectors = "drop_vectors" if row.vector is None else "replace_vector"
            await self.session.execute(SQL[vectors], parameters)
            await self.session.execute(SQL["adjust_scope"], added)

    async def redact(self, memory: Row) -> None:
        """Puts the row in the place of its memory or chunk, without a vector, unless it is the version in force. The
        version before is not kept, and what was derived from it stays as it is: it said this, too."""
        key = {**self.key, "memory_id": memory.memory_id, "is_chunk": is_chunk(memory.kind)}
        locked = await self.session.only_record(SQL["lock_memory"], key)
        if locked.version == memory.version:
            return
        parameters = row_parameters(self.scope, NewRow(memory, None), self.keyring) | key | {"says_the_same": False}
        added = {**key, "added_memories": 0, "added_terms": parameters["term_count"] - locked.term_count}
        async with self.session.pipeline():
            await self.session.execute(SQL["replace_memory"], parameters)
            await self.session.execute(SQL["drop_vectors"], parameters)
            await self.session.execute(SQL["adjust_scope"], added)

    def _says_the_same(self, memory: Row, locked: Any) -> bool:
        """Whether it has the content that is stored, from whenever until whenever it is true."""
        as_stored = memory._replace(
            valid_from=locked.valid_from,
            valid_until=locked.valid_until,
            superseded_by=locked.superseded_by,
        )
        fingerprint = memory_fingerprint(self.keyring, self.scope, as_stored)
        return fingerprint is not None and fingerprint == locked.fingerprint

    async def replace_statistics(self, memory: Row) -> None:
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

    async def memories(self, memory_ids: Sequence[MemoryId]) -> Sequence[Row]:
        """The memories with these ids, as far as they exist."""
        rows = await self.session.rows(SQL["memories"], {**self.key, "memory_ids": memory_ids})
        return await RowReader(self.scope, self.keyring).memories(rows)

    async def merge(self, repeats: Mapping[MemoryId, Sequence[Row]]) -> Mapping[MemoryId, Row]:
        """Adds repeats to the memories of these ids; the memories as they are then."""
        if not repeats:
            return {}
        kept = await self.memories(list(repeats))
        joined = [
            with_occurrences(merge(each, told, self.now), each, told)
            for each in kept
            for told in (repeats[each.memory_id],)
        ]
        pairs = list(zip(kept, joined, strict=True))
        changed = [new for old, new in pairs if new.version != old.version]
        # How it was stated is no part of a version.
        restated = [new for old, new in pairs if new.version == old.version and new.occurrences is not old.occurrences]
        async with self.session.pipeline():
            await self.keep_versions([memory.memory_id for memory in changed])
            for memory in (*changed, *restated):
                parameters = row_parameters(self.scope, NewRow(memory, None), self.keyring)
                await self.session.execute(SQL["merge"], parameters | self.key)
            await self.session.execute(SQL["add_statements"], self.key | _added_statistics(repeats))
        return {memory.memory_id: memory for memory in joined}

    async def count_statements(self, memory_ids: Sequence[MemoryId], change: int) -> None:
        """Counts so many more, or fewer, statements of each of these memories, as often as it is named."""
        counts = Counter(memory_ids)
        if counts:
            repeats = [change * count for count in counts.values()]
            nothing = {"accessed_at": [None] * len(counts), "access_count": [0] * len(counts)}
            # One statement of each is that of the memory itself.
            parameters = {"memory_ids": list(counts), "stated_count": repeats, **nothing}
            await self.session.execute(SQL["add_statements"], self.key | parameters)

    async def keep_versions(self, memory_ids: Sequence[MemoryId]) -> None:
        """Copies the versions in force of these memories into the history."""
        if memory_ids:
            parameters = {**self.key, "memory_ids": list(memory_ids)}
            await self.session.execute(SQL["keep_version"], parameters)


def _added_statistics(repeats: Mapping[MemoryId, Sequence[Row]]) -> dict[str, Any]:
    """The statistics that repeats add to their memories, as columns."""
    groups = repeats.values()
    return {
        "memory_ids": list(repeats),
        "accessed_at": [
            max((each.accessed_at for each in group if each.accessed_at), default=None) for group in groups
        ],
        "access_count": [sum(each.access_count for each in group) for group in groups],
        "stated_count": [sum(each.stated_count for each in group) for group in groups],
    }
