"""The services of the contract, and the options of their methods."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from camillo.v1 import (
    admin_service_pb2,
    artifact_service_pb2,
    audit_service_pb2,
    decision_service_pb2,
    distillation_service_pb2,
    event_service_pb2,
    knowledge_service_pb2,
    lifecycle_service_pb2,
    link_service_pb2,
    memory_service_pb2,
    run_service_pb2,
    slot_service_pb2,
    snapshot_service_pb2,
    space_service_pb2,
    spool_service_pb2,
    task_service_pb2,
)
from camillo.v1 import options_pb2 as options
from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.message_factory import GetMessageClass

CONTRACT = (
    memory_service_pb2,
    artifact_service_pb2,
    event_service_pb2,
    decision_service_pb2,
    link_service_pb2,
    task_service_pb2,
    slot_service_pb2,
    snapshot_service_pb2,
    lifecycle_service_pb2,
    distillation_service_pb2,
    run_service_pb2,
    audit_service_pb2,
    knowledge_service_pb2,
    spool_service_pb2,
    space_service_pb2,
    admin_service_pb2,
)
SERVICES = tuple(service.full_name for module in CONTRACT for service in module.DESCRIPTOR.services_by_name.values())
# Their stubs do not know that they are extensions.
PERMISSION: Any = options.permission
ADDS: Any = options.adds
ENDLESS: Any = options.endless
RETURNS_NO_CONTENT: Any = options.returns_no_content
READS_BY_FILTER: Any = options.reads_by_filter
AUDIT: Any = options.audit
SECRETS: Any = options.secrets


def methods() -> Iterator[Any]:
    """The descriptors of all methods."""
    for module in CONTRACT:
        for service in module.DESCRIPTOR.services_by_name.values():
            yield from service.methods


def method_named(name: str) -> Any:
    """The descriptor of the method with this name, which no other service has."""
    (found,) = (each for each in methods() if each.name == name)
    return found


def message_class(described: Any) -> Any:
    """The class of messages of a type."""
    return GetMessageClass(described)


def described(method: str) -> Any:
    """The descriptor of a method by its path. Raises KeyError."""
    return descriptor_pool.Default().FindMethodByName(method.removeprefix("/").replace("/", "."))


def option(method: str, name: Any) -> Any:
    """The value of an option of a method; the default for a method of no contract."""
    try:
        found = described(method).GetOptions()
    except KeyError:
        found = MethodOptions()
    return found.Extensions[name]


def writes(method: str) -> bool:
    """Whether a method writes. Raises KeyError."""
    return bool(described(method).GetOptions().HasExtension(ADDS))


@cache
def written_requests() -> frozenset[str]:
    """The full names of the requests of methods that write."""
    return frozenset(each.input_type.full_name for each in methods() if each.GetOptions().HasExtension(ADDS))
