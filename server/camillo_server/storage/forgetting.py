"""Removing memories for good, with everything that hangs on them."""

from collections.abc import Sequence
from datetime import datetime

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import MemoryFilter
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.rows import filter_parameters, scope_parameters
from camillo_server.storage.statements import statements

SQL = {
    **statements("memory_writes"),
    "delete_undone_compactions": statements("forgetting")["delete_undone_compactions"],
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
