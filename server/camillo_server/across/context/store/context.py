"""Stores of records that only bundles are made from: views, recipes of tenants' own, and handoffs."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.across.context.view import MAX_VIEWS, MAX_VIEWS_READ, Handoff, HandoffPacket, HandoffReplay, View
from camillo_server.kernel.errors import (
    HandoffRefused,
    NotFound,
    QuotaExceeded,
    VersionConflict,
)
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import TRUST_LEVELS, Scope, whole_tenant
from camillo_server.kernel.writes import EmptyReplay, RequestKey, Written, replay_record
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.json_lines import texts_in
from camillo_server.rows.forgettable import Forgettable
from camillo_server.storage.blocklist import refuse_blocked, with_request_id
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, Session, Work
from camillo_server.storage.encrypted_json import DraftRows
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import all_tenant_ids, hold_shared_scope
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import enter, first_answer, keep_answer

SQL = statements("across/context/store/context")
# A tenant has so many of its own.
MAX_RECIPES = 100
# Packets that are still shown: bundles and lists show the latest fifty.
MAX_HANDOFFS_OF_SENDER, MAX_HANDOFFS = 100, 1_000


class ViewRows:
    """Converts views to rows and back; sensitive texts are encrypted in the row."""

    def __init__(self, keyring: Keyring) -> None:
        columns = {"name": str, "sensitivity": Sensitivity, "version": int, "is_data": bool}
        self._views = DraftRows(keyring, View, purpose="view", columns=columns, texts=("text",))

    def parameters(self, scope: Scope, view: View) -> dict[str, Any]:
        """The parameters that store a view. Raises KeyMissing."""
        return {**self._views.parameters(scope, view.name, view), "updated_at": view.updated_at}

    def view(self, tenant_id: TenantId, row: Any) -> View:
        """The view in a row with the columns of the fragment `view_columns`. Raises KeyMissing, BytesLost."""
        agent_id = AgentId(row.agent_id)
        return self._views.draft(tenant_id, row.name, row, agent_id=agent_id, updated_at=row.updated_at)


@replay_record
@dataclass(frozen=True, slots=True)
class ViewReplay:
    """The version of a view that was put, and when."""

    version: int
    at: datetime


class ViewStore:
    """Views of one scope. Writes are one transaction each that advances the scope's revision by one. Every method
    raises StorageUnavailable; writes raise RequestIdReused; `put` KeyMissing, and `all` KeyMissing and BytesLost."""

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
        """The view with its new version and time, and the revision that holds it. A view that does not exist has
        version 0. Raises VersionConflict, QuotaExceeded, ValueRejected."""

        async def change(session: Session, revision: int) -> ViewReplay:
            key = {**scope_parameters(scope), "name": view.name}
            row = await session.record(SQL["lock_view"], key)
            version = row.version if row else 0
            if expected_version not in (None, version):
                raise VersionConflict("view", expected_version or 0, version)
            if row is None:
                (count,) = await session.only_row(SQL["count_views"], key)
                if count >= MAX_VIEWS:
                    raise QuotaExceeded("views", MAX_VIEWS)
            stored = replace(view, version=version + 1, updated_at=now)
            await session.execute(SQL["put_view"], self._rows.parameters(scope, stored))
            return ViewReplay(stored.version, now)

        texts = {"view.text": view.text, "view.name": view.name}
        written = await self._writes.write(scope, request, ViewReplay, change, now, texts=texts, only_added=True)
        first = written.record
        stored = replace(view, agent_id=scope.agent_id, version=first.version, updated_at=first.at)
        return stored, written.revision

    async def delete(self, scope: Scope, name: str, request: RequestKey | None, *, now: datetime) -> int:
        """The revision from which it is gone. Raises NotFound."""
        parameters = {**scope_parameters(scope), "name": name}

        async def change(session: Session, revision: int) -> EmptyReplay:
            if await session.row(SQL["delete_view"], parameters) is None:
                raise NotFound("view", name)
            return EmptyReplay()

        written = await self._writes.write(scope, request, EmptyReplay, change, now, only_added=True)
        self._writes.notify_removal(scope)
        return written.revision

    async def all(self, scope: Scope) -> Sequence[View]:
        """The scope's and the tenant's, by name, the scope's first."""
        parameters = {**scope_parameters(scope), "size": MAX_VIEWS_READ}

        rows = await self._database.records(scope, SQL["views"], parameters)
        return [self._rows.view(scope.tenant_id, row) for row in rows]


class RecipeStore:
    """YAML of recipes by name. Every method raises StorageUnavailable."""

    def __init__(self, database: Database, notifier: ChangeNotifier) -> None:
        self._database = database
        self._notifier = notifier

    async def put(self, tenant_id: TenantId, name: str, text: str, *, now: datetime) -> None:
        """Stores a recipe. Raises QuotaExceeded; ValueRejected for text that was forgotten in the tenant's shared
        scope."""
        shared = Scope(tenant_id, AgentId(""))
        parameters = {"tenant_id": tenant_id, "name": name, "recipe": text, "now": now}

        async def work(session: Session) -> None:
            await hold_shared_scope(session, shared, now)
            count, is_there = await session.only_row(SQL["count_recipes"], parameters)
            if not is_there and count >= MAX_RECIPES:
                raise QuotaExceeded("recipes", MAX_RECIPES)
            await refuse_blocked(session, shared, {"yaml": text})
            await session.execute(SQL["put_recipe"], parameters)

        await self._write(tenant_id, work, now)

    async def delete(self, tenant_id: TenantId, name: str, *, now: datetime) -> None:
        """Raises NotFound."""

        async def work(session: Session) -> None:
            parameters = {"tenant_id": tenant_id, "name": name}
            if await session.row(SQL["delete_recipe"], parameters) is None:
                raise NotFound("recipe", name)

        await self._write(tenant_id, work, now)

    async def all(self, tenant_id: TenantId) -> dict[str, str]:
        parameters = {"tenant_id": tenant_id}
        return dict(await self._database.rows(whole_tenant(tenant_id), SQL["recipes"], parameters))

    async def get(self, tenant_id: TenantId, name: str) -> str | None:
        async def work(session: Session) -> str | None:
            row = await session.row(SQL["recipe"], {"tenant_id": tenant_id, "name": name})
            return row[0] if row else None

        return await self._database.read(whole_tenant(tenant_id), work)

    async def _write(self, tenant_id: TenantId, work: Work[None], now: datetime) -> None:
        shared = Scope(tenant_id, AgentId(""))

        async def change(session: Session) -> None:
            await work(session)
            await enter(session, shared, None, now)

        await self._database.transaction(whole_tenant(tenant_id), change)
        self._notifier.notify(shared)


class HandoffStore:
    """Packets between agents of a tenant. Every method raises StorageUnavailable; `put` raises RequestIdReused."""

    def __init__(self, writes: ScopeWrites) -> None:
        self._writes = writes
        self._database = writes.database

    async def put(
        self,
        scope: Scope,
        handoff: Handoff,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[HandoffReplay]:
        """Stores a packet of this scope for another agent, whose scope's revision it advances and returns. Raises
        NotFound for an agent that does not exist, HandoffRefused, QuotaExceeded, ValueRejected for text that either
        agent has forgotten."""
        receiver = Scope(scope.tenant_id, handoff.to_agent_id)
        # Checks the tasks and decisions that the packet names, too, as they are shown.
        texts = texts_in({"packet": handoff.packet, "session_id": handoff.session_id})
        texts |= {"packet": handoff.text}
        parameters = {**_handoff_parameters(scope, handoff), "now": now}

        async def work(session: Session) -> Written[HandoffReplay]:
            async with session.transaction():
                await session.execute(SQL["enter_every_agent"])
                answer = await first_answer(session, scope, request, HandoffReplay, now)
                if answer is not None:
                    return answer
                revision = await _lock_for_handoff(session, scope, receiver, now)
                for each in (scope, receiver):
                    await refuse_blocked(session, each, with_request_id(texts, request))
                await session.execute(SQL["put_handoff"], parameters)
                written = Written(revision, handoff.replay)
                await keep_answer(session, scope, request, written, now)
                return written

        written = await self._writes.run(receiver, work)
        self._writes.notify(receiver, written.revision, (), only_added=not written.is_repeat)
        return written

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[HandoffReplay] | None:
        """The first answer to this request, or None."""
        return await self._writes.first_answer(scope, request, HandoffReplay, now)

    async def repeated(self, scope: Scope, handoff: Handoff, replay: HandoffReplay) -> Handoff:
        """The handoff that a request of this scope stored before, as it is by now; without a text where it is gone."""
        receiver = Scope(scope.tenant_id, handoff.to_agent_id)
        key = {**scope_parameters(receiver), "handoff_id": replay.handoff_id}
        rows = await self._database.rows(whole_tenant(scope.tenant_id), SQL["handoff"], key)
        return handoff_from(rows[0]) if rows else replace(handoff, **asdict(replay))

    async def accept(self, scope: Scope, senders: Sequence[AgentId] | None, now: datetime) -> None:
        """Packets come from these agents alone from here on; None: from any."""
        parameters = {
            **scope_parameters(scope),
            "senders": None if senders is None else list(senders),
            "now": now,
        }

        async def work(session: Session) -> None:
            async with session.transaction():
                await session.execute(SQL["accept_handoffs"], parameters)
                await enter(session, scope, None, now)

        await self._writes.run(scope, work)

    async def incoming(self, scope: Scope, size: int, *, now: datetime) -> Sequence[Handoff]:
        """Unexpired packets to this agent, the latest first."""
        parameters = {**scope_parameters(scope), "size": size, "now": now}

        rows = await self._database.rows(scope, SQL["handoffs"], parameters)
        return [handoff_from(row) for row in rows]


async def _lock_for_handoff(session: Session, sender: Scope, receiver: Scope, now: datetime) -> int:
    """The receiver's next revision. Raises NotFound, HandoffRefused, QuotaExceeded."""
    key = {**scope_parameters(receiver), "from_agent_id": sender.agent_id, "now": now}
    both = [sender.agent_id, receiver.agent_id]
    await session.execute(SQL["lock_scopes"], {**key, "agent_ids": both})
    row = await session.record(SQL["lock_receiver"], key)
    if row is None:
        raise NotFound("agent", receiver.agent_id)
    if not row.accepts:
        raise HandoffRefused(receiver.agent_id)
    counted = await session.only_record(SQL["count_handoffs"], key)
    if counted.of_sender >= MAX_HANDOFFS_OF_SENDER:
        raise QuotaExceeded("handoffs_of_sender", MAX_HANDOFFS_OF_SENDER)
    if counted.of_all >= MAX_HANDOFFS:
        raise QuotaExceeded("handoffs_of_receiver", MAX_HANDOFFS)
    revision: int = row.revision
    return revision


async def remove_expired_handoffs(database: Database, now: datetime) -> None:
    """Removes the rows of handoffs that no bundle shows any more, of every tenant."""
    for tenant_id in await all_tenant_ids(database):
        parameters = {"tenant_id": tenant_id, "now": now}

        async def work(session: Session, parameters: dict[str, Any] = parameters) -> None:
            await session.execute(SQL["delete_expired_handoffs"], parameters)

        await database.write(whole_tenant(tenant_id), work)


def _handoff_parameters(scope: Scope, handoff: Handoff) -> dict[str, Any]:
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
                "trust_level": int(handoff.trust_level),
                "credential": handoff.credential,
            }
        ),
    }


def handoff_from(row: Sequence[Any]) -> Handoff:
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
        # Absent from what was handed over before they were kept.
        trust_level=TRUST_LEVELS[details.get("trust_level", 0)],
        credential=details.get("credential", ""),
    )


FORGETTING = statements("across/context/forgetting")
VIEWS = Forgettable("views", FORGETTING, "view", own_texts=("text",))
HANDOFFS = Forgettable("handoffs", FORGETTING, "handoff", own_texts=("goal", "note"))
