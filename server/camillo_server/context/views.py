"""Views: texts that an agent, or a whole tenant, is always shown."""

from collections.abc import Sequence
from dataclasses import replace

from camillo_server.context.store.views import ViewStore
from camillo_server.context.view import View
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, QuotaExceeded
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor

# With the tenant's, a list of the longest fits into one message.
MAX_VIEWS = 16


class Views:
    """Views of a scope, stored without their secrets."""

    def __init__(self, store: ViewStore, redactor: Redactor, clock: Clock) -> None:
        self._store = store
        self._redactor = redactor
        self._clock = clock

    async def put(
        self, scope: Scope, view: View, expected_version: int | None, request: RequestKey | None
    ) -> tuple[View, int, Sequence[Redaction]]:
        """The view, the revision that holds it, and what was taken out of it. Raises VersionConflict, ValueRejected,
        RequestIdReused, QuotaExceeded, StorageUnavailable, KeyMissing."""
        now = self._clock.now()
        own_names = {
            each.name for each in await self._store.all(scope) if each.agent_id == scope.agent_id
        }
        if view.name not in own_names and len(own_names) >= MAX_VIEWS:
            raise QuotaExceeded("views", MAX_VIEWS)
        redaction = FieldRedaction(self._redactor)
        text = redaction.text("view.text", view.text)
        own = replace(view, agent_id=scope.agent_id, text=text, updated_at=now)
        stored, revision = await self._store.put(scope, own, expected_version, request, now=now)
        return stored, revision, redaction.redactions

    async def get(self, scope: Scope, name: str) -> View:
        """The scope's own, or else the tenant's. Raises NotFound, StorageUnavailable, KeyMissing."""
        views = [view for view in await self._store.all(scope) if view.name == name]
        if not views:
            raise NotFound("view", name)
        return min(views, key=lambda view: view.agent_id != scope.agent_id)

    async def list(self, scope: Scope) -> Sequence[View]:
        """By name, the scope's before the tenant's. Raises StorageUnavailable, KeyMissing."""
        return await self._store.all(scope)

    async def delete(self, scope: Scope, name: str, request: RequestKey | None) -> int:
        """The revision from which it is gone. Raises NotFound, RequestIdReused, StorageUnavailable."""
        return await self._store.delete(scope, name, request, now=self._clock.now())
