"""Lists, retries and discards spooled writes, for a tenant's administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from camillo_server.doors.spool.failures import SpoolFailures, UnstoredWrite
from camillo_server.doors.spool.replay import Replay, waiting_write
from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooled_write import SpooledWrite
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import PageCursor, TenantId


@dataclass(frozen=True, slots=True)
class SpooledPage:
    """Writes of one kind, and where the next page of that kind begins. Partial where Postgres could not be asked."""

    writes: Sequence[UnstoredWrite] = ()
    next_cursor: PageCursor | None = None
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Retried:
    """How many are stored now, and those that failed again."""

    stored: int
    failed: Sequence[UnstoredWrite]


class SpooledWrites:
    """Spooled writes that are not stored: those of all servers that failed, and those that wait on the disk of this
    one."""

    def __init__(self, spool: Spool, failures: SpoolFailures, replay: Replay, clock: Clock) -> None:
        self._spool = spool
        self._failures = failures
        self._replay = replay
        self._clock = clock

    async def failed(self, tenant_id: TenantId, after: PageCursor | None, size: int) -> SpooledPage:
        """At most `size` failed writes, the oldest first. Raises KeyMissing, BytesLost."""
        try:
            found = await self._failures.page(tenant_id, after, size + 1)
        except StorageUnavailable:
            return SpooledPage(is_partial=True)
        return _page(found, size)

    async def waiting(self, tenant_id: TenantId, after: PageCursor | None, size: int) -> SpooledPage:
        """At most `size` writes that wait on this server's disk, the oldest first."""
        found: list[UnstoredWrite] = []
        async for batch in self._spool.batches():
            found += [
                waiting_write(each)
                for each in batch
                if isinstance(each, SpooledWrite)
                and each.scope.tenant_id == tenant_id
                and (after is None or (each.accepted_at, each.spool_id) > after)
            ]
            if len(found) > size:
                break
        return _page(found, size)

    async def retry(self, tenant_id: TenantId, spool_ids: Sequence[UUID]) -> Retried:
        """Tries these again in their order; those that are not there are passed over. Raises StorageUnavailable and
        whatever else passes by itself: those before are done then."""
        kept = await self._failures.find(tenant_id, spool_ids)
        stored, failed = 0, list[UnstoredWrite]()
        for spool_id in spool_ids:
            if (write := kept.get(spool_id)) is None:
                continue
            again = await self._replay.retry(write)
            if again is None:
                await self._failures.remove(tenant_id, [spool_id], self._clock.now())
                stored += 1
            else:
                await self._failures.keep(again)
                failed.append(again)
        return Retried(stored, failed)

    async def discard(self, tenant_id: TenantId, spool_ids: Sequence[UUID]) -> int:
        """How many of these there were. Raises StorageUnavailable."""
        return await self._failures.remove(tenant_id, spool_ids, self._clock.now())


def _page(found: Sequence[UnstoredWrite], size: int) -> SpooledPage:
    page = found[:size]
    has_more = len(found) > size
    cursor = PageCursor(page[-1].accepted_at, page[-1].spool_id) if has_more else None
    return SpooledPage(page, cursor)
