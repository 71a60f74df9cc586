"""Removing memories for good, with everything that hangs on them."""

from collections.abc import Sequence
from datetime import datetime

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.store.rows import filter_parameters
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = {
    **statements("memories/store/writes"),
    "delete_undone_compactions": statements("forgetting/store/forgetting")[
        "delete_undone_compactions"
    ],
}
STORES = ("memories", "memory_history", "memory_vectors", "memory_access")
NAMED_IDS = 1_000


async def ids_to_forget(
    session: Session, scope: Scope, selector: Sequence[MemoryId] | MemoryFilter, now: datetime
) -> list[MemoryId]:
    """The ids of memories that a selector means, in order."""
    key = scope_parameters(scope)
    if isinstance(selector, MemoryFilter):
        parameters = {**key, **filter_parameters(selector), "now": now}
        return [row[0] for row in await session.rows(SQL["ids_to_forget"], parameters)]
    found = await session.rows(SQL["memories_of_ids"], {**key, "memory_ids": list(selector)})
    return [row[0] for row in found]


async def count_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId]
) -> dict[str, int]:
    """How many rows forgetting these would remove, by store."""
    parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
    counts = await session.only_row(SQL["rows_to_forget"], parameters)
    return dict(zip(STORES, counts, strict=True))


async def delete_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> None:
    """Removes memories or chunks inside the caller's transaction, and leaves tombstones. What compactions tell of them
    goes, too, but where a merged memory stands for them."""
    parameters = {
        **scope_parameters(scope),
        "memory_ids": list(memory_ids),
        "revision": revision,
        "now": now,
    }
    await session.execute(SQL["forget"], parameters)
    await session.execute(SQL["delete_undone_compactions"], parameters)


async def forget_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> dict[str, int]:
    """Removes memories or chunks as `delete_rows` does; how many rows went, by store."""
    stores = await count_rows(session, scope, memory_ids)
    await delete_rows(session, scope, memory_ids, revision, now)
    return stores


MEMORIES = statements("memories/store/writes")
ARCHIVE = statements("lifecycle/store/lifecycle")["archive"]


async def archive_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> None:
    """Archives memories inside the caller's transaction, which has taken the scope's turn: what is in force becomes
    history, as with any change of a memory."""
    parameters = {
        **scope_parameters(scope),
        "memory_ids": list(memory_ids),
        "revision": revision,
        "now": now,
    }
    async with session.pipeline():
        await session.execute(MEMORIES["keep_version"], parameters)
        await session.execute(ARCHIVE, parameters)


async def restore_rows(
    session: Session, scope: Scope, memory_ids: Sequence[MemoryId], revision: int, now: datetime
) -> int:
    """Takes those of these memories back that are archived, in the same way; how many."""
    key = {**scope_parameters(scope), "revision": revision, "now": now}
    rows = await session.rows(MEMORIES["archived_ids"], {**key, "memory_ids": list(memory_ids)})
    archived = {**key, "memory_ids": [row[0] for row in rows]}
    async with session.pipeline():
        await session.execute(MEMORIES["keep_version"], archived)
        await session.execute(MEMORIES["restore"], archived)
    return len(rows)
