"""The trust of sources: the memories and events that a memory names as what it rests on."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from camillo_server.kernel.attribution import TRUST_LEVELS, TrustLevel, level_of
from camillo_server.kernel.scope import ACTOR_TYPES, Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("rows/store/reads")
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
    ref_of = dict(_ids(refs))
    if not ref_of:
        return {}
    parameters = {**scope_parameters(scope), "source_ids": list(ref_of)}
    found: dict[str, TrustLevel] = {}
    for source_id, *columns in await rows(SQL["trust_of_sources"], parameters):
        ref, level = ref_of[source_id], _level(*columns)
        found[ref] = min(level, found.get(ref, level))
    return found


def _ids(refs: set[str]) -> Iterator[tuple[UUID, str]]:
    for ref in refs:
        try:
            yield UUID(ref), ref
        except ValueError:
            continue


def _level(of_memory: int | None, actor_type: int, trust: int) -> TrustLevel:
    if of_memory is not None:
        return TRUST_LEVELS[of_memory]
    if trust == UNKNOWN:
        return TrustLevel.UNKNOWN
    return level_of(ACTOR_TYPES[actor_type - 1], is_verified=trust == VERIFIED)
