"""The command line knows every word of the contract."""

from enum import StrEnum
from typing import Any

import pytest
from camillo.v1 import admin_pb2, memory_pb2
from camillo.v1.memory_service_pb2 import ConflictPolicy
from camillo_client import enum_name
from camillo_server.cli import choices


@pytest.mark.parametrize(
    ("words", "enum"),
    [
        (choices.KindChoice, memory_pb2.MemoryKind),
        (choices.SensitivityChoice, memory_pb2.Sensitivity),
        (choices.ArchivedChoice, memory_pb2.ArchivedFilter),
        (choices.RoleChoice, admin_pb2.Role),
        (choices.OnConflictChoice, ConflictPolicy),
    ],
)
def test_the_words_are_those_of_the_contract(words: type[StrEnum], enum: Any) -> None:
    assert [word.value for word in words] == [enum_name(enum, n) for n in enum.values() if n]
