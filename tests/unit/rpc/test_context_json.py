"""JSON objects of messages: whole numbers stay whole, and what a database cannot hold is refused."""

import math
from typing import Any

import pytest
from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service
from camillo.v1 import options_pb2 as options
from camillo_server.doors.rpc.json_values import fill_json, json_check, plain_object
from camillo_server.doors.rpc.validate import Checks
from google.protobuf.struct_pb2 import Struct, Value
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.rpc.violations import fields

MOST = 1024 * 1024
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
NUMBER = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)


def struct(value: dict[str, Any]) -> Struct:
    message = Struct()
    message.update(value)
    return message


def problems(message: Struct, most_bytes: int = MOST) -> list[str]:
    """The places of an object that break its limits."""
    limit = options.Limit()
    limit.json.max_levels = 32
    limit.bytes.max = most_bytes
    checks = Checks()
    json_check("json", limit)(message, "", checks)
    return fields(checks)


def nested(levels: int) -> dict[str, Any]:
    """Objects within objects."""
    value: dict[str, Any] = {"x": 1}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def nested_lists(levels: int) -> dict[str, Any]:
    value: Any = [1]
    for _ in range(levels - 2):
        value = [value]
    return {"a": value}


@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_an_object_comes_back_as_it_was(value: dict[str, Any]) -> None:
    message = Struct()
    fill_json(message, value)
    assert (plain_object(message), problems(message)) == (value, [])


def test_a_whole_number_is_told_without_a_point() -> None:
    value = {"n": 3, "big": 2**53, "half": 0.5, "huge": 1e300, "list": [7]}
    found = plain_object(struct(value))
    assert found == value
    types = {"n": int, "big": int, "half": float, "huge": float, "list": list}
    assert {name: type(each) for name, each in found.items()} == types
    assert type(found["list"][0]) is int


def test_the_keys_are_in_order() -> None:
    value = {name: {"b": 1, "a": 2} for name in ("ж", "z", "a", "字", "")}
    found = plain_object(struct(value))
    assert list(found) == ["", "a", "z", "ж", "字"]
    assert {tuple(each) for each in found.values()} == {("a", "b")}


def test_a_value_that_says_nothing_is_null() -> None:
    message = Struct()
    message.fields["a"].CopyFrom(Value())
    assert plain_object(message) == {"a": None}


@pytest.mark.parametrize("make", [nested, nested_lists])
def test_no_more_levels_than_the_limit_are_taken(make: Any) -> None:
    assert plain_object(struct(make(32))) == make(32)
    assert (problems(struct(make(33))), problems(struct(make(32)))) == (["json"], [])


def test_the_deepest_object_can_be_read_in_every_answer() -> None:
    """A reader of messages takes 100 levels, of which an object within another takes three."""
    event = pb.Event()
    fill_json(event.stated.tool_call.arguments, nested(32))
    answers = [
        service.WatchEventsResponse(change=pb.EventChange(recorded=event)),
        service.ListEventsResponse(events=[event]),
        service.BatchRecordEventsRequest(events=[event.stated]),
    ]
    for answer in answers:
        assert type(answer).FromString(answer.SerializeToString()) == answer


@each_case(
    ("bad", "good", "path"),
    [
        ({"a": "b\0"}, {"a": "b\x01"}, "json.a"),
        ({"a": {"k\0": 1}}, {"a": {"k": 1}}, "json.a"),
        ({"a": [1, math.nan]}, {"a": [1, 2]}, "json.a[1]"),
        ({"a": math.inf}, {"a": 1e308}, "json.a"),
        ({"鍵": ["x" * 1024 * 1024]}, {"鍵": ["x" * 1024]}, "json"),
        ({"é": "é" * (512 * 1024)}, {"é": "é" * (512 * 1024 - 8)}, "json"),
    ],
)
def test_what_cannot_be_kept_is_refused(bad: dict[str, Any], good: dict[str, Any], path: str) -> None:
    assert (problems(struct(bad)), problems(struct(good))) == ([path], [])


def test_the_size_is_that_of_the_json_without_needless_spaces() -> None:
    most = len('{"k":[1,"字"]}'.encode())
    value = struct({"k": [1, "字"]})
    assert (problems(value, most - 1), problems(value, most)) == (["json"], [])


def test_an_empty_object_is_there() -> None:
    event = pb.NewEvent()
    fill_json(event.json, {})
    assert event.WhichOneof("content") == "json"


def test_one_object_is_told_of_once() -> None:
    assert len(problems(struct({str(i): "\0" for i in range(1000)}))) == 1
