"""Which role each method needs: the contract's option `permission`."""

from functools import cache
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf import descriptor_pool

from camillo_server.kernel.scope import Role

OPEN_SERVICES = ("/grpc.health.v1.", "/grpc.reflection.")

# Its stub does not know that it is an extension.
PERMISSION: Any = options.permission


def is_open(method: str) -> bool:
    """Health and reflection answer without a credential: they tell nothing of anyone's data."""
    return method.startswith(OPEN_SERVICES)


@cache
def required_role(method: str) -> Role:
    """The least role for a method; one without the option is for root alone, so that nothing opens by omission."""
    name = method.removeprefix("/").replace("/", ".")
    try:
        described: Any = descriptor_pool.Default().FindMethodByName(name)
    except KeyError:
        return Role.ROOT
    return Role(described.GetOptions().Extensions[PERMISSION] or Role.ROOT)
