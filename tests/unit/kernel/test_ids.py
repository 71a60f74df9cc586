"""Ids that tell the order of time."""

from datetime import UTC, datetime, timedelta

from camillo_server.kernel.clock import time_ordered_uuid, time_ordered_uuids

MOMENT = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


def test_ids_of_one_moment_sort_as_they_were_made() -> None:
    ids = time_ordered_uuids(MOMENT, 5_000)
    assert ids == sorted(ids)
    assert len(set(ids)) == 5_000
    assert {each.version for each in ids} == {7}
    assert {each.int >> 62 & 0b11 for each in ids} == {0b10}


def test_ids_of_a_later_millisecond_come_behind() -> None:
    before = time_ordered_uuids(MOMENT, 100)
    assert time_ordered_uuid(MOMENT + timedelta(milliseconds=1)) > max(before)
    assert {each.int >> 80 for each in before} == {int(MOMENT.timestamp() * 1000)}


def test_none_are_made_where_none_are_wanted() -> None:
    assert time_ordered_uuids(MOMENT, 0) == []
