"""Tenants, agents and keys in Postgres: changed each in one transaction."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from psycopg.types.json import Jsonb

from camillo_server.across.admin.store.agent_rows import (
    AgentRows,
    DeletedReplay,
    GoneElsewhere,
    agent_rows,
    count_agent,
    empty_large_agent,
)
from camillo_server.across.admin.store.tenant_store import key_from, require_tenant
from camillo_server.across.admin.tenants import Agent, Tenant
from camillo_server.across.forgetting.records import summed
from camillo_server.across.forgetting.store.scopes import delete_agent_rows, large_scopes, shrink_scope
from camillo_server.doors.identity.key_cache import ApiKey
from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.errors import AlreadyExists, NotFound
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Role, Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.rows.forgettable import Forgettables, Removal
from camillo_server.storage.blocklist import Blocking, block
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, Session
from camillo_server.storage.receipts import keep_receipt
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements
from camillo_server.storage.written_requests import Ids, enter, find_answer, first_answer, keep_answer, write_once

SQL = statements("across/admin/store/tenants")

R = TypeVar("R")
Change = Callable[[Session], Awaitable[R]]


@replay_record
@dataclass(frozen=True, slots=True)
class CreatedReplay:
    """When a tenant or an agent was created."""

    at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class KeyReplay:
    """The id of the key that was created; its secret is stored nowhere."""

    key_id: KeyId


@dataclass(frozen=True, slots=True)
class ChangedTenant:
    """The tenant that is changed, whether the change deletes it, and the ids of what is changed in it."""

    tenant_id: TenantId
    ids: Ids = field(default_factory=dict)
    is_deleted: bool = False


class AdminStore:
    """Changes tenants, agents and keys, each in one transaction; a repeated request changes nothing and gets the first
    answer. `caller` is the caller's own tenant, in whose rows the request is kept. Every method raises NotFound,
    RequestIdReused and StorageUnavailable."""

    def __init__(self, database: Database, notifier: ChangeNotifier, declared: Forgettables) -> None:
        self._database = database
        self._declared = declared
        self._notifier = notifier
        self._writes = ScopeWrites(database, notifier)

    async def create_tenant(self, caller: TenantId, tenant: Tenant, request: RequestKey | None) -> Tenant:
        """The tenant as it was first created. Raises AlreadyExists."""
        parameters = {
            "tenant_id": tenant.tenant_id,
            "display_name": tenant.display_name,
            "now": tenant.created_at,
        }

        async def change(session: Session) -> CreatedReplay:
            if await session.row(SQL["create_tenant"], parameters) is None:
                raise AlreadyExists("tenant", tenant.tenant_id)
            return CreatedReplay(tenant.created_at)

        record = await self._once(
            caller,
            ChangedTenant(tenant.tenant_id),
            request,
            CreatedReplay,
            change,
            tenant.created_at,
        )
        return replace(tenant, created_at=record.at)

    async def delete_tenant(
        self, caller: TenantId, tenant_id: TenantId, request: RequestKey | None, now: datetime
    ) -> int:
        """The number of its memories, which are deleted with it: in steps where they are many, so that a call that ends
        early has deleted a part."""
        deleted: list[Scope] = []
        # A caller that deletes its own tenant deletes the rows that would keep the request, and cannot repeat it.
        request = request if caller != tenant_id else None
        before = await self._shrink(caller, tenant_id, request, now)

        async def change(session: Session) -> DeletedReplay:
            await require_tenant(session, tenant_id)
            memories = await _count_memories(session, tenant_id, None)
            rows = await session.rows(SQL["scopes_of_tenant"], {"tenant_id": tenant_id})
            deleted[:] = [Scope(tenant_id, AgentId(agent_id)) for (agent_id,) in rows]
            await self._declared.delete_tenant(session, tenant_id)
            await session.execute(SQL["delete_tenant"], {"tenant_id": tenant_id})
            return DeletedReplay(max(before, memories))

        target = ChangedTenant(tenant_id, is_deleted=True)
        record = await self._once(caller, target, request, DeletedReplay, change, now)
        self._notify_removals(deleted)
        return record.memories

    async def set_quotas(
        self,
        tenant_id: TenantId,
        limits: Mapping[str, int],
        reset: Sequence[str],
        now: datetime,
    ) -> None:
        """Changes the bounds of a tenant, which needs no request to be kept: a repeat changes nothing."""
        parameters = {
            "tenant_id": tenant_id,
            "limits": Jsonb(dict(limits)),
            "reset": list(reset),
        }

        async def change(session: Session) -> None:
            await require_tenant(session, tenant_id)
            await session.execute(SQL["set_quotas"], parameters)
            ids = {**limits, "reset_count": len(reset)}
            await enter(session, Scope(tenant_id, AgentId("")), None, now, ids)

        await self._database.transaction(whole_tenant(tenant_id), change)

    async def create_agent(
        self, caller: TenantId, tenant_id: TenantId, agent: Agent, request: RequestKey | None
    ) -> Agent:
        """The agent as it was first created. Raises AlreadyExists."""
        parameters = {
            "tenant_id": tenant_id,
            "agent_id": agent.agent_id,
            "display_name": agent.display_name,
            "now": agent.created_at,
        }

        async def change(session: Session) -> CreatedReplay:
            await require_tenant(session, tenant_id)
            if await session.row(SQL["create_agent"], parameters) is None:
                raise AlreadyExists("agent", agent.agent_id)
            return CreatedReplay(agent.created_at)

        record = await self._once(
            caller,
            ChangedTenant(tenant_id, {"agent_id": agent.agent_id}),
            request,
            CreatedReplay,
            change,
            agent.created_at,
        )
        return replace(agent, created_at=record.at)

    async def delete_agent(
        self,
        caller: TenantId,
        scope: Scope,
        request: RequestKey | None,
        now: datetime,
        *,
        block_values: bool = False,
        gone_elsewhere: GoneElsewhere | None = None,
    ) -> DeletedReplay:
        """Counts of what went with the agent: in steps where it is much, as with a tenant. Raises KeyMissing and
        BytesLost where a value cannot be read that is to be blocked."""
        parameters = {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id, "now": now}
        changed: list[Scope] = []
        receipt_id = gone_elsewhere.receipt_id if gone_elsewhere else time_ordered_uuid(now)
        first = await self._empty_large_agent(caller, scope, request, now, block_values)

        async def change(session: Session) -> DeletedReplay:
            found = await count_agent(session, scope, self._declared, block_values=block_values)
            stores = {
                each: max(found.stores.get(each, 0), first.stores.get(each, 0))
                for each in sorted({*found.stores, *first.stores})
            }
            stores = summed([stores, gone_elsewhere.stores]) if gone_elsewhere else stores
            values = found.values | first.values
            deleted = await session.row(SQL["delete_agent"], parameters)
            if deleted is None:
                raise NotFound("agent", scope.agent_id)
            removal = Removal(receipt_id, deleted[0], now, found.stores)
            changed[:] = await delete_agent_rows(session, scope, removal, self._declared)
            await session.execute(SQL["delete_agent_requests"], parameters)
            await session.execute(SQL["revoke_agent_keys"], parameters)
            if values:
                await block(session, scope, Blocking(list(values), receipt_id, now))
            gone = DeletedReplay(stores.get("memories", 0), receipt_id, stores, len(values), now)
            await keep_receipt(session, scope, gone.receipt(now))
            return gone

        target = ChangedTenant(scope.tenant_id, {"agent_id": scope.agent_id})
        record = await self._once(caller, target, request, DeletedReplay, change, now)
        self._notify_removals([scope, *changed])
        return record

    async def deleted_before(self, caller: TenantId, request: RequestKey | None, now: datetime) -> DeletedReplay | None:
        """The answer to a request that came before. Raises RequestIdReused."""
        answer = await find_answer(self._database, Scope(caller, AgentId("")), request, DeletedReplay, now)
        return answer.record if answer else None

    async def would_delete_agent(self, scope: Scope, now: datetime, *, block_values: bool) -> DeletedReplay:
        """The answer that `delete_agent` would give."""
        found = await agent_rows(self._database, scope, self._declared, block_values=block_values)
        memories, blocked = found.stores.get("memories", 0), len(found.values)
        return DeletedReplay(memories, None, found.stores, blocked, now)

    async def _empty_large_agent(
        self,
        caller: TenantId,
        scope: Scope,
        request: RequestKey | None,
        now: datetime,
        block_values: bool,
    ) -> AgentRows:
        """Makes a large agent small enough for one transaction. Returns what there was, nothing where the agent is not
        large."""
        if not await self._large(caller, (scope.tenant_id, scope.agent_id), request, now):
            return AgentRows({}, frozenset())
        return await empty_large_agent(self._writes, scope, self._declared, now, block_values=block_values)

    async def _shrink(self, caller: TenantId, tenant_id: TenantId, request: RequestKey | None, now: datetime) -> int:
        """Makes the large scopes of a tenant small enough to be deleted in one transaction. Returns how many memories
        there were, 0 where no scope is large."""
        large = await self._large(caller, (tenant_id, None), request, now)
        if not large:
            return 0
        before = await self._database.read(
            whole_tenant(tenant_id), lambda session: _count_memories(session, tenant_id, None)
        )
        for each in large:
            await shrink_scope(self._writes, each, self._declared, now)
        return before

    async def _large(
        self,
        caller: TenantId,
        target: tuple[TenantId, AgentId | None],
        request: RequestKey | None,
        now: datetime,
    ) -> Sequence[Scope]:
        """The scopes that are deleted in steps; none for a request that came before, which deletes nothing of what is
        new."""
        large = await large_scopes(self._writes, *target)
        return () if large and await self.deleted_before(caller, request, now) else large

    def _notify_removals(self, scopes: Iterable[Scope]) -> None:
        for scope in scopes:
            self._notifier.notify(scope)
            self._notifier.notify_removal(scope)

    async def create_key(
        self, caller: TenantId, key: ApiKey, secret_digest: bytes, request: RequestKey | None
    ) -> KeyId:
        """The id of the key that the request created when it came first."""
        parameters = {
            "tenant_id": key.tenant_id,
            "key_id": key.key_id,
            "agent_id": key.agent_id,
            "secret_digest": secret_digest,
            "role": int(key.role),
            "description": key.description,
            "now": key.created_at,
            "expires_at": key.expires_at,
            "created_by": key.created_by,
            "channel": key.read_limit and key.read_limit.channel,
            "max_sensitivity": key.read_limit and key.read_limit.max_sensitivity,
            "actors": _sorted(key.actors),
            "document_categories": _sorted(key.document_categories),
            "spaces": sorted(key.spaces) or None,
        }

        async def change(session: Session) -> KeyReplay:
            await require_tenant(session, key.tenant_id)
            await session.execute(SQL["create_key"], parameters)
            return KeyReplay(key.key_id)

        target = ChangedTenant(key.tenant_id)
        record = await self._once(caller, target, request, KeyReplay, change, key.created_at)
        return record.key_id

    async def find_key(self, tenant_id: TenantId, key_id: KeyId) -> ApiKey:
        parameters = {"tenant_id": tenant_id, "key_id": key_id}

        return await self._database.read(
            whole_tenant(tenant_id), lambda session: _require_key(session, "find_key", parameters)
        )

    async def revoke_key(self, key: ApiKey, now: datetime, with_created: bool) -> tuple[ApiKey, Sequence[KeyId]]:
        """The key, and those that it created, directly or not, and that were revoked with it. Revoking twice keeps the
        first time, so a repeat needs no request to be kept."""
        parameters = {"tenant_id": key.tenant_id, "key_id": key.key_id, "now": now}

        async def work(session: Session) -> tuple[ApiKey, Sequence[KeyId]]:
            revoked = await _require_key(session, "revoke_key", parameters)
            created = await _revoke_created(session, key, now) if with_created else []
            await session.execute(SQL["enter_tenant"], {"tenant_id": key.tenant_id})
            ids = {"key_id": key.key_id, "created_count": len(created)}
            await enter(session, Scope(key.tenant_id, AgentId("")), None, now, ids)
            return revoked, created

        return await self._database.transaction(whole_tenant(key.tenant_id), work)

    async def _once(
        self,
        caller: TenantId,
        target: "ChangedTenant",
        request: RequestKey | None,
        record_type: type[R],
        change: Change[R],
        now: datetime,
    ) -> R:
        """Makes the change in the target tenant and keeps the answer in the caller's, in one transaction; both have an
        entry of it in their audit trails, where they still are."""
        scope = Scope(caller, AgentId(""))
        is_own = target.tenant_id == caller
        ids = target.ids if is_own else {"tenant_id": target.tenant_id, **target.ids}

        async def work(session: Session) -> R:
            answer = await first_answer(session, scope, request, record_type, now)
            if answer is not None:
                return answer.record
            await session.execute(SQL["enter_tenant"], {"tenant_id": target.tenant_id})
            record = await change(session)
            if not is_own and not target.is_deleted:
                changed = Scope(target.tenant_id, AgentId(""))
                await enter(session, changed, record, now, target.ids)
            await session.execute(SQL["enter_tenant"], {"tenant_id": caller})
            if not (is_own and target.is_deleted):
                await keep_answer(session, scope, request, Written(0, record), now, ids)
            return record

        return await write_once(lambda: self._database.transaction(whole_tenant(caller), work))


async def _revoke_created(session: Session, key: ApiKey, now: datetime) -> Sequence[KeyId]:
    """Revokes what a key created, and what that created. Only root creates keys in other tenants."""
    tenants = [key.tenant_id]
    if key.role is Role.ROOT:
        rows = await session.rows(SQL["all_tenants"], {})
        tenants = [TenantId(tenant_id) for (tenant_id,) in rows]
    makers, revoked = [key.key_id], list[KeyId]()
    while makers:
        created = list[KeyId]()
        for tenant_id in tenants:
            await session.execute(SQL["enter_tenant"], {"tenant_id": tenant_id})
            parameters = {"tenant_id": tenant_id, "makers": makers, "now": now}
            key_ids = [key_id for (key_id,) in await session.rows(SQL["created_keys"], parameters)]
            if key_ids:
                rows = await session.rows(SQL["revoke_keys"], {**parameters, "key_ids": key_ids})
                revoked += [KeyId(key_id) for (key_id,) in rows]
            created += map(KeyId, key_ids)
        makers = created
    return revoked


async def _require_key(session: Session, statement: str, parameters: dict[str, Any]) -> ApiKey:
    row = await session.record(SQL[statement], parameters)
    if row is None:
        raise NotFound("key", parameters["key_id"])
    return key_from(row)


def _sorted(values: frozenset[str] | None) -> list[str] | None:
    return None if values is None else sorted(values)


async def _count_memories(session: Session, tenant_id: TenantId, agent_id: AgentId | None) -> int:
    count: int
    (count,) = await session.only_row(SQL["count_memories"], {"tenant_id": tenant_id, "agent_id": agent_id})
    return count
