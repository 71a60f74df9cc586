"""Views: texts that an agent, or a tenant, is always shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from camillo_server.context.view import View
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import EmptyReplay, RequestKey, replay_record
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.storage.blocklist import fingerprint_texts_off_loop
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import EncryptedJson, JsonLocation
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

Row = Sequence[Any]
PURPOSE = "view"
SQL = statements("context/store/context")
MAX_VIEWS = 200


class ViewRows:
    """Turns views into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = EncryptedJson(keyring)

    def parameters(self, scope: Scope, view: View) -> dict[str, Any]:
        """Everything that a statement stores of a view. Raises KeyMissing."""
        return {
            **scope_parameters(scope),
            "name": view.name,
            "sensitivity": int(view.sensitivity),
            "version": view.version,
            "updated_at": view.updated_at,
            **self._sealed.columns(
                {"text": view.text},
                _place(scope.tenant_id, scope.agent_id, view.name),
                encrypted=view.sensitivity >= MIN_ENCRYPTED,
            ),
        }

    def view(self, tenant_id: TenantId, row: Row) -> View:
        """The view in the columns of the fragment `view_columns`. Raises KeyMissing, BytesLost."""
        name, agent_id, sensitivity, version, updated_at, *sealed = row
        details = self._sealed.read(sealed, _place(tenant_id, agent_id, name))
        return View(
            name, AgentId(agent_id), details["text"], Sensitivity(sensitivity), version, updated_at
        )


def _place(tenant_id: str, agent_id: str, name: str) -> JsonLocation:
    return JsonLocation(tenant_id, PURPOSE, f"{agent_id}\0{name}")


@replay_record
@dataclass(frozen=True, slots=True)
class ViewReplay:
    """The version of a view that was put, and when."""

    version: int
    at: datetime


class ViewStore:
    """Views of one scope. Writes are one transaction each that advances the scope's revision by one. Every method raises
    StorageUnavailable; writes raise RequestIdReused; `put` KeyMissing, and `all` KeyMissing and BytesLost."""

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
        """The view with its new version and time, and the revision that holds it. A view that does not exist has version 0.
        Raises VersionConflict, ValueRejected."""
        stated = await fingerprint_texts_off_loop(scope, {"view.text": view.text})

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

        written = await self._writes.write(
            scope, request, ViewReplay, change, now, fingerprints=stated
        )
        return replace(
            view,
            agent_id=scope.agent_id,
            version=written.record.version,
            updated_at=written.record.at,
        ), written.revision

    async def delete(
        self, scope: Scope, name: str, request: RequestKey | None, *, now: datetime
    ) -> int:
        """The revision from which it is gone. Raises NotFound."""
        parameters = {**scope_parameters(scope), "name": name}

        async def change(session: Session, revision: int) -> EmptyReplay:
            if await session.row(SQL["delete_view"], parameters) is None:
                raise NotFound("view", name)
            return EmptyReplay()

        written = await self._writes.write(scope, request, EmptyReplay, change, now)
        self._writes.notify_removal(scope)
        return written.revision

    async def all(self, scope: Scope) -> Sequence[View]:
        """The scope's and the tenant's, by name, the scope's first; at most 200."""
        parameters = {**scope_parameters(scope), "size": MAX_VIEWS}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["views"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return [self._rows.view(scope.tenant_id, row) for row in rows]
