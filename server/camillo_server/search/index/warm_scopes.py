"""The scopes that a process held before it was restarted, loaded again before anybody asks for them."""

import asyncio
import json
import logging
import os
from pathlib import Path

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.scope_caches import ScopeCaches

KEEP_SECONDS = 60.0
MAX_KEPT = 1_000
# A load that takes longer goes on, beside the next one.
LOAD_SECONDS = 300.0

logger = logging.getLogger(__name__)


class WarmScopes:
    """A file with the ids of the scopes in memory, the last used first, and no content of theirs.

    Belongs to one process. The file is a hint: a scope that is gone, or that does not fit, is passed over.
    """

    def __init__(self, caches: ScopeCaches, path: Path) -> None:
        self._caches = caches
        self._path = path
        self._written: list[Scope] | None = None

    async def run(self) -> None:
        """Loads the scopes of before, then keeps the file, until it is cancelled; a killed process loses what changed
        in the last minute. Does nothing where no scope may be in memory."""
        if not self._caches.budget.max_bytes:
            return
        await self.load()
        try:
            while True:
                await self._keep()
                await asyncio.sleep(KEEP_SECONDS)
        except asyncio.CancelledError:
            await self._keep()
            raise

    async def load(self) -> None:
        """Loads what the file names, one scope after the other, so that a caller's own load waits for one at most."""
        before = await off_loop(UNBOUNDED, self._read)
        for scope in before:
            if self._caches.budget.get(scope) is None:
                self._caches.request_load(scope)
                await self._caches.wait_until_loaded(scope, LOAD_SECONDS)
        if before:
            loaded = sum(self._caches.budget.get(scope) is not None for scope in before)
            logger.info("scopes of before are in memory", extra={"scopes": loaded, "of": len(before)})

    def _read(self) -> list[Scope]:
        try:
            named = json.loads(self._path.read_bytes())
            return [Scope(TenantId(str(tenant)), AgentId(str(agent))) for tenant, agent in named[:MAX_KEPT]]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            logger.warning("the list of scopes to load cannot be read", extra={"cause": repr(error)})
            return []

    async def _keep(self) -> None:
        held = [entry.resident.scope for entry in self._caches.budget][: -MAX_KEPT - 1 : -1]
        if held != self._written:
            # A disk that cannot be written costs the next start its list, and this process nothing.
            try:
                await off_loop(UNBOUNDED, lambda: self._write(held))
            except OSError as error:
                logger.warning("the list of scopes to load is not kept", extra={"cause": error.strerror})
            self._written = held

    def _write(self, scopes: list[Scope]) -> None:
        """Replaces the file at once."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump([[scope.tenant_id, scope.agent_id] for scope in scopes], file, ensure_ascii=False)
        draft.replace(self._path)
