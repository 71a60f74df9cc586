"""Use cases that change tenants, agents and keys."""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from camillo_server.across.admin.store.admin_store import AdminStore
from camillo_server.across.admin.store.agent_rows import GoneElsewhere
from camillo_server.across.admin.tenants import Agent, KeyDraft, Tenant
from camillo_server.doors.identity.credentials import Authenticator
from camillo_server.doors.identity.key_cache import ApiKey, KeySigner, digest
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.kernel.ids import AgentId, KeyId, TenantId
from camillo_server.kernel.scope import Principal, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.storage.receipts import Receipt


class Administration:
    """Changes as callers ask for them; the caller's own tenant keeps the answer to a request. Every method raises
    NotFound, RequestIdReused and StorageUnavailable."""

    def __init__(self, store: AdminStore, authenticator: Authenticator, signer: KeySigner, clock: Clock) -> None:
        """`authenticator` caches keys: it forgets those that no longer count."""
        self._store = store
        self._authenticator = authenticator
        self._signer = signer
        self._clock = clock

    async def create_tenant(
        self, caller: Principal, tenant_id: TenantId, name: str, request: RequestKey | None
    ) -> Tenant:
        """Raises AlreadyExists, ScopeForbidden."""
        caller.require_agent(None)
        tenant = Tenant(tenant_id, name, self._clock.now())
        return await self._store.create_tenant(caller.tenant_id, tenant, request)

    async def delete_tenant(self, caller: Principal, tenant_id: TenantId, request: RequestKey | None) -> int:
        """The number of its memories, which are deleted with it. Raises ScopeForbidden."""
        caller.require_agent(None)
        now = self._clock.now()
        memories = await self._store.delete_tenant(caller.tenant_id, tenant_id, request, now)
        self._authenticator.clear()
        return memories

    async def set_quotas(self, tenant_id: TenantId, limits: Mapping[str, int], reset: Sequence[str]) -> None:
        """Changes the bounds of a tenant. Raises NotFound."""
        await self._store.set_quotas(tenant_id, limits, reset, self._clock.now())

    async def create_agent(
        self,
        caller: Principal,
        tenant_id: TenantId,
        agent_id: AgentId,
        name: str,
        request: RequestKey | None,
    ) -> Agent:
        """Raises AlreadyExists, ScopeForbidden."""
        caller.require_agent(agent_id)
        agent = Agent(agent_id, name, self._clock.now())
        return await self._store.create_agent(caller.tenant_id, tenant_id, agent, request)

    async def delete_agent(
        self,
        caller: Principal,
        scope: Scope,
        request: RequestKey | None,
        *,
        block_values: bool,
        dry_run: bool,
        gone_elsewhere: GoneElsewhere | None = None,
    ) -> Receipt:
        """Deletes an agent with all that is its own, and revokes its keys; returns the counts, with those of what went
        elsewhere. Raises ScopeForbidden, and KeyMissing and BytesLost where a value cannot be read that is to be
        blocked."""
        caller.require_forget(scope.agent_id)
        now = self._clock.now()
        if dry_run:
            planned = await self._store.would_delete_agent(scope, now, block_values=block_values)
            return planned.receipt(now)
        deleted = await self._store.delete_agent(
            caller.tenant_id, scope, request, now, block_values=block_values, gone_elsewhere=gone_elsewhere
        )
        self._authenticator.clear()
        return deleted.receipt(now)

    async def deleted_before(self, caller: Principal, request: RequestKey | None) -> Receipt | None:
        """The receipt of a deletion of an agent that was asked for before."""
        now = self._clock.now()
        deleted = await self._store.deleted_before(caller.tenant_id, request, now)
        return deleted.receipt(now) if deleted else None

    async def create_key(self, caller: Principal, draft: KeyDraft, request: RequestKey | None) -> tuple[ApiKey, str]:
        """The key, which reaches no further and lasts no longer than the caller's credential, and its secret, which is
        stored nowhere: for a repeated request it is empty. Raises ScopeForbidden."""
        if draft.role > caller.role:
            raise ScopeForbidden("a key cannot have a higher role than its maker", draft.role)
        caller.require_agent(draft.agent_id)
        now, secret = self._clock.now(), self._signer.new_secret()
        ends = [now + draft.lifetime] if draft.lifetime else []
        ends += [caller.expires_at] if caller.expires_at else []
        key = ApiKey(
            key_id=KeyId(str(uuid4())),
            tenant_id=draft.tenant_id,
            agent_id=draft.agent_id,
            role=draft.role,
            description=draft.description,
            created_at=now,
            expires_at=min(ends, default=None),
            revoked_at=None,
            created_by=caller.key_id,
            read_limit=draft.read_limit,
            actors=_actors(caller, draft.actors),
            document_categories=_document_categories(caller, draft.document_categories),
            spaces=_spaces(caller, draft.spaces),
        )
        key_id = await self._store.create_key(caller.tenant_id, key, digest(secret), request)
        if key_id != key.key_id:
            return await self._store.find_key(draft.tenant_id, key_id), ""
        return key, secret

    async def revoke_key(
        self, caller: Principal, tenant_id: TenantId, key_id: KeyId, *, with_created: bool
    ) -> tuple[ApiKey, int]:
        """The key, and how many that it created were revoked with it, if that is wished. One that was revoked before
        keeps its first time. Raises ScopeForbidden."""
        found = await self._store.find_key(tenant_id, key_id)
        if found.role > caller.role:
            raise ScopeForbidden("nobody revokes a key of a higher role", found.role)
        caller.require_agent(found.agent_id)
        key, created = await self._store.revoke_key(found, self._clock.now(), with_created)
        self._authenticator.forget(key_id)
        for each in created:
            self._authenticator.forget(each)
        return key, len(created)


def _actors(caller: Principal, actors: frozenset[str] | None) -> frozenset[str] | None:
    """The actors that a key speaks for: no more than its maker's, where those are bound. Raises ScopeForbidden."""
    if caller.actors is None or actors is None:
        return actors or caller.actors
    beyond = [each for each in actors if not {each, f"{each.partition(':')[0]}:*"} & caller.actors]
    if beyond:
        raise ScopeForbidden(f"a key cannot speak for {min(beyond)}: its maker does not")
    return actors


def _document_categories(caller: Principal, categories: frozenset[str] | None) -> frozenset[str] | None:
    """The categories of documents that a key of this maker reads: no more than its maker's. Raises ScopeForbidden."""
    if caller.document_categories is None or categories is None:
        return categories or caller.document_categories
    beyond = categories - caller.document_categories
    if beyond:
        raise ScopeForbidden(f"a key cannot read documents of {min(beyond)}: its maker does not")
    return categories


def _spaces(caller: Principal, spaces: frozenset[str]) -> frozenset[str]:
    """The grants of a key of this maker: each is one of its own, where it has an agent. Raises ScopeForbidden."""
    for grant in sorted(spaces) if caller.agent_id is not None else ():
        path, _, verb = grant.rpartition(":")
        if not caller.holds(path, verb):
            raise ScopeForbidden(f"a key cannot have {grant}: its maker does not")
    return spaces
