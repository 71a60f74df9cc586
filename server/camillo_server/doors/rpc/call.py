"""One call as its servicer sees it: the caller, the scope and the request id; and what it adds to the tenant's
quotas."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from camillo.v1 import options_pb2 as options
from camillo.v1.consistency_pb2 import Freshness as FreshnessMessage
from camillo.v1.consistency_pb2 import Revision, SpaceRead
from google.protobuf.message import Message

from camillo_server.doors.rpc.admission import narrow
from camillo_server.doors.rpc.contract import ADDS, described, option, written_requests
from camillo_server.doors.rpc.field_limits import CompiledCheck, compiled_check
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import Checks, OwnModel, form_problem, refuse_secrets
from camillo_server.kernel.channel import DEFAULT_CHANNELS, ChannelPolicy
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS, current_tenant, off_loop
from camillo_server.kernel.scope import Caller, Principal, Scope, current_caller
from camillo_server.kernel.writes import FULLY_CONSISTENT, MINIMIZE_LATENCY, AtLeastAsFresh, Freshness, RequestKey

Read = TypeVar("Read")


async def read_request(request: Any, read: Callable[[Any], Read], cost: float = 0.0) -> Read:
    """Reads a request, in a thread where that takes long; `cost`: beside what its size tells."""
    cost += reading_cost(request)
    if cost <= MAX_LOOP_CHARACTERS:
        return read(request)
    return await off_loop(cost, partial(read, request))


# The metadata key for the space of requests that name none; the credential has to reach it.
SPACE_KEY = "camillo-space"
# Its older name, passed over where the credential is that of one agent: a client need not ask first whether its key has
# an agent of its own.
DEFAULT_AGENT_KEY = "camillo-default-agent"

agent_problem = form_problem(options.FORM_AGENT, is_optional=True)


def set_caller(caller: Caller) -> None:
    """Sets the caller of the current task. Raises InvalidField."""
    agent_id = caller.space or caller.default_agent_id
    if agent_id and (problem := agent_problem(agent_id)):
        raise invalid_field(SPACE_KEY if caller.space else DEFAULT_AGENT_KEY, problem)
    current_caller.set(caller)
    current_tenant.set(caller.principal.tenant_id)


def principal() -> Principal:
    """The authenticated caller of the current call."""
    return current_caller.get().principal


def scope_of(agent_id: str) -> Scope:
    """The scope of a request of the current caller that names this agent, or none. Raises ScopeForbidden."""
    caller = current_caller.get()
    return caller.principal.scope(agent_id or caller.space, caller.default_agent_id, is_reading=caller.is_reading)


def names(scope: Scope) -> tuple[str, str]:
    return scope.tenant_id, scope.agent_id


class Call(NamedTuple):
    """One call, whose request has been checked. A tuple: a frozen dataclass takes twice as long to create."""

    principal: Principal
    # The scope of the agent that the request names, or else of the caller's own agent.
    scope: Scope
    # None where the request has no id, or cannot have one.
    request_key: RequestKey | None
    revisions: RevisionTokens
    # Values that checks have read out of the request's messages, by path.
    read: Mapping[str, Any]

    @property
    def is_operator(self) -> bool:
        """Whether the credential reaches every agent of the tenant."""
        return self.principal.agent_id is None

    def revision(self, number: int) -> Revision:
        """A revision of the scope as clients keep it."""
        return self.revisions.revision(self.scope, number)


@dataclass(frozen=True, slots=True)
class CallReader:
    """Checks requests and turns them into calls."""

    revisions: RevisionTokens
    own_model: OwnModel
    channels: ChannelPolicy = DEFAULT_CHANNELS

    def read(self, request: Any, cost: float = 0.0) -> Awaitable[Call]:
        """The call of the current task's caller with this request. `cost`: what its checks cost beside what its size
        tells. Raises InvalidField, ScopeForbidden."""
        return read_request(request, self.read_at_once, cost)

    def read_at_once(self, request: Any) -> Call:
        """Reads like `read`, in this thread. Removes the request id from the request."""
        form = _form_of(request.__class__)
        current = current_caller.get()
        caller = current.principal
        asked = (request.agent_id or current.space, current.default_agent_id) if form.names_scope else ("",)
        scope = caller.scope(*asked, is_reading=current.is_reading)
        checks = Checks(self.own_model, scope)
        form.check(request, "", checks)
        checks.done()
        if caller.read_limit is not None:
            narrow(request, caller.read_limit, self.channels)
        if form.writes:
            refuse_secrets(request, checks)
            checks.done()
        key = _request_key(request) if form.has_request_id else None
        return Call(caller, scope, key, self.revisions, checks.read)


@dataclass(frozen=True, slots=True)
class RequestForm:
    """How requests of one type are read."""

    check: CompiledCheck
    # `agent_id` selects the scope; next to a `tenant_id` it names the agent to administer.
    names_scope: bool
    has_request_id: bool
    # Reading stores nothing of a request.
    writes: bool


@cache
def _form_of(request_type: type[Message]) -> RequestForm:
    descriptor = request_type.DESCRIPTOR
    names = descriptor.fields_by_name.keys()
    return RequestForm(
        check=compiled_check(descriptor),
        names_scope="agent_id" in names and "tenant_id" not in names,
        has_request_id="request_id" in names,
        writes=descriptor.full_name in written_requests(),
    )


def _request_key(request: Any) -> RequestKey | None:
    """The request's id with a digest of everything else in it."""
    request_id = request.request_id
    if not request_id:
        return None
    request.ClearField("request_id")
    content = type(request).__name__.encode() + b"\0" + request.SerializeToString(deterministic=True)
    return RequestKey(request_id, hashlib.sha256(content).digest())


def demanded_freshness(
    message: FreshnessMessage, call: Call, scope: Scope | None = None, field: str = "freshness"
) -> Freshness:
    """The freshness that a read asks for, of the call's scope or of this one. Raises InvalidField, RevisionUnknown."""
    demand = message.WhichOneof("requirement")
    if demand == "at_least_as_fresh":
        token, path = message.at_least_as_fresh.token, f"{field}.at_least_as_fresh.token"
        revision = call.revisions.read_revision(scope or call.scope, token, path)
        return AtLeastAsFresh(revision)
    if demand == "fully_consistent":
        return FULLY_CONSISTENT
    return MINIMIZE_LATENCY


def spaces_beside(spaces: Sequence[SpaceRead], call: Call) -> list[tuple[Scope, Freshness]]:
    """The spaces that a read names beside the call's own, each once, and how fresh each has to be. Raises
    ScopeForbidden, InvalidField, RevisionUnknown."""
    beside: dict[Scope, Freshness] = {}
    for number, each in enumerate(spaces):
        scope = call.principal.scope(each.space, is_reading=True)
        if scope != call.scope:
            beside[scope] = demanded_freshness(each.freshness, call, scope, f"spaces[{number}].freshness")
    return [*beside.items()]


# Bytes that take as long to read as a character to be looked through for secrets: `python -m
# bench.decisions.request_checks`.
TEXT_BYTES, LIST_BYTES, JSON_BYTES = 64, 4, 2


JSON_TYPES = frozenset({"google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue"})


def reading_cost(request: Any) -> float:
    """An estimate; the upper bound for a small request."""
    size: int = request.ByteSize()
    most = size / JSON_BYTES
    if most <= MAX_LOOP_CHARACTERS:
        return most
    return size / TEXT_BYTES + _cost_of_values(request)


def _cost_of_values(message: Any) -> float:
    cost = 0.0
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.is_repeated:
            # Looking at the messages of a list would take a quarter of the time that reading them does: all beside it
            # counts, too.
            whole: float = message.ByteSize() / LIST_BYTES
            return whole
        if field.message_type.full_name in JSON_TYPES:
            cost += value.ByteSize() / JSON_BYTES
        else:
            cost += _cost_of_values(value)
    return cost


# Takes a request and the bytes that it was sent in: asking a message for its size would serialise it.
Added = Callable[[Any, int], Mapping[str, int]]
_name_problem = form_problem(options.FORM_NAME, is_optional=True)


@cache
def added_by(method: str) -> Added | None:
    """The function that counts what a request of a method adds; None if no quota counts it."""
    adds: options.Added = option(method, ADDS)
    rows, per, unless, counts_bytes = adds.rows, adds.per, adds.unless, adds.bytes
    if not (rows or counts_bytes):
        return None
    fields = described(method).input_type.fields_by_name
    assert not unless or unless in fields  # noqa: S101
    is_list = bool(per) and fields[per].is_repeated

    def added(request: Any, size: int) -> Mapping[str, int]:
        counted = {"bytes": size} if counts_bytes else {}
        if is_list:
            counted[rows] = len(getattr(request, per))
        elif per:
            counted[rows] = int(request.HasField(per))
        elif rows and not (unless and getattr(request, unless)):
            counted[rows] = 1
        return counted

    return added


def scope_of_request(request: Any) -> Scope:
    """The scope whose quotas a request counts for. Raises ScopeForbidden, InvalidField."""
    fields = type(request).DESCRIPTOR.fields_by_name
    if "header" in fields:
        # Only the first message of an upload names the agent.
        return scope_of_request(request.header)
    agent_id = request.agent_id if "agent_id" in fields else ""
    if "tenant_id" in fields:
        # The limits of a request are checked after its quotas, and this goes to Postgres.
        if problem := _name_problem(request.tenant_id):
            raise invalid_field("tenant_id", problem)
        # An administrator's request names the agent to administer.
        return Scope(principal().tenant(request.tenant_id), AgentId(agent_id))
    return scope_of(agent_id)
