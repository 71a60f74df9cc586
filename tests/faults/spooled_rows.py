"""Rows of writes as a spool tells of them, made past the service."""

from collections.abc import Sequence
from typing import Any

from camillo_server.kernel.clock import time_ordered_uuid
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_caches import ScopeCaches

from tests.server_fixtures import Server

ALICE = Scope(TenantId("acme"), AgentId("alice"))


async def spooled_row(server: Server, content: str, *, scope: Scope = ALICE, **fields: Any) -> NewRow:
    """A memory with its vector, and with the id that it will have."""
    now = server.clock.now()
    (vector,) = await server.app.kernel.providers.serving.vectors([content], scope) or [None]
    draft = MemoryDraft(content=content, vector=vector, **fields)
    return NewRow(draft.memory(scope.agent_id, MemoryId(time_ordered_uuid(now)), now), vector)


async def spool(server: Server, *contents: str, scope: Scope = ALICE) -> Sequence[NewRow]:
    """Rows of one spooled write, of which the server has been told."""
    rows = [await spooled_row(server, content, scope=scope) for content in contents]
    server.app.kernel.notifier.notify_spooled(scope, rows)
    return rows


def caches(server: Server) -> ScopeCaches:
    return server.app.search.engine.caches


def resident(server: Server, scope: Scope = ALICE) -> ResidentScope:
    """The scope, which is in memory."""
    found = caches(server).budget.get(scope)
    assert found is not None
    return found
