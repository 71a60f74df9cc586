"""Several memories stored in one turn: each is new, repeats one, or fails alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import AlreadyExists, ValueRejected
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory, NewRow
from camillo_server.memories.repeats import merged
from camillo_server.memories.store.rows import RowReader, memory_fingerprints, row_parameters
from camillo_server.memories.store.staging import insert_staged, stage
from camillo_server.memories.write_records import MemoriesReplay, MergedRow, RefusedRow
from camillo_server.storage.blocklist import Marked, blocked_marks, has_blocks, marked
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = {**statements("memories/store/writes"), **statements("memories/store/repeats")}


@dataclass(frozen=True, slots=True)
class MemoryTransaction:
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
        kept = await RowReader(self.scope, self.keyring).memories(held)
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


@dataclass(frozen=True, slots=True)
class NewBatch:
    """Rows to be stored. Of a row that `is_alone` a failure is raised."""

    rows: Sequence[NewRow]
    is_alone: bool = False


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """What became of rows, by their places: `taken` is their id, `refused` a text of theirs (its field is named), or they
    were `merged` into a memory, given as it is then; the others are new."""

    taken: list[int] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)
    merged: dict[int, Memory] = field(default_factory=dict)

    def add_to(self, replay: MemoriesReplay, rows: Sequence[NewRow]) -> MemoriesReplay:
        """The record with these outcomes. It holds no text: a field is kept by its number, a memory by its version."""
        return replace(
            replay,
            taken=tuple(self.taken),
            refused=tuple(
                RefusedRow(place, list(rows[place].memory.texts).index(name))
                for place, name in self.refused.items()
            ),
            merged=tuple(_merged_row(place, memory) for place, memory in self.merged.items()),
        )


async def store_batch(turn: MemoryTransaction, batch: NewBatch) -> StoredBatch:
    """Stores rows in their order. Raises KeyMissing, and AlreadyExists or ValueRejected for a row that is alone."""
    rows = batch.rows
    seen = await _taken_ids(turn, rows)
    fingerprints = memory_fingerprints(turn.keyring, turn.scope, rows)
    holders = await turn.holders(fingerprints)
    refused = await turn.refused(
        {place: row for place, row in enumerate(rows) if row.memory.memory_id not in seen}
    )
    stored, new, repeats = StoredBatch(), list[NewRow](), dict[int, MemoryId]()
    for place, (row, told) in enumerate(zip(rows, fingerprints, strict=True)):
        memory_id = row.memory.memory_id
        if memory_id in seen:
            stored.taken.append(place)
        elif place in refused:
            stored.refused[place] = refused[place]
        elif told in holders:
            repeats[place] = holders[told]
        else:
            new.append(row)
            seen.add(memory_id)
            if told:
                holders[told] = memory_id
    if batch.is_alone:
        _raise_failure(stored, rows)
    await _insert(turn, new)
    stored.merged.update(await merged_repeats(turn, rows, repeats))
    return stored


async def merged_repeats(
    turn: MemoryTransaction, rows: Sequence[NewRow], repeats: Mapping[int, MemoryId]
) -> dict[int, Memory]:
    """Adds the rows in these places to the memories that say the same, and gives those as they are then."""
    stated = defaultdict[MemoryId, list[Memory]](list)
    for place, memory_id in repeats.items():
        stated[memory_id].append(rows[place].memory)
    joined = await turn.merge(stated)
    return {place: joined[memory_id] for place, memory_id in repeats.items()}


async def merged_memories(
    session: Session, scope: Scope, keyring: Keyring, rows: Sequence[MergedRow]
) -> dict[int, Memory]:
    """The merged memories of a batch as they were then, by place; not those that are gone."""
    parameters = {
        **scope_parameters(scope),
        "memory_ids": [row.memory_id for row in rows],
        "versions": [row.version for row in rows],
    }
    versions = await session.rows(SQL["as_of_versions"], parameters) if rows else []
    memories = await RowReader(scope, keyring).memories(versions)
    found = {(memory.memory_id, memory.version): memory for memory in memories}
    return {
        row.place: _as_it_was(found[version], row)
        for row in rows
        if (version := (row.memory_id, row.version)) in found
    }


def _raise_failure(stored: StoredBatch, rows: Sequence[NewRow]) -> None:
    for place in stored.taken:
        raise AlreadyExists("memory", rows[place].memory.memory_id)
    for name in stored.refused.values():
        raise ValueRejected(name)


async def _insert(turn: MemoryTransaction, rows: Sequence[NewRow]) -> None:
    if rows:
        await stage(turn.session, turn.scope, rows, turn.keyring)
        async with turn.session.pipeline():
            await insert_staged(turn.session, turn.scope)


def _merged_row(place: int, memory: Memory) -> MergedRow:
    return MergedRow(
        place=place,
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


async def _taken_ids(turn: MemoryTransaction, rows: Sequence[NewRow]) -> set[MemoryId]:
    parameters = {**turn.key, "memory_ids": [row.memory.memory_id for row in rows]}
    return {row[0] for row in await turn.session.rows(SQL["taken_ids"], parameters)}
