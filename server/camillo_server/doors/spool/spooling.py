"""Writes while Postgres is away: what a method would have stored goes to the spool of this process, and its caller is
told so."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.contract import message_class, method_named
from camillo_server.doors.spool.committed_answers import CommittedAnswers
from camillo_server.doors.spool.policies import SpoolPolicies, SpoolPolicy
from camillo_server.doors.spool.request_messages import mark_dropped, mark_spooled, redacted_body
from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooled_write import SpooledWrite
from camillo_server.kernel.clock import Clock, remaining_seconds, time_ordered_uuid
from camillo_server.kernel.errors import RequestIdReused, SpoolUnavailable, StorageUnavailable
from camillo_server.kernel.scope import Scope, current_caller
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, WriteInDoubt
from camillo_server.telemetry.spool import SpoolCounts

# A write waits so long for those of its scope that are spooled, once Postgres is back; then it goes behind them.
DRAIN_WAIT_SECONDS, DRAIN_WAIT_SHARE = 1.0, 0.25
# Messages of the contract.
Request = TypeVar("Request")
Response = TypeVar("Response")


class Acceptance(NamedTuple):
    """When a write was accepted, and its spool id, which what it creates has as well: it is stored as of then, under
    this id, whether at once, after it was in doubt, or from the spool."""

    at: datetime
    spool_id: UUID


@dataclass(frozen=True, slots=True)
class Provisional(Generic[Response]):
    """The response to a spooled write, and the rows that recalls may already show."""

    response: Response
    rows: Sequence[Any] = ()


class _Known(NamedTuple):
    """A request that is spooled; `appending` while it is on its way there."""

    content_digest: bytes
    accepted: Acceptance
    appending: "asyncio.Task[Any] | None"


Stored = Callable[[Call, Request, Acceptance], Awaitable[Response]]
Previewed = Callable[[Call, Request, Acceptance], Awaitable[Provisional[Response]]]
# The same with the servicer.
Store = Callable[[Any, Call, Request, Acceptance], Awaitable[Response]]
Preview = Callable[[Any, Call, Request, Acceptance], Awaitable[Provisional[Response]]]
PreviewMethod = TypeVar("PreviewMethod", bound=Preview[Any, Any])


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
        self.answers = CommittedAnswers()
        notifier.on_removal(self.answers.on_removal)
        # Keyed by the scope and the id of the request.
        self._known: dict[tuple[Scope, str], _Known] = {}
        # The ids of what spooled writes create, by what makes two of them one.
        self._ids: dict[Scope, dict[object, UUID]] = {}
        self._drained: dict[Scope, asyncio.Event] = {}

    def bind(self, servicer: object, calls: CallReader) -> None:
        """Puts methods in the place of those of a servicer that are `spoolable`; a replay finds them by their names."""
        for name, declared in vars(type(servicer)).items():
            if isinstance(declared, Spoolable):
                method = SpoolableMethod(self, calls, servicer, declared)
                self.methods[method.name] = method
                setattr(servicer, name, method)

    @property
    def is_idle(self) -> bool:
        """Whether Postgres is there and nothing waits for it."""
        return not self._database.is_away and not self.spool.waiting_count

    async def may_store(self, scope: Scope) -> bool:
        """Whether a write of this scope may go to Postgres now: not while that is away, nor past spooled ones."""
        if not self.spool.waiting(scope):
            is_refused = self.policies.of(scope.tenant_id) is SpoolPolicy.REFUSE
            return is_refused or not self._database.is_away
        if self._database.is_away:
            return False
        drained = self._drained.setdefault(scope, asyncio.Event())
        seconds = min(DRAIN_WAIT_SECONDS, DRAIN_WAIT_SHARE * remaining_seconds(float("inf")))
        try:
            async with asyncio.timeout(seconds):
                await drained.wait()
        except TimeoutError:
            return False
        return True

    def accept(self) -> Acceptance:
        """The acceptance of a write that comes now."""
        now = self._clock.now()
        return Acceptance(now, time_ordered_uuid(now))

    def id_of(self, scope: Scope, name: object, new_id: UUID) -> UUID:
        """The id under which a spooled write will be found: that of the first one that waits and has the same name,
        which makes them one when they are stored, else its own."""
        return self._ids.setdefault(scope, {}).setdefault(name, new_id)

    async def append(
        self,
        method: "SpoolableMethod[Request, Response]",
        call: Call,
        request: Request,
        accepted: Acceptance,
        failure: StorageUnavailable,
    ) -> Response:
        """Spools a write, and answers what it will become; a repeat of one that was committed here is answered as that
        was. Raises the failure where the tenant wants that, RequestIdReused, SpoolUnavailable."""
        if (answer := self.answers.find(call.scope, call.request_key)) is not None:
            committed: Response = method.response_type.FromString(answer)
            return committed
        policy = self.policies.of(call.scope.tenant_id)
        if policy is SpoolPolicy.REFUSE:
            raise failure
        known = self._known_request(call)
        appending = known.appending if known else None
        if known is None:
            appending = self._begin(method, call, request, accepted, policy)
        if appending is not None:
            # A caller that goes away takes nothing with it: a repeat may have been told of the write.
            response: Response = await asyncio.shield(appending)
            return response
        assert known is not None  # noqa: S101
        response = (await method.preview(call, request, known.accepted)).response
        mark_spooled(response, known.accepted.spool_id)
        return response

    def finish(self, write: SpooledWrite) -> None:
        """Call it when a write is done in the spool: nothing of it waits here any more."""
        self._known.pop((write.scope, write.request.request_id), None)
        if not self.spool.waiting(write.scope):
            self._ids.pop(write.scope, None)
            self._notifier.notify_drained(write.scope)
            if (drained := self._drained.pop(write.scope, None)) is not None:
                drained.set()

    def _begin(
        self,
        method: "SpoolableMethod[Request, Response]",
        call: Call,
        request: Request,
        accepted: Acceptance,
        policy: SpoolPolicy,
    ) -> "asyncio.Task[Response]":
        """Appends a write. From now on its repeats are the same write."""
        spool_id = accepted.spool_id
        key = call.request_key or RequestKey(f"spool:{spool_id}", sha256(spool_id.bytes).digest())
        write = SpooledWrite(
            spool_id=spool_id,
            method=method.name,
            scope=call.scope,
            accepted_at=accepted.at,
            request=key,
            has_request_id=call.request_key is not None,
            caller=current_caller.get(),
            body=b"",
        )
        task = asyncio.create_task(self._append(method, call, request, write, policy))
        # Whoever waited may be gone when it fails.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._known[call.scope, key.request_id] = _Known(key.content_digest, accepted, task)
        return task

    async def _append(
        self,
        method: "SpoolableMethod[Request, Response]",
        call: Call,
        request: Request,
        write: SpooledWrite,
        policy: SpoolPolicy,
    ) -> Response:
        known_as = write.scope, write.request.request_id
        accepted = Acceptance(write.accepted_at, write.spool_id)
        is_spooled = False
        try:
            preview = await method.preview(call, request, accepted)
            body = await redacted_body(request, self._redactor)
            await self.spool.append(replace(write, body=body))
            is_spooled = True
        except SpoolUnavailable:
            if policy is not SpoolPolicy.DROP:
                raise
        finally:
            if not is_spooled:
                del self._known[known_as]
                self._drop_ids(write)
        if not is_spooled:
            self.counts.dropped += 1
            mark_dropped(preview.response)
            return preview.response
        self._known[known_as] = _Known(write.request.content_digest, accepted, None)
        self.counts.spooled += 1
        self._notifier.notify_spooled(write.scope, preview.rows)
        self.has_more.set()
        mark_spooled(preview.response, write.spool_id)
        return preview.response

    def _drop_ids(self, write: SpooledWrite) -> None:
        """Nothing will be found under the id of a write that is not spooled."""
        ids = self._ids.get(write.scope, {})
        for name in [name for name, each in ids.items() if each == write.spool_id]:
            del ids[name]

    def _known_request(self, call: Call) -> _Known | None:
        """The same request, where it is spooled already. Raises RequestIdReused."""
        key = call.request_key
        if key is None or (known := self._known.get((call.scope, key.request_id))) is None:
            return None
        if known.content_digest != key.content_digest:
            raise RequestIdReused(key.request_id)
        return known


class Spoolable(Generic[Request, Response]):
    """A method of a servicer whose writes are spooled while Postgres is away: it stores a request as of its
    acceptance."""

    def __init__(self, store: Store[Request, Response], cost: Callable[[Any], float] | None) -> None:
        self.store = store
        self.cost = cost
        self.previewed: Preview[Request, Response] | None = None

    def __get__(self, servicer: object, owner: type) -> Callable[[Request, Any], Awaitable[Response]]:
        """Python comes here only where `Spooling.bind` was not called: what that puts into a servicer takes
        precedence."""
        raise AttributeError(self.store.__name__)

    def preview(self, predict: PreviewMethod) -> PreviewMethod:
        """Decorates the method that predicts the result of a request. It completes the request, so that it has this
        result whenever it is stored, and does not query Postgres."""
        self.previewed = predict
        return predict


def spoolable(
    cost: Callable[[Any], float] | None = None,
) -> Callable[[Store[Request, Response]], Spoolable[Request, Response]]:
    """Decorates a method of the contract. `cost`: what checking a request costs
    beside what its size tells (`kernel/off_loop.py`). The
    setting `spool.methods` has the method's name in lower case."""
    return lambda store: Spoolable(store, cost)


class SpoolableMethod(Generic[Request, Response]):
    """A spoolable method of one servicer, as gRPC calls it."""

    def __init__(
        self,
        spooling: Spooling,
        calls: CallReader,
        servicer: object,
        declared: Spoolable[Request, Response],
    ) -> None:
        described = method_named(declared.store.__name__)
        assert declared.previewed is not None  # noqa: S101
        self.name = f"{described.containing_service.name}.{described.name}"
        self.request_type: Any = message_class(described.input_type)
        self.response_type: Any = message_class(described.output_type)
        self.store: Stored[Request, Response] = partial(declared.store, servicer)
        self.preview: Previewed[Request, Response] = partial(declared.previewed, servicer)
        self._cost = declared.cost
        self._calls = calls
        self._spooling = spooling
        setting = re.sub("(?<=[a-z])(?=[A-Z])", "_", described.name).lower()
        self._is_enabled = setting in spooling.enabled

    async def __call__(self, request: Request, context: Any) -> Response:
        """Stores the request, or spools it. Raises what storing raises; StorageUnavailable where it is not spooled."""
        cost = self._cost(request) if self._cost else 0.0
        call = await self._calls.read(request, cost)
        spooling = self._spooling
        accepted = spooling.accept()
        if not self._is_enabled or spooling.is_idle or await spooling.may_store(call.scope):
            try:
                response = await self.store(call, request, accepted)
                if call.request_key is not None:
                    spooling.answers.keep(call.scope, call.request_key, response)
                return response
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
        return await spooling.append(self, call, request, accepted, failure)
