"""Several memories stored in one turn: each is new, repeats one, or fails alone."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.errors import AlreadyExists, ValueRejected
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory
from camillo_server.domain.ports import MemoriesReplay, MergedRow, NewRow, RefusedRow
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.fingerprints import memory_fingerprints
from camillo_server.storage.memory_turn import MemoryTurn
from camillo_server.storage.row_reading import RowReading
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.staging import insert_staged, stage
from camillo_server.storage.statements import statements

SQL = {**statements("memory_writes"), **statements("repeats")}


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


async def store_batch(turn: MemoryTurn, batch: NewBatch) -> StoredBatch:
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
    turn: MemoryTurn, rows: Sequence[NewRow], repeats: Mapping[int, MemoryId]
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
    memories = await RowReading(scope, keyring).memories(versions)
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


async def _insert(turn: MemoryTurn, rows: Sequence[NewRow]) -> None:
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


async def _taken_ids(turn: MemoryTurn, rows: Sequence[NewRow]) -> set[MemoryId]:
    parameters = {**turn.key, "memory_ids": [row.memory.memory_id for row in rows]}
    return {row[0] for row in await turn.session.rows(SQL["taken_ids"], parameters)}
