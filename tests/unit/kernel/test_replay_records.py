"""Records of requests: kept as JSON by their types, and read as the release before kept them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from enum import IntEnum
from typing import Any, NamedTuple, NewType
from uuid import UUID

import pytest
from camillo_server.kernel.writes import UnreadableRecord, decode, encode, replay_record

from tests.cases import each_case

Name = NewType("Name", UUID)
ID = UUID("01b8dac5-b400-7993-892f-d749574c11dc")
AT = datetime(2030, 1, 1, 12, 30, 0, 123456, tzinfo=timezone(timedelta(hours=5, minutes=30)))


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Row(NamedTuple):
    level: Level
    name: Name | None


@dataclass(frozen=True, slots=True)
class Part:
    at: datetime
    note: str = ""


@replay_record
@dataclass(frozen=True, slots=True)
class Everything:
    name: Name
    at: datetime
    digest: bytes
    flag: bool
    count: int
    share: float
    text: str
    level: Level
    rows: tuple[Row, ...]
    stores: Mapping[str, int]
    times: Mapping[str, datetime]
    part: Part
    outcome: tuple[Row | Part | str | None, ...]
    later: tuple[int, ...] = ()
    ends: tuple[datetime | None, ...] | None = None


FULL = Everything(
    name=Name(ID),
    at=AT,
    digest=b"\x00\xff",
    flag=True,
    count=2**62,
    share=0.1,
    text='"茶" \u2028 \U0001f375',
    level=Level.HIGH,
    rows=(Row(Level.LOW, None), Row(Level.HIGH, Name(ID))),
    stores={"memories": 1, "": 0},
    times={"then": AT},
    part=Part(AT),
    outcome=(Row(Level.LOW, None), Part(AT, "why"), "ref", None),
    later=(3, 1),
    ends=(None, AT),
)
KEPT: dict[str, Any] = {
    "v": 1,
    "name": str(ID),
    "at": AT.isoformat(),
    "digest": "00ff",
    "flag": True,
    "count": 2**62,
    "share": 0.1,
    "text": FULL.text,
    "level": 2,
    "rows": [[1, None], [2, str(ID)]],
    "stores": {"memories": 1, "": 0},
    "times": {"then": AT.isoformat()},
    "part": {"at": AT.isoformat()},
    "outcome": [[1, None], {"at": AT.isoformat(), "note": "why"}, "ref", None],
    "later": [3, 1],
    "ends": [None, AT.isoformat()],
}


def kept(record: object) -> Any:
    """The record as Postgres gives it back."""
    return json.loads(json.dumps(encode(record)))


def test_a_record_is_kept_by_the_names_and_types_of_its_fields() -> None:
    assert kept(FULL) == KEPT
    assert decode(Everything, kept(FULL)) == FULL


def test_defaults_are_left_out_and_come_back() -> None:
    short = replace(FULL, later=(), ends=None)
    assert kept(short) == {name: KEPT[name] for name in KEPT if name not in ("later", "ends")}
    assert decode(Everything, kept(short)) == short


def test_what_was_kept_before_there_were_versions_is_read() -> None:
    old = {name: value for name, value in KEPT.items() if name != "v"}
    assert decode(Everything, old) == FULL


def test_what_a_newer_release_adds_is_passed_over_until_the_version_changes() -> None:
    assert decode(Everything, {**KEPT, "new": 1}) == FULL
    with pytest.raises(UnreadableRecord, match="Everything of version 2"):
        decode(Everything, {**KEPT, "v": 2})


@each_case("name", [name for name in KEPT if name not in ("v", "later", "ends")])
def test_a_missing_field_is_named(name: str) -> None:
    less = {each: value for each, value in KEPT.items() if each != name}
    with pytest.raises(UnreadableRecord, match=f"Everything.{name}: is missing"):
        decode(Everything, less)


PRIVATE = "zebra"
BAD = [
    ("name", PRIVATE),
    ("name", None),
    ("at", PRIVATE),
    ("at", 5),
    ("digest", PRIVATE),
    ("flag", 1),
    ("count", True),
    ("count", 1.0),
    ("share", PRIVATE),
    ("text", 5),
    ("level", 3),
    ("rows", [[1]]),
    ("rows", [[1, None, None]]),
    ("rows", {"0": [1, None]}),
    ("stores", {"memories": PRIVATE}),
    ("stores", [1]),
    ("part", {"note": PRIVATE}),
    ("part", [PRIVATE]),
    ("outcome", [5]),
    ("outcome", [[PRIVATE, None]]),
    ("ends", [5]),
]


@each_case(("name", "value"), BAD)
def test_a_value_of_another_type_is_refused_by_the_field_and_not_repeated(name: str, value: object) -> None:
    with pytest.raises(UnreadableRecord, match=f"Everything.{name}: ") as refused:
        decode(Everything, {**KEPT, name: value})
    assert PRIVATE not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("row", [None, [], "text", 5])
def test_what_is_no_object_is_refused(row: object) -> None:
    with pytest.raises(UnreadableRecord):
        decode(Everything, row)


def test_a_field_that_json_could_not_give_back_is_refused_at_import() -> None:
    for hint in (object, set[int], dict[int, str], UUID | str, tuple[int, str], Any):
        with pytest.raises(TypeError):
            replay_record(dataclass(frozen=True)(type("Odd", (), {"__annotations__": {"a": hint}})))
    with pytest.raises(TypeError):
        replay_record(dataclass(frozen=True)(type("Odd", (), {"__annotations__": {"v": int}})))
    replay_record(dataclass(frozen=True)(type("Even", (), {"__annotations__": {"a": int}})))


def test_whole_numbers_are_floats_where_floats_are_kept() -> None:
    found = decode(Everything, {**KEPT, "share": 1})
    assert isinstance(found.share, float)


def test_moments_keep_their_microseconds() -> None:
    assert decode(Everything, kept(replace(FULL, at=AT))).at == AT
    later = decode(Everything, kept(replace(FULL, at=AT.astimezone(UTC)))).at
    assert later == AT
    assert later.utcoffset() == timedelta(0)
