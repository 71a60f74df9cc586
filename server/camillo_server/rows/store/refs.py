"""Refs: ids by which records name what they rest on; whether that exists, and how far it is to be trusted."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from camillo_server.kernel.scope import ACTOR_TYPES, TRUST_LEVELS, Scope, TrustLevel, level_of
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/refs")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


class RefResolver:
    """Checks that cited events, chunks, memories, decisions, tasks, slots and artifacts exist; those of another tenant
    or another agent count as missing. Raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def missing(self, scope: Scope, refs: Sequence[str]) -> Sequence[str]:
        """The refs that exist neither in the scope nor in the tenant's shared scope, in their order."""
        ids = {ref: UUID(ref) for ref in refs if _UUID.fullmatch(ref)}
        names = {ref for ref in refs if _ARTIFACT_ID.fullmatch(ref)}
        if not ids and not names:
            return list(refs)
        parameters = {
            **scope_parameters(scope),
            "ids": list(set(ids.values())),
            "artifact_ids": list(names),
        }

        rows = await self._database.rows(scope, SQL["existing"], parameters)
        existing = {ref for (ref,) in rows}
        return [ref for ref in refs if str(ids.get(ref, ref)) not in existing]


# Values of an event's `Trust`: stored before it was recorded; stated by a credential that speaks for the actor.
UNKNOWN, VERIFIED = 0, 2


@dataclass(frozen=True, slots=True)
class Lineage:
    """Looks sources up. Raises StorageUnavailable."""

    database: Database

    async def least_trust(self, scope: Scope, refs: Sequence[Sequence[str]]) -> list[TrustLevel]:
        """For each list of refs, the least level of those that name a memory, a chunk, an event or a slot of the scope
        or of the tenant's shared one; the highest where none does. Nothing is read where there is no such ref."""
        return await _least_trust(partial(self.database.rows, scope), scope, refs)


async def trust_within(session: Session, scope: Scope, refs: Sequence[Sequence[str]]) -> list[TrustLevel]:
    """Returns what `Lineage.least_trust` does, within a transaction."""
    return await _least_trust(session.rows, scope, refs)


async def _least_trust(
    rows: Callable[..., Awaitable[Sequence[Any]]], scope: Scope, refs: Sequence[Sequence[str]]
) -> list[TrustLevel]:
    levels = await _levels(rows, scope, {ref for each in refs for ref in each})
    highest = max(TrustLevel)
    return [min((levels.get(ref, highest) for ref in each), default=highest) for each in refs]


async def _levels(
    rows: Callable[..., Awaitable[Sequence[Any]]], scope: Scope, refs: set[str]
) -> Mapping[str, TrustLevel]:
    # An id may be spelled in several ways.
    ids = dict(_ids(refs))
    if not ids:
        return {}
    parameters = {**scope_parameters(scope), "source_ids": list(set(ids.values()))}
    found: dict[UUID, TrustLevel] = {}
    for source_id, *columns in await rows(SQL["trust_of_sources"], parameters):
        level = _level(*columns)
        found[source_id] = min(level, found.get(source_id, level))
    return {ref: found[source_id] for ref, source_id in ids.items() if source_id in found}


def _ids(refs: set[str]) -> Iterator[tuple[str, UUID]]:
    for ref in refs:
        try:
            yield ref, UUID(ref)
        except ValueError:
            continue


def _level(of_memory: int | None, actor_type: int, trust: int) -> TrustLevel:
    if of_memory is not None:
        return TRUST_LEVELS[of_memory]
    if trust == UNKNOWN:
        return TrustLevel.UNKNOWN
    return level_of(ACTOR_TYPES[actor_type - 1], is_verified=trust == VERIFIED)
