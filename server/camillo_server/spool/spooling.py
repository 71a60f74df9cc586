"""Writes while Postgres is away: what a method would have stored goes to the spool of this process, and its caller is told so."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from camillo.v1.consistency_pb2 import DURABILITY_DROPPED, DURABILITY_SPOOLED
from google.protobuf.message import Message

from camillo_server.kernel.caller import current_caller
from camillo_server.kernel.clock import Clock, remaining_seconds
from camillo_server.kernel.errors import RequestIdReused, SpoolUnavailable, StorageUnavailable
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redactor
from camillo_server.rpc.call import Call
from camillo_server.spool.policies import SpoolPolicies, SpoolPolicy
from camillo_server.spool.redacted_messages import redacted_body
from camillo_server.spool.spool import Spool
from camillo_server.spool.spooled_write import SpooledWrite
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, WriteInDoubt
from camillo_server.telemetry.spool import SpoolCounts

# A write waits so long for those of its scope that are spooled, once Postgres is back; then it goes behind them.
DRAIN_WAIT_SECONDS, DRAIN_WAIT_SHARE = 1.0, 0.25
Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)


class Accepted(NamedTuple):
    """When a spooled write was answered, and its spool id, which what it creates has as well: it is stored as of then, under this id."""

    at: datetime
    spool_id: UUID


@dataclass(frozen=True, slots=True)
class Provisional(Generic[Response]):
    """What a spooled write is answered, and the rows that recalls may show of it already."""

    response: Response
    rows: Sequence[Any] = ()


# Stores a request: one that was spooled as of its acceptance.
Store = Callable[[Call, Request, Accepted | None], Awaitable[Response]]
# What a request will become. Completes the request, so that it becomes the same whenever it is stored. Asks Postgres nothing.
Foresee = Callable[[Call, Request, Accepted], Awaitable[Provisional[Response]]]


class Spooling:
    """Decides whether a write is stored or spooled. Belongs to one event loop."""

    def __init__(
        self,
        spool: Spool,
        database: Database,
        policies: SpoolPolicies,
        redactor: Redactor,
        notifier: ChangeNotifier,
        counts: SpoolCounts,
        clock: Clock,
        enabled: frozenset[str],
    ) -> None:
        """`enabled` are the methods of the settings."""
        self.spool = spool
        self.policies = policies
        self.counts = counts
        self.methods: dict[str, SpoolableMethod[Any, Any]] = {}
        self.enabled = enabled
        # Set by each append; whoever replays waits for it.
        self.has_more = asyncio.Event()
        self._database = database
        self._redactor = redactor
        self._notifier = notifier
        self._clock = clock
        # Of requests that are spooled, by the scope and their id: the digest of their content, and what they were answered with.
        self._known: dict[tuple[Scope, str], tuple[bytes, Accepted]] = {}
        self._drained: dict[Scope, asyncio.Event] = {}

    def method(
        self,
        name: str,
        setting: str,
        request_type: type[Request],
        store: Store[Request, Response],
        foresee: Foresee[Request, Response],
    ) -> "SpoolableMethod[Request, Response]":
        """A method that may be spooled, `setting` as the settings name it."""
        made = SpoolableMethod(self, name, setting, request_type, store, foresee)
        self.methods[name] = made
        return made

    @property
    def is_idle(self) -> bool:
        """Whether Postgres is there and nothing waits for it."""
        return not self._database.is_away and not self.spool.waiting_count

    async def may_store(self, scope: Scope) -> bool:
        """Whether a write of this scope may go to Postgres now: not while that is away, nor past spooled ones."""
        if self.policies.of(scope.tenant_id) is SpoolPolicy.REFUSE:
            return True
        if self._database.is_away:
            return False
        if not self.spool.waiting(scope):
            return True
        drained = self._drained.setdefault(scope, asyncio.Event())
        seconds = min(DRAIN_WAIT_SECONDS, DRAIN_WAIT_SHARE * remaining_seconds(float("inf")))
        try:
            async with asyncio.timeout(seconds):
                await drained.wait()
        except TimeoutError:
            return False
        return True

    async def append(
        self,
        method: "SpoolableMethod[Request, Response]",
        call: Call,
        request: Request,
        failure: StorageUnavailable,
    ) -> Response:
        """Spools a write, and answers what it will become. Raises the failure where the tenant wants that, RequestIdReused,
        SpoolUnavailable."""
        policy = self.policies.of(call.scope.tenant_id)
        if policy is SpoolPolicy.REFUSE:
            raise failure
        known = self._known_request(call)
        now = self._clock.now()
        accepted = known or Accepted(now, time_ordered_uuid(now))
        foreseen = await method.foresee(call, request, accepted)
        told: Any = foreseen.response
        try:
            if known is None:
                await self._append(method.name, call, request, accepted)
                self._notifier.notify_spooled(call.scope, foreseen.rows)
        except SpoolUnavailable:
            if policy is not SpoolPolicy.DROP:
                raise
            self.counts.dropped += 1
            told.durability = DURABILITY_DROPPED
            return foreseen.response
        told.durability = DURABILITY_SPOOLED
        told.spool_id = str(accepted.spool_id)
        return foreseen.response

    def finish(self, write: SpooledWrite) -> None:
        """Call it when a write is done in the spool: nothing of it waits here any more."""
        self._known.pop((write.scope, write.request.request_id), None)
        if not self.spool.waiting(write.scope):
            self._notifier.notify_drained(write.scope)
            if (drained := self._drained.pop(write.scope, None)) is not None:
                drained.set()

    async def _append(self, method: str, call: Call, request: Message, accepted: Accepted) -> None:
        spool_id = accepted.spool_id
        key = call.request_key or RequestKey(f"spool:{spool_id}", sha256(spool_id.bytes).digest())
        write = SpooledWrite(
            spool_id=spool_id,
            method=method,
            scope=call.scope,
            accepted_at=accepted.at,
            request=key,
            has_request_id=call.request_key is not None,
            caller=current_caller.get(),
            body=await redacted_body(request, self._redactor),
        )
        # Before it is on disk: a repeat that comes meanwhile is the same write.
        known_as = call.scope, key.request_id
        self._known[known_as] = key.content_digest, accepted
        try:
            await self.spool.append(write)
        except SpoolUnavailable:
            del self._known[known_as]
            raise
        self.counts.spooled += 1
        self.has_more.set()

    def _known_request(self, call: Call) -> Accepted | None:
        """What the same request was answered with that is spooled already. Raises RequestIdReused."""
        key = call.request_key
        if key is None or (known := self._known.get((call.scope, key.request_id))) is None:
            return None
        content_digest, accepted = known
        if content_digest != key.content_digest:
            raise RequestIdReused(key.request_id)
        return accepted


class SpoolableMethod(Generic[Request, Response]):
    """A method whose writes are spooled while Postgres is away."""

    def __init__(
        self,
        spooling: Spooling,
        name: str,
        setting: str,
        request_type: type[Request],
        store: Store[Request, Response],
        foresee: Foresee[Request, Response],
    ) -> None:
        self.name = name
        self.request_type = request_type
        self.store = store
        self.foresee = foresee
        self._spooling = spooling
        self._is_enabled = setting in spooling.enabled

    async def __call__(self, call: Call, request: Request) -> Response:
        """Stores the request, or spools it. Raises what storing raises; StorageUnavailable where it is not spooled."""
        spooling = self._spooling
        if not self._is_enabled or spooling.is_idle or await spooling.may_store(call.scope):
            try:
                return await self.store(call, request, None)
            except WriteInDoubt as error:
                # Only by its request id can anybody tell later whether it was stored.
                if call.request_key is None:
                    raise
                failure: StorageUnavailable = error
            except StorageUnavailable as error:
                failure = error
        else:
            failure = StorageUnavailable()
        if not self._is_enabled:
            raise failure
        return await spooling.append(self, call, request, failure)
