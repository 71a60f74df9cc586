"""A client can read the limit of a field and the role that a method needs from the contract."""

from camillo.v1 import memory_service_pb2, options_pb2
from camillo.v1.admin_pb2 import ROLE_WRITER
from camillo.v1.memory_pb2 import NewMemory


def test_the_limit_of_a_field_can_be_read() -> None:
    field = NewMemory.DESCRIPTOR.fields_by_name["content"]
    limit = field.GetOptions().Extensions[options_pb2.limit]  # type: ignore[index]
    assert (limit.characters.min, limit.characters.max, limit.visible) == (1, 2_000, True)


def test_the_role_that_a_method_needs_can_be_read() -> None:
    method = memory_service_pb2.DESCRIPTOR.services_by_name["MemoryService"].methods_by_name["Remember"]
    assert method.GetOptions().Extensions[options_pb2.permission] == ROLE_WRITER  # type: ignore[index]
