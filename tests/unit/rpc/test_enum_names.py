"""Names of enumerations: short, in any spelling, and of every enumeration of the contract."""

from camillo.v1 import actor_pb2, memory_pb2
from camillo_formats.enum_names import number_of, one_of, short_name, short_names

from tests.cases import each_case

KIND = memory_pb2.MemoryKind.DESCRIPTOR


@each_case(
    ("written", "number"),
    [
        *(("MEMORY_KIND_TASK_OUTCOME", 4), ("task_outcome", 4), ("Task Outcome", 4)),
        *(("task-outcome", 4), (" FACT ", 1), ("memory_kind_fact", 1), ("unspecified", 0)),
        *(("idea", None), ("", None), ("事实", None), ("fact\u0301", None), ("1", None)),
    ],
)
def test_a_value_has_a_long_and_a_short_name(written: str, number: int | None) -> None:
    assert number_of(KIND, written) == number


def test_names_are_told_without_the_unspecified_one() -> None:
    assert one_of(actor_pb2.ActorType.DESCRIPTOR) == "must be one of human, agent, tool, system"
    assert short_name(KIND, 0) == "unspecified"
    for module in (memory_pb2, actor_pb2):
        for enum in module.DESCRIPTOR.enum_types_by_name.values():
            assert all(number_of(enum, name) == number for name, number in short_names(enum).items())
