"""The command line knows every word of the contract."""

from enum import StrEnum
from typing import Any

from camillo.v1 import admin_pb2, memory_pb2
from camillo.v1.memory_service_pb2 import ConflictPolicy
from camillo.v1.recall_pb2 import TimeMode
from camillo_cli import options
from camillo_client import enum_name

from tests.cases import each_case


@each_case(
    ("words", "enum"),
    [
        (options.MemoryKind, memory_pb2.MemoryKind),
        (options.Sensitivity, memory_pb2.Sensitivity),
        (options.Archived, memory_pb2.ArchivedFilter),
        (options.Role, admin_pb2.Role),
        (options.OnConflict, ConflictPolicy),
        (options.TimeMode, TimeMode),
    ],
)
def test_the_words_are_those_of_the_contract(words: type[StrEnum], enum: Any) -> None:
    assert [word.value for word in words] == [enum_name(enum, n) for n in enum.values() if n]
