"""Stores in Postgres what was spooled while it was away: in the order of each scope, through the use cases that would
have stored it."""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextvars import Context
from dataclasses import replace
from typing import Any
from uuid import UUID

from camillo_server.doors.rpc.call import CallReader, added_by, set_caller
from camillo_server.doors.spool.failures import SpoolFailures, UnstoredWrite
from camillo_server.doors.spool.request_messages import (
    RequestJson,
    UnknownRequest,
    json_of_request,
    request_of,
    request_of_json,
)
from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite, Waiting
from camillo_server.doors.spool.spooling import Acceptance, Spooling
from camillo_server.kernel.clock import Clock, set_deadline
from camillo_server.kernel.errors import (
    DeadlineExceeded,
    DomainError,
    NotFound,
    Overloaded,
    StorageFull,
    StorageUnavailable,
    ValueRejected,
)
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.storage.database import Database
from camillo_server.storage.quotas import Quotas
from camillo_server.storage.written_requests import PACKAGE, is_answered

logger = logging.getLogger(__name__)

# While something waits, Postgres is asked so often whether it is back; and files of dead processes are looked for so
# often.
PROBE_SECONDS, ADOPT_SECONDS = 0.25, 10.0
# The number of scopes that are replayed side by side; of each, one write at a time.
SCOPES_AT_ONCE = 4
REPLAY_SECONDS = 30.0
KEEP_SECONDS = 30.0
# A write that takes longer so many times is given up.
MAX_LATE = 5
# These pass by themselves: the write stays, and is tried again.
PASSING = (StorageUnavailable, DeadlineExceeded, Overloaded, StorageFull)
DAMAGED, UNKNOWN = "DAMAGED", "INTERNAL"
NOT_KNOWN = "this server does not know such a write"
DEFECT = "internal error; the server's log has it"


class Replay:
    """The background work of the spool. Belongs to one event loop."""

    def __init__(
        self,
        spooling: Spooling,
        database: Database,
        quotas: Quotas,
        failures: SpoolFailures,
        calls: CallReader,
        clock: Clock,
    ) -> None:
        self._spooling = spooling
        self._spool = spooling.spool
        self._database = database
        self._quotas = quotas
        self._failures = failures
        self._calls = calls
        self._counts = spooling.counts
        self._clock = clock
        # How often writes that wait have met the deadline of a replay.
        self._late: Counter[UUID] = Counter()

    async def run(self) -> None:
        """Replays whatever waits as soon as Postgres is there, for ever."""
        while True:
            if not self._spool.waiting_count and not self._database.is_away:
                await self._adopt()
                await self._until_needed()
            elif await self._is_back():
                await self.drain()
            if self._spool.waiting_count or self._database.is_away:
                await asyncio.sleep(PROBE_SECONDS)

    async def drain(self) -> None:
        """Makes one pass over the waiting writes. A write that Postgres does not take now stays, and so do the later
        ones of its scope, which must not overtake it."""
        stuck = set[Scope | None]()
        async for batch in self._spool.batches():
            by_scope: dict[Scope | None, list[Waiting]] = defaultdict(list)
            for each in batch:
                by_scope[each.scope if isinstance(each, SpooledWrite) else None].append(each)
            for scope in stuck:
                by_scope.pop(scope, None)
            slots = asyncio.Semaphore(SCOPES_AT_ONCE)
            # In contexts of their own: each write has its caller, and none the deadline of another.
            tasks = [
                asyncio.create_task(self._replay_scope(slots, writes), context=Context())
                for writes in by_scope.values()
            ]
            try:
                drained = await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
            stuck.update(scope for scope, is_done in zip(by_scope, drained, strict=True) if not is_done)
            if self._database.is_away:
                return

    async def retry(self, failed: UnstoredWrite) -> UnstoredWrite | None:
        """Tries a write again that failed: None where it is stored now, else with its new reason. Raises what passes by
        itself."""
        method = self._spooling.methods.get(failed.method)
        if failed.request is None or method is None:
            return failed
        # It has its own caller, and its own deadline.
        retried = self._retried(failed, failed.request, method)
        return await asyncio.create_task(retried, context=Context())

    async def _retried(self, failed: UnstoredWrite, request: RequestJson, method: Any) -> UnstoredWrite | None:
        try:
            message = request_of_json(method.request_type, request)
            await self._store(method, message, failed)
        except PASSING:
            raise
        except UnknownRequest:
            return self._failed(failed, UNKNOWN, NOT_KNOWN, request)
        except DomainError as error:
            kept = None if isinstance(error, ValueRejected) else request
            return self._failed(failed, error.reason, str(error), kept)
        return None

    async def _replay_scope(self, slots: asyncio.Semaphore, items: Sequence[Waiting]) -> bool:
        """Whether all of them are done: one that stays keeps those behind it."""
        async with slots:
            for item in items:
                try:
                    await self._replay(item)
                except PASSING as error:
                    logger.info("a spooled write stays", extra={"cause": error.reason})
                    return False
                self._late.pop(item.spool_id, None)
                await self._spool.done([item])
                if isinstance(item, SpooledWrite):
                    self._spooling.finish(item)
        return True

    async def _replay(self, item: Waiting) -> None:
        """Stores a write, or keeps it as failed. Raises what passes by itself."""
        if isinstance(item, DamagedFrame):
            await self._keep_damaged(item)
            return
        method, write = self._spooling.methods.get(item.method), waiting_write(item)
        try:
            if method is None:
                raise UnknownRequest
            message = request_of(method.request_type, item.body)
            await self._store(method, message, write)
        except DeadlineExceeded as error:
            self._late[item.spool_id] += 1
            if self._late[item.spool_id] < MAX_LATE:
                raise
            # It would hold up its scope for ever.
            kept = _json(method, item)
            await self._keep(self._failed(write, error.reason, str(error), kept))
        except PASSING:
            raise
        except DomainError as error:
            # A forgotten value is kept nowhere.
            kept = None if isinstance(error, ValueRejected) else _json(method, item)
            await self._keep(self._failed(write, error.reason, str(error), kept))
        except UnknownRequest:
            await self._keep(self._failed(write, UNKNOWN, NOT_KNOWN, None))
        except Exception:
            # It must not hold up those behind it.
            logger.exception("a spooled write met a defect", extra={"method": item.method})
            kept = _json(method, item)
            await self._keep(self._failed(write, UNKNOWN, DEFECT, kept))
        else:
            self._counts.replayed += 1

    async def _store(self, method: Any, message: Any, write: UnstoredWrite) -> None:
        assert write.caller is not None  # noqa: S101 (what can be read has one)
        set_caller(write.caller)
        set_deadline(REPLAY_SECONDS)
        if await is_answered(self._database, write.scope, write.key, write.accepted_at):
            # It was committed before it was spooled, or a replay before this one was killed: nothing of it may fail
            # now.
            return
        call = self._calls.read_at_once(message)
        call = call._replace(scope=write.scope, request_key=write.key)
        added = added_by(PACKAGE + method.name.replace(".", "/"))
        if added is not None:
            size = added(message, write.byte_count)
            await self._quotas.require(write.scope, size, exactly=True)
        await method.store(call, message, Acceptance(write.accepted_at, write.spool_id))

    async def _keep(self, failed: UnstoredWrite) -> None:
        extra = {"method": failed.method, "reason": failed.reason, "spool_id": str(failed.spool_id)}
        # The deadline of the write may have passed.
        set_deadline(KEEP_SECONDS)
        try:
            await self._failures.keep(failed)
        except NotFound:
            logger.warning("a spooled write of a tenant that is gone is dropped", extra=extra)
        else:
            logger.error("a spooled write could not be stored", extra=extra)
        self._counts.failed[failed.reason] += 1

    async def _keep_damaged(self, frame: DamagedFrame) -> None:
        """Keeps a damaged frame, of which nothing but its existence is known, and mostly its tenant."""
        extra = {"file": str(frame.file_id), "offset": frame.offset, "why": frame.why}
        logger.error("a part of the spool cannot be read", extra=extra)
        if frame.tenant_id is None:
            self._counts.failed[DAMAGED] += 1
            return
        now = self._clock.now()
        await self._keep(
            UnstoredWrite(
                scope=Scope(frame.tenant_id, AgentId("")),
                spool_id=frame.spool_id,
                method="",
                key=RequestKey("", b""),
                has_request_id=False,
                caller=None,
                accepted_at=now,
                byte_count=frame.byte_count,
                reason=DAMAGED,
                message=frame.why,
                failed_at=now,
                request=None,
            )
        )

    def _failed(self, write: UnstoredWrite, reason: str, message: str, request: RequestJson | None) -> UnstoredWrite:
        now = self._clock.now()
        return replace(write, reason=reason, message=message, failed_at=now, request=request)

    async def _is_back(self) -> bool:
        try:
            await self._database.check_history()
        except StorageUnavailable:
            return False
        return True

    async def _adopt(self) -> None:
        if count := await self._spool.adopt():
            logger.warning("took over spooled writes of a dead process", extra={"writes": count})

    async def _until_needed(self) -> None:
        """Waits until a write is spooled, or dead processes are to be looked for again."""
        self._spooling.has_more.clear()
        if self._spool.waiting_count:
            return
        try:
            async with asyncio.timeout(ADOPT_SECONDS):
                await self._spooling.has_more.wait()
        except TimeoutError:
            return


def waiting_write(write: SpooledWrite) -> UnstoredWrite:
    """The entry that lists a waiting write."""
    return UnstoredWrite(
        scope=write.scope,
        spool_id=write.spool_id,
        method=write.method,
        key=write.request,
        has_request_id=write.has_request_id,
        caller=write.caller,
        accepted_at=write.accepted_at,
        byte_count=len(write.body),
        reason="",
        message="",
        failed_at=write.accepted_at,
        request=None,
    )


def _json(method: Any, write: SpooledWrite) -> RequestJson | None:
    return json_of_request(method.request_type, write.body) if method else None
