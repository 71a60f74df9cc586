"""The role that each method needs: the contract's option `permission`."""

from functools import cache
from typing import Any

from camillo_server.doors.rpc.contract import (
    PERMISSION,
    READS_BY_FILTER,
    RETURNS_NO_CONTENT,
    described,
    option,
)
from camillo_server.doors.rpc.fields import member
from camillo_server.kernel.channel import Channel, ChannelPolicy, ReadLimit
from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Principal, Role

OPEN_SERVICES = ("/grpc.health.v1.", "/grpc.reflection.")


def is_open(method: str) -> bool:
    """Health and reflection answer without a credential: they tell nothing of anyone's data."""
    return method.startswith(OPEN_SERVICES)


def require_permission(method: str, caller: Principal) -> None:
    """Raises ScopeForbidden where the caller's role is too low, or its reading is bound and the method reads
    unbound."""
    caller.require(required_role(method))
    if caller.read_limit is not None and not is_open_to(method, caller.read_limit):
        raise ScopeForbidden("the credential is bound to a channel or a level, which this method does not take")


@cache
def is_open_to(method: str, limit: ReadLimit) -> bool:
    """Whether a credential with this limit may call a method: one that takes the channel in which it reads, or reads
    nothing. A method that is new is closed until somebody has looked at it."""
    if option(method, RETURNS_NO_CONTENT):
        return True
    fields = described(method).input_type.fields_by_name
    if "requests" in fields:
        fields = fields["requests"].message_type.fields_by_name
    return "channel" in fields or (option(method, READS_BY_FILTER) and not limit.channel)


def narrow(request: Any, limit: ReadLimit, policy: ChannelPolicy) -> None:
    """Lays the limit of the caller's credential over what the request asks to read. Raises ScopeForbidden."""
    fields = request.DESCRIPTOR.fields_by_name
    if "channel" in fields:
        channel = limit.narrowed(member(request.channel, Channel.PRIVATE), policy)
        if channel is None:
            raise ScopeForbidden("no channel of this server loads as little as the credential may read")
        request.channel = int(channel)
    elif "filter" in fields and limit.max_sensitivity:
        level = request.filter.max_sensitivity or Sensitivity.RESTRICTED
        request.filter.max_sensitivity = min(int(level), int(limit.max_sensitivity))
    elif "requests" in fields:
        for each in request.requests:
            narrow(each, limit, policy)


@cache
def required_role(method: str) -> Role:
    """The least role for a method; one without the option is for root alone, so that nothing opens by omission."""
    return Role(option(method, PERMISSION) or Role.ROOT)
