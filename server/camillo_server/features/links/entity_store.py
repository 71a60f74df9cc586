"""Names that were merged and split, in Postgres: a row for each name of a change."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from camillo_server.features.links.entity_names import (
    MAX_STATED_NAMES,
    ChangedNames,
    EntityChange,
    EntityNames,
    NameStatement,
    RevertedNames,
)
from camillo_server.kernel.clock import time_ordered_uuid, time_ordered_uuids
from camillo_server.kernel.errors import QuotaExceeded
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.entities import Entity, EntityType
from camillo_server.rows.forgettable import Forgettable
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import EncryptedJson, Json, JsonLocation
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/links/entities")
PURPOSE = "entity_alias"
# A name that is forgotten takes what was stated of it along, and blocks nothing by itself.
ENTITY_ALIASES = Forgettable("entity_aliases", statements("features/links/forgetting"), PURPOSE)


class EntityStore:
    """Changes of one scope. Every write is one transaction that advances the scope's revision by one. Every method
    raises StorageUnavailable; writes raise RequestIdReused; what reads names raises KeyMissing and BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._keyring = keyring
        self._json = EncryptedJson(keyring)

    async def change(
        self,
        scope: Scope,
        stated: Sequence[NameStatement],
        credential: str,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[ChangedNames]:
        """Stores the statements that change anything. Raises QuotaExceeded, ValueRejected."""
        key = scope_parameters(scope)
        change_id = time_ordered_uuid(now)

        async def change(session: Session, revision: int) -> ChangedNames:
            names = await read_names(session, scope, self._keyring)
            changed = tuple(position for position, each in enumerate(stated) if names.apply(each))
            (kept,) = await session.only_row(SQL["count"], key)
            if changed and kept + len(changed) > MAX_STATED_NAMES:
                raise QuotaExceeded("entity_names", MAX_STATED_NAMES)
            ids = time_ordered_uuids(now, len(changed))
            async with session.pipeline():
                for place, (alias_id, position) in enumerate(zip(ids, changed, strict=True)):
                    row = {"change_id": change_id, "revision": revision, "place": place, "credential": credential}
                    columns = self._columns(scope, alias_id, stated[position])
                    await session.execute(SQL["insert"], {**key, **row, **columns, "alias_id": alias_id, "now": now})
            return ChangedNames(change_id if changed else None, changed, now, credential)

        texts = {f"names[{position}].name": each.alias.name for position, each in enumerate(stated)}
        if stated[0].into is not None:
            texts["into.name"] = stated[0].into.name
        ids = {"name_count": len(stated)}
        return await self._writes.write(
            scope, request, ChangedNames, change, now, texts=texts, ids=ids, only_added=True
        )

    async def revert(
        self, scope: Scope, change_id: UUID, request: RequestKey | None, *, now: datetime
    ) -> Written[RevertedNames]:
        """Passes over a change that does not exist, or was reverted."""
        parameters = {**scope_parameters(scope), "change_id": change_id, "now": now}

        async def change(session: Session, revision: int) -> RevertedNames:
            return RevertedNames(*await session.only_row(SQL["revert"], parameters))

        ids = {"change_id": change_id}
        return await self._writes.write(scope, request, RevertedNames, change, now, ids=ids, only_added=True)

    async def changes(self, scope: Scope, before: int, size: int) -> tuple[Sequence[EntityChange], int | None]:
        """At most `size` changes before a revision, newest first, and the revision before which the next page begins;
        None for the last page."""
        parameters = {**scope_parameters(scope), "before": before, "size": MAX_STATED_NAMES}
        rows = await self._writes.database.records(scope, SQL["changes"], parameters)
        changes = [list(each) for _, each in groupby(rows, key=lambda row: row.revision)]
        page = changes[:size]
        next_before = page[-1][0].revision if len(changes) > size else None
        cost = ROW * sum(map(len, page))
        return await off_loop(cost, lambda: [self._change(scope, each) for each in page]), next_before

    async def names_beside(self, scope: Scope, texts: Sequence[str]) -> Sequence[str]:
        """The names that were merged in the scope with one of these, without these."""

        async def work(session: Session) -> EntityNames:
            return await read_names(session, scope, self._keyring)

        return (await self._writes.database.read(scope, work)).beside(texts)

    def _change(self, scope: Scope, rows: Sequence[Any]) -> EntityChange:
        stated = [_statement(self._json, scope, row[:4]) for row in rows]
        first = rows[0]
        return EntityChange(
            change_id=first.change_id,
            into=stated[0].into,
            names=[each.alias for each in stated],
            changed_at=first.changed_at,
            credential=first.credential,
            reverted_at=first.reverted_at,
        )

    def _columns(self, scope: Scope, alias_id: UUID, stated: NameStatement) -> dict[str, Any]:
        details = {"alias": _named(stated.alias), "into": stated.into and _named(stated.into)}
        location = _location(scope, alias_id)
        return self._json.columns(details, location, encrypted=not self._keyring.is_empty)


async def read_names(session: Session, scope: Scope, keyring: Keyring) -> EntityNames:
    """The names that mean one entity in a scope. Raises KeyMissing, BytesLost."""
    rows = await session.rows(SQL["names"], scope_parameters(scope))
    json = EncryptedJson(keyring)
    return await off_loop(len(rows) * ROW, lambda: EntityNames(_statement(json, scope, row) for row in rows))


def _statement(json: EncryptedJson, scope: Scope, row: Sequence[Any]) -> NameStatement:
    alias_id, *columns = row
    details = json.read(columns, _location(scope, alias_id))
    into = details["into"]
    return NameStatement(_entity(details["alias"]), into and _entity(into))


def _location(scope: Scope, alias_id: UUID) -> JsonLocation:
    return JsonLocation.in_scope(scope.tenant_id, scope.agent_id, PURPOSE, alias_id)


def _named(entity: Entity) -> Json:
    return {"type": int(entity.type), "name": entity.name}


def _entity(named: Json) -> Entity:
    return Entity(EntityType(named["type"]), named["name"])
