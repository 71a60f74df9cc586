"""The paths of the context daemon's design, with its requests and answers: each calls methods of the contract as their
caller."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import artifact_service_pb2 as artifacts
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as bundles
from camillo.v1 import task_service_pb2 as tasks
from google.protobuf.message import Message
from starlette.routing import BaseRoute, Route

from camillo_server.doors.gateway import design_answers as shown
from camillo_server.doors.gateway import design_requests as read
from camillo_server.doors.gateway.artifact_bytes import GET, ArtifactContent
from camillo_server.doors.gateway.bindings import FieldReader, read_query, reader_of
from camillo_server.doors.gateway.calls import Arrival, CallFailed, LocalMethods, one_message
from camillo_server.doors.gateway.exchange import Exchange, Receive, Scope, Send
from camillo_server.doors.gateway.http_answers import JSON
from camillo_server.doors.gateway.json_bodies import bounds_of
from camillo_server.doors.rpc.call import principal
from camillo_server.doors.rpc.errors import to_status
from camillo_server.kernel.errors import NotFound, ScopeForbidden
from camillo_server.kernel.off_loop import off_loop

WHO_AM_I = "/camillo.v1.AdminService/WhoAmI"
RECORD_EVENT = "/camillo.v1.EventService/RecordEvent"
BUILD_BUNDLE = "/camillo.v1.SnapshotService/BuildBundle"
RECORD_DECISION = "/camillo.v1.DecisionService/RecordDecision"
QUERY_DECISIONS = "/camillo.v1.DecisionService/QueryDecisions"
GET_TASK = "/camillo.v1.TaskService/GetTask"
UPSERT_TASK = "/camillo.v1.TaskService/UpsertTask"

# With it a request that is repeated is done once: the design's bodies have no field for that.
REPEAT_KEY = "idempotency-key"


class DesignAnswer(NamedTuple):
    """The answer of a method of the contract, and the function that makes the design's answer of it."""

    message: Any
    show: Callable[[Any], dict[str, Any]]


Serve = Callable[["DesignCall"], Awaitable[DesignAnswer]]
Make = Callable[[FieldReader], Message]


def design_routes(methods: LocalMethods, max_message_bytes: int, default_deadline_seconds: float) -> list[BaseRoute]:
    """The routes of `/api/v1`."""
    begin = partial(DesignCall, methods, max_message_bytes, default_deadline_seconds)
    return [
        Route("/api/v1/events", DesignPath("POST", record_event, begin)),
        Route("/api/v1/acb/build", DesignPath("POST", build_bundle, begin)),
        Route("/api/v1/artifacts/{artifact_id}", DesignArtifact(methods, begin)),
        Route("/api/v1/decisions", DesignPath("POST", record_decision, begin)),
        Route("/api/v1/decisions/query", DesignPath("GET", query_decisions, begin)),
        Route("/api/v1/tasks", DesignPath("POST", upsert_task, begin)),
    ]


class DesignCall:
    """One request, and the calls that come of it: all within one deadline, by the caller's own credential."""

    def __init__(
        self,
        methods: LocalMethods,
        max_message_bytes: int,
        default_deadline_seconds: float,
        exchange: Exchange,
    ) -> None:
        self._methods = methods
        self._max_message_bytes = max_message_bytes
        self._default_deadline_seconds = default_deadline_seconds
        self._exchange = exchange
        self._began = time.monotonic()
        self.request_id = exchange.headers.get(REPEAT_KEY, "")
        # The credential's, once a call has shown it.
        self.tenant_id = ""

    async def method(self, method: str, bodies: AsyncIterator[bytes]) -> Any:
        """Calls a method of the contract and returns its answer. Raises CallFailed, CallerGone, InvalidField."""
        return await self._exchange.unless_gone(self._methods.call(method, self._arrival(bodies)))

    async def body(self, make: Make, message_type: type[Message]) -> AsyncIterator[bytes]:
        """The request that is made of the body, read when the caller is known, within the bounds of requests of this
        type. Raises InvalidField, ScopeForbidden, Overloaded."""
        bounds = bounds_of(message_type.DESCRIPTOR, self._max_message_bytes)

        def read(value: Any) -> bytes:
            fields = reader_of(value)
            self._enter(fields.required_text("tenant_id"))
            return make(fields).SerializeToString()

        with self._methods.bodies.held(principal().tenant_id) as held:
            encoded = await (await self._exchange.body(bounds, "body", held)).build(read)
        yield encoded

    async def query(self, make: Make, lists: frozenset[str] = frozenset()) -> AsyncIterator[bytes]:
        """The request that is made of the query. Raises InvalidField, ScopeForbidden."""
        fields = read_query(self._exchange.query, lists)
        self._enter(fields.text("tenant_id"))
        yield make(fields).SerializeToString()

    def _enter(self, tenant_id: str) -> None:
        """Takes the tenant of the caller, known by now. Raises ScopeForbidden for a request of another tenant."""
        own = principal().tenant_id
        if tenant_id not in ("", own):
            raise ScopeForbidden("the credential is of another tenant")
        self.tenant_id = own

    def _arrival(self, bodies: AsyncIterator[bytes]) -> Arrival:
        arrival = self._exchange.arrival(bodies, self._default_deadline_seconds)
        if arrival.deadline_seconds is not None:
            spent = time.monotonic() - self._began
            arrival.deadline_seconds = max(0.0, arrival.deadline_seconds - spent)
        return arrival


Begin = Callable[[Exchange], DesignCall]


class DesignPath:
    """An ASGI application of one path, which has one method of HTTP."""

    def __init__(self, http_method: str, serve: Serve, begin: Begin) -> None:
        self._http_method = http_method
        self._serve = serve
        self._begin = begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        exchange = Exchange(scope, receive, send, has_body=self._http_method == "POST")
        if exchange.http_method == self._http_method:
            await exchange.answer(self._answer(exchange))
        else:
            await exchange.refuse_method((self._http_method,))

    async def _answer(self, exchange: Exchange) -> None:
        answer = await self._serve(self._begin(exchange))
        cost = answer.message.ByteSize() / 4
        encoded = await off_loop(cost, partial(_encoded, answer))
        await exchange.respond(200, {"content-type": JSON}, encoded)


class DesignArtifact:
    """GET and HEAD of the bytes of an artifact: those of `/v1/artifacts/{artifact_id}/content`, with the design's
    query."""

    def __init__(self, methods: LocalMethods, begin: Begin) -> None:
        self._content = ArtifactContent(methods)
        self._begin = begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        exchange = Exchange(scope, receive, send, has_body=False)
        if exchange.http_method in ("GET", "HEAD"):
            await exchange.answer(self._get(exchange, scope["path_params"]["artifact_id"]))
        else:
            await exchange.refuse_method(("GET", "HEAD"))

    async def _get(self, exchange: Exchange, artifact_id: str) -> None:
        lookup = artifacts.GetArtifactRequest()

        def make(fields: FieldReader) -> Message:
            lookup.CopyFrom(read.artifact_lookup(fields, artifact_id))
            return lookup

        call = self._begin(exchange)
        found = await call.method(GET, call.query(make))
        _require_shown(found.artifact.sensitivity, "artifact", lookup.artifact_id)
        await self._content.send(exchange, lookup, found.artifact)


async def record_event(call: DesignCall) -> DesignAnswer:
    """POST /api/v1/events; of the kind decision also a decision, which rests on the event. Raises CallFailed,
    InvalidField."""
    kept = list[read.EventToRecord]()

    def make(fields: FieldReader) -> Message:
        to_record = read.event_to_record(fields)
        to_record.request.request_id = call.request_id
        kept.append(to_record)
        return to_record.request

    recorded = await call.method(RECORD_EVENT, call.body(make, events.RecordEventRequest))
    [(event, decision)] = kept
    if decision is not None:
        decision.refs[0] = recorded.recorded.event_id
        request = decisions.RecordDecisionRequest(agent_id=event.agent_id, decision=decision)
        if call.request_id:
            # One id names one request.
            request.request_id = sha256(f"{call.request_id}/decision".encode()).hexdigest()
        await call.method(RECORD_DECISION, one_message(request))
    return DesignAnswer(recorded, shown.recorded_event)


async def build_bundle(call: DesignCall) -> DesignAnswer:
    """POST /api/v1/acb/build. Raises CallFailed, InvalidField."""
    built = await call.method(BUILD_BUNDLE, call.body(read.bundle_request, bundles.BuildBundleRequest))
    return DesignAnswer(built.bundle, shown.built_bundle)


async def record_decision(call: DesignCall) -> DesignAnswer:
    """POST /api/v1/decisions. Raises CallFailed, InvalidField."""

    def make(fields: FieldReader) -> Message:
        request = read.decision_request(fields)
        request.request_id = call.request_id
        return request

    recorded = await call.method(RECORD_DECISION, call.body(make, decisions.RecordDecisionRequest))
    return DesignAnswer(recorded.decision, partial(shown.decision_row, call.tenant_id))


async def query_decisions(call: DesignCall) -> DesignAnswer:
    """GET /api/v1/decisions/query. Raises CallFailed, InvalidField."""
    found = await call.method(QUERY_DECISIONS, call.query(read.decision_query, read.QUERY_LISTS))
    return DesignAnswer(found, partial(shown.decision_rows, call.tenant_id))


async def upsert_task(call: DesignCall) -> DesignAnswer:
    """POST /api/v1/tasks. A change is made to the version that is there: the design has none. Raises CallFailed,
    InvalidField."""
    request = tasks.UpsertTaskRequest()

    def make(fields: FieldReader) -> Message:
        request.CopyFrom(read.task_request(fields))
        return admin.WhoAmIRequest()

    # Which method comes first is known when the body is read, and that is read for those who have a credential.
    await call.method(WHO_AM_I, call.body(make, tasks.UpsertTaskRequest))
    if request.task_id:
        lookup = tasks.GetTaskRequest(agent_id=request.agent_id, task_id=request.task_id)
        found = await call.method(GET_TASK, one_message(lookup))
        _require_shown(found.task.stated.sensitivity, "task", request.task_id)
        request.expected_version = found.task.version
    else:
        # A change says what it makes of the task: repeating it needs no key.
        request.request_id = call.request_id
    upserted = await call.method(UPSERT_TASK, one_message(request))
    return DesignAnswer(upserted.task, partial(shown.task_row, call.tenant_id))


def _require_shown(sensitivity: int, noun: str, wanted_id: str) -> None:
    """Raises CallFailed, as for what is not there."""
    if not shown.is_shown(sensitivity):
        raise CallFailed(to_status(NotFound(noun, wanted_id)))


def _encoded(answer: DesignAnswer) -> bytes:
    as_dict = answer.show(answer.message)
    return json.dumps(as_dict, ensure_ascii=False, separators=(",", ":")).encode()
