"""Supersession in a transaction that writes memories: both sides change at once, at one revision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from camillo_server.kernel.errors import MemoryRepeated, NotFound, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import is_chunk
from camillo_server.rows.merging import (
    MemorySupersession,
    check_end,
    error_of,
    start_of,
    succeeding,
    superseded,
)
from camillo_server.rows.row import Row
from camillo_server.rows.store.refs import trust_within
from camillo_server.rows.store.rows import memory_fingerprint
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.rows.write_records import SupersededReplay, Unsuperseded, WhyUnsuperseded
from camillo_server.storage.statements import statements

SQL = statements("rows/store/supersession")


@dataclass(slots=True)
class Supersessions:
    """Memories that supersede others in one write, and those others, as they are by then. Ids come without repeats."""

    transaction: MemoryTransaction
    memories: dict[MemoryId, Row] = field(default_factory=dict)
    # The memories that were stored before this write, as they were.
    _stored: dict[MemoryId, Row] = field(default_factory=dict)
    _new: set[MemoryId] = field(default_factory=set)

    @classmethod
    async def of(cls, transaction: MemoryTransaction, memory_ids: Sequence[MemoryId]) -> "Supersessions":
        """Reads these memories, as far as they are stored; sends no query for an empty list."""
        self = cls(transaction)
        if memory_ids:
            self.add_stored(await transaction.memories(list(dict.fromkeys(memory_ids))))
        return self

    def add_stored(self, memories: Sequence[Row], *, is_new: bool = False) -> None:
        """Memories as they are stored; new ones in this write, which has their first version."""
        by_id = {each.memory_id: each for each in memories if not is_chunk(each.kind)}
        self.memories |= by_id
        self._stored |= by_id
        if is_new:
            self._new |= by_id.keys()

    async def failure(self, row: int, older: Sequence[MemoryId], successor_id: MemoryId) -> Unsuperseded | None:
        """Why a memory cannot supersede all of these; None if it can."""
        for index, memory_id in enumerate(older):
            memory = self.memories.get(memory_id)
            if memory_id == successor_id or await self._follows(successor_id, memory_id):
                return Unsuperseded(row, index, WhyUnsuperseded.CYCLE)
            if memory is None:
                return Unsuperseded(row, index, WhyUnsuperseded.MISSING)
            if memory.superseded_by is not None:
                return Unsuperseded(row, index, WhyUnsuperseded.SUPERSEDED, memory.version)
        return None

    async def take(self, successor: Row, older: Sequence[MemoryId], since: datetime | None = None) -> Row:
        """The successor of these memories, trusted no further than the refs that it takes over; `since` is by default
        when it says itself that it is true."""
        before = successor
        for memory_id in older:
            memory = self.memories[memory_id]
            self._change(superseded(memory, successor.memory_id, since or start_of(successor)))
            successor = succeeding(successor, memory)
        if since is not None and successor.valid_from is None:
            successor = successor._replace(valid_from=since)
        if successor.source_refs != before.source_refs:
            transaction = self.transaction
            (least,) = await trust_within(transaction.session, transaction.scope, [successor.source_refs])
            successor = successor._replace(trust_level=min(successor.trust_level, least))
        return self._change(successor)

    async def store(self) -> None:
        """Stores those that were stored before and have changed: what was in force of them becomes history. Raises
        MemoryRepeated where another memory says the same of the same time."""
        changed = [memory for key, memory in self.memories.items() if memory != self._stored[key]]
        transaction = self.transaction
        fingerprints = [memory_fingerprint(transaction.keyring, transaction.scope, memory) for memory in changed]
        taken = await transaction.ids_by_fingerprint(fingerprints)
        for memory, fingerprint in zip(changed, fingerprints, strict=True):
            if taken.get(fingerprint or b"", memory.memory_id) != memory.memory_id:
                raise MemoryRepeated(taken[fingerprint or b""])
        await transaction.keep_versions([each.memory_id for each in changed if each.memory_id not in self._new])
        async with transaction.session.pipeline():
            for memory, fingerprint in zip(changed, fingerprints, strict=True):
                parameters = {**transaction.key, **_columns(memory), "fingerprint": fingerprint}
                await transaction.session.execute(SQL["change"], parameters)

    def _change(self, memory: Row) -> Row:
        """Keeps a memory as it is now: a stored one in its next version."""
        if memory.memory_id not in self._new:
            version = self._stored[memory.memory_id].version + 1
            memory = memory._replace(version=version, updated_at=self.transaction.now)
        self.memories[memory.memory_id] = memory
        return memory

    async def _follows(self, memory_id: MemoryId, successor_id: MemoryId) -> bool:
        """Whether a memory was superseded by the other, directly or through others."""
        memory = self.memories.get(memory_id)
        if memory is None or memory.superseded_by is None:
            return False
        if memory.superseded_by in (successor_id, memory_id):
            return True
        parameters = {**self.transaction.key, "memory_id": memory.superseded_by}
        rows = await self.transaction.session.rows(SQL["successors"], parameters)
        return successor_id in {each for (each,) in rows}


async def supersede(transaction: MemoryTransaction, asked: MemorySupersession) -> SupersededReplay:
    """Has one memory supersede another. Raises NotFound, VersionConflict, SupersessionCycle, MemoryRepeated,
    InvalidField."""
    both = await Supersessions.of(transaction, [asked.memory_id, asked.successor_id])
    current = both.memories.get(asked.memory_id)
    if asked.successor_id not in both.memories:
        raise NotFound("memory", asked.successor_id)
    if current is not None and current.version != asked.expected_version:
        raise VersionConflict("memory", asked.expected_version, current.version)
    if failure := await both.failure(0, [asked.memory_id], asked.successor_id):
        raise error_of(failure, asked.memory_id)
    successor = await both.take(both.memories[asked.successor_id], [asked.memory_id], asked.since)
    check_end(successor)
    await both.store()
    before = both.memories[asked.memory_id]
    return SupersededReplay(successor.memory_id, before.memory_id, successor.version, before.version)


async def unsupersede(transaction: MemoryTransaction, memory: Row, version: int | None) -> bool:
    """Puts a superseded memory in force again, as it was in this version, the one before; false where it has changed
    since, or another memory says the same now."""
    if memory.version != (version or 0) + 1:
        return False
    parameters = {**transaction.key, "memory_id": memory.memory_id, "version": version}
    before = await transaction.session.row(SQL["validity"], parameters)
    if before is None:
        return False
    restored = memory._replace(
        superseded_by=None, valid_until=before[0], version=memory.version + 1, updated_at=transaction.now
    )
    fingerprint = memory_fingerprint(transaction.keyring, transaction.scope, restored)
    taken = await transaction.ids_by_fingerprint([fingerprint])
    if taken.get(fingerprint or b"", memory.memory_id) != memory.memory_id:
        return False
    await transaction.keep_versions([memory.memory_id])
    changed = {**transaction.key, **_columns(restored), "fingerprint": fingerprint}
    await transaction.session.execute(SQL["change"], changed)
    return True


def _columns(memory: Row) -> Mapping[str, Any]:
    return {
        "memory_id": memory.memory_id,
        "version": memory.version,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "supersedes": list(memory.supersedes) or None,
        "superseded_by": memory.superseded_by,
        "source_refs": list(memory.source_refs),
        "trust_level": int(memory.trust_level),
    }
