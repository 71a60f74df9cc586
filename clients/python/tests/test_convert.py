"""Python values and their protobuf forms."""

from __future__ import annotations

import typing
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from camillo.v1.admin_pb2 import Role
from camillo.v1.memory_pb2 import ArchivedFilter, MemoryKind, Sensitivity, Source, Vector
from camillo.v1.memory_service_pb2 import ConflictPolicy
from camillo_client import convert


def test_a_datetime_comes_back_in_utc() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=timezone(timedelta(hours=2)))
    back = convert.to_datetime(convert.to_timestamp(moment))
    assert back == moment
    assert back.tzinfo is UTC


def test_a_naive_datetime_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="occurred_at has no timezone"):
        convert.to_timestamp(datetime(2026, 1, 2), "occurred_at")  # noqa: DTZ001


def test_metadata_comes_back() -> None:
    metadata: dict[str, convert.MetadataValue] = {"text": "a", "number": 1.5, "flag": True, "nothing": None}
    assert convert.to_dict(convert.to_struct(metadata)) == metadata


@pytest.mark.parametrize("values", [[1, 2.5], (1.0, 2.5), np.array([1.0, 2.5], dtype=np.float32), iter([1.0, 2.5])])
def test_vectors_come_from_anything_with_floats(values: convert.VectorLike) -> None:
    vector = convert.to_vector(values, model_id="m")
    assert (vector.model_id, list(vector.values)) == ("m", [1.0, 2.5])


def test_a_vector_passes_as_it_is() -> None:
    vector = Vector(model_id="m", values=[1])
    assert convert.to_vector(vector) is vector


def test_enums_are_given_by_name_or_number() -> None:
    assert convert.to_enum(MemoryKind, "task_outcome") == MemoryKind.MEMORY_KIND_TASK_OUTCOME
    assert convert.to_enum(MemoryKind, MemoryKind.MEMORY_KIND_ERROR) == 6
    assert convert.enum_name(MemoryKind, 4) == "task_outcome"
    assert convert.enum_name(MemoryKind, 99) == "99"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'idea' is none of fact, preference"):
        convert.to_enum(MemoryKind, "idea")


@pytest.mark.parametrize(
    ("names", "enum"),
    [
        (convert.Kind, MemoryKind),
        (convert.SensitivityLevel, Sensitivity),
        (convert.Archived, ArchivedFilter),
        (convert.SourceName, Source),
        (convert.RoleName, Role),
        (convert.OnConflict, ConflictPolicy),
    ],
)
def test_the_names_are_those_of_the_contract(names: object, enum: typing.Any) -> None:
    contract = [convert.enum_name(enum, number) for number in enum.values() if number]
    assert list(typing.get_args(names)) == contract


def test_a_single_string_is_not_several() -> None:
    assert convert.to_strings(("a", "b"), "tags") == ["a", "b"]
    with pytest.raises(TypeError, match="tags takes a list of texts, not a single text"):
        convert.to_strings("ab", "tags")
