"""The rows and bytes that each method adds to a tenant's quotas: the contract's option `adds`."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from camillo.v1 import options_pb2 as options

from camillo_server.doors.rpc.call import principal, scope_of
from camillo_server.doors.rpc.contract import ADDS, described, option
from camillo_server.doors.rpc.value_limits import form_problem
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope

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
