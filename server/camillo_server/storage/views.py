"""Views: texts that an agent, or a tenant, is always shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.context.view import View
from camillo_server.domain.errors import NotFound, VersionConflict
from camillo_server.domain.replay import replay_record
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import EmptyReplay, RequestKey
from camillo_server.storage.database import Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements
from camillo_server.storage.value_blocks import marked_aside
from camillo_server.storage.view_rows import ViewRows

SQL = statements("context")
MOST_VIEWS = 200


@replay_record
@dataclass(frozen=True, slots=True)
class ViewReplay:
    """The version of a view that was put, and when."""

    version: int
    at: datetime


class PostgresViewStore:
    """`ViewStore` on Postgres. `put` raises KeyMissing, too, and `all` KeyMissing and BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._rows = ViewRows(keyring)

    async def put(
        self,
        scope: Scope,
        view: View,
        expected_version: int | None,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> tuple[View, int]:
        """`updated_at` is made here, too. A view that is not there has version 0."""
        stated = await marked_aside(scope, {"view.text": view.text})

        async def change(session: Session, revision: int) -> ViewReplay:
            found = await session.row(
                SQL["lock_view"], {**scope_parameters(scope), "name": view.name}
            )
            version = found[0] if found else 0
            if expected_version not in (None, version):
                raise VersionConflict("view", expected_version or 0, version)
            stored = replace(view, version=version + 1, updated_at=now)
            await session.execute(SQL["put_view"], self._rows.parameters(scope, stored))
            return ViewReplay(stored.version, now)

        written = await self._writes.write(scope, request, ViewReplay, change, now, stated=stated)
        return replace(
            view,
            agent_id=scope.agent_id,
            version=written.record.version,
            updated_at=written.record.at,
        ), written.revision

    async def delete(
        self, scope: Scope, name: str, request: RequestKey | None, *, now: datetime
    ) -> int:
        parameters = {**scope_parameters(scope), "name": name}

        async def change(session: Session, revision: int) -> EmptyReplay:
            if await session.row(SQL["delete_view"], parameters) is None:
                raise NotFound("view", name)
            return EmptyReplay()

        written = await self._writes.write(scope, request, EmptyReplay, change, now)
        self._writes.tell_forgetting(scope)
        return written.revision

    async def all(self, scope: Scope) -> Sequence[View]:
        """At most 200."""
        parameters = {**scope_parameters(scope), "size": MOST_VIEWS}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["views"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return [self._rows.view(scope.tenant_id, row) for row in rows]
