"""Times in the spellings of logs."""

from datetime import UTC, datetime, timedelta

from camillo_cli.ingest.times import parse_time
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

AFTERNOON = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
DAY = datetime(2024, 3, 15, tzinfo=UTC)


@each_case(
    "spelled",
    [
        "1:56 pm on 8 May, 2023",
        "May 8, 2023 at 1:56 p.m.",
        "Mon, 8 May 2023 13:56:00 GMT",
        "Mon May 08 15:56:00 +0200 2023",
        "2023-05-08T13:56:00Z",
        "2023-05-08T09:56:00-0400",
        "2023-05-08 13:56",
        "2023/05/08 13:56:00 UTC",
        "2023年5月8日 13:56",
        "08.05.2023, 13:56",
        "[May 8, 2023, 1:56 PM]",
        "20230508135600",
        1683554160,
        1683554160.0,
        "1683554160",
        1683554160000,
        "1683554160000000",
    ],
)
def test_one_moment_has_many_spellings(spelled: object) -> None:
    assert parse_time(spelled) == AFTERNOON


@each_case("spelled", ["March-15-2024", "15th of March 2024", "2024-03-15", "3/15/2024", "15/3/2024", "15.3.2024"])
def test_a_date_alone_is_its_midnight(spelled: str) -> None:
    assert parse_time(spelled) == DAY


def test_midnight_and_noon_are_told_apart_by_the_half_of_the_day() -> None:
    assert parse_time("12 am 15 March 2024") == DAY
    assert parse_time("12 pm 15 March 2024") == DAY + timedelta(hours=12)


def test_a_fraction_of_a_second_is_kept_to_the_microsecond() -> None:
    assert parse_time("2024-03-15T00:00:00.123456789Z") == DAY + timedelta(microseconds=123456)
    assert parse_time("15 March 2024 00:00:00,5") == DAY + timedelta(milliseconds=500)


@each_case(
    "stated",
    [
        *("", "yesterday", "12:00", "May 2024", "8 May", "31 February 2024", "2024-02-30"),
        *("25:00 on 8 May 2023", "13:61 on 8 May 2023", "13 pm 8 May 2023", "8 May 2023 or so"),
        *("2024", 2024, -5, 0, True, None, float("nan"), float("inf"), 10**400, [], {}),
    ],
)
def test_what_is_no_moment_is_none(stated: object) -> None:
    assert parse_time(stated) is None


def test_a_date_that_can_be_read_in_two_ways_is_none() -> None:
    assert parse_time("4/5/2024") is None
    assert parse_time("5/5/2024") == datetime(2024, 5, 5, tzinfo=UTC)


@given(st.datetimes(timezones=st.just(UTC)))
def test_any_iso_time_comes_back(when: datetime) -> None:
    assert parse_time(when.isoformat()) == when


@given(st.one_of(st.text(), st.integers(), st.floats(), st.from_regex(r"[0-9:apm ./+-]{1,30}")))
def test_nothing_stated_is_an_error(stated: object) -> None:
    found = parse_time(stated)
    assert found is None or found.tzinfo is UTC
