"""Views: texts that an agent, or a tenant, is always shown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.context.view import Handoff, HandoffPacket, View
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import EmptyReplay, RequestKey, replay_record
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.storage.blocklist import marked_aside
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import JsonPlace, SealedJson
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

Row = Sequence[Any]
PURPOSE = "view"


class ViewRows:
    """Turns views into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

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
                is_sealed=view.sensitivity >= MIN_ENCRYPTED,
            ),
        }

    def view(self, tenant_id: TenantId, row: Row) -> View:
        """The view in the columns of the fragment `view_columns`. Raises KeyMissing, BytesLost."""
        name, agent_id, sensitivity, version, updated_at, *sealed = row
        details = self._sealed.read(sealed, _place(tenant_id, agent_id, name))
        return View(
            name, AgentId(agent_id), details["text"], Sensitivity(sensitivity), version, updated_at
        )


def handoff_parameters(scope: Scope, handoff: Handoff) -> dict[str, Any]:
    """Everything that a statement stores of a handoff, in the scope of the agent that it is for."""
    packet = handoff.packet
    return {
        "tenant_id": scope.tenant_id,
        "agent_id": handoff.to_agent_id,
        "handoff_id": handoff.handoff_id,
        "from_agent_id": handoff.from_agent_id,
        "session_id": handoff.session_id,
        "created_at": handoff.created_at,
        "expires_at": handoff.expires_at,
        "details": Jsonb(
            {
                "text": handoff.text,
                "tokens": handoff.tokens,
                "goal": packet.goal,
                "plan_step": packet.plan_step,
                "note": packet.note,
                "task_ids": [str(task_id) for task_id in packet.task_ids],
                "decision_ids": [str(decision_id) for decision_id in packet.decision_ids],
                "constraints": list(packet.constraints),
            }
        ),
    }


def handoff_from(row: Row) -> Handoff:
    """The handoff in the columns of the fragment `handoff_columns`."""
    handoff_id, from_agent_id, to_agent_id, session_id, created_at, expires_at, details = row
    return Handoff(
        handoff_id=handoff_id,
        from_agent_id=AgentId(from_agent_id),
        to_agent_id=AgentId(to_agent_id),
        session_id=session_id,
        packet=HandoffPacket(
            goal=details["goal"],
            plan_step=details["plan_step"],
            note=details["note"],
            task_ids=tuple(map(UUID, details["task_ids"])),
            decision_ids=tuple(map(UUID, details["decision_ids"])),
            constraints=tuple(details["constraints"]),
        ),
        text=details["text"],
        tokens=details["tokens"],
        created_at=created_at,
        expires_at=expires_at,
    )


def _place(tenant_id: str, agent_id: str, name: str) -> JsonPlace:
    return JsonPlace(tenant_id, PURPOSE, f"{agent_id}\0{name}")


SQL = statements("context/store/context")
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
        self._writes.notify_removal(scope)
        return written.revision

    async def all(self, scope: Scope) -> Sequence[View]:
        """At most 200."""
        parameters = {**scope_parameters(scope), "size": MOST_VIEWS}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["views"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return [self._rows.view(scope.tenant_id, row) for row in rows]
