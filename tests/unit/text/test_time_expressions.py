"""Times that questions name, in eight languages: the labelled list, and what a list does not show."""

import unicodedata
from datetime import UTC, datetime
from pathlib import Path

from camillo_server.lib.text.time_expressions.grammar import TIMES_COST, names_time, times_in, window_of
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.patience import FACTOR, takes_less

NOW = datetime(2024, 6, 12, 15, 30, tzinfo=UTC)
LINES = [
    line.split("\t")
    for line in (Path(__file__).parent / "time_expressions.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def window(text: str) -> tuple[str, str] | None:
    named = window_of(text, NOW)
    if named is None:
        return None
    begin, end = ("-" if each is None else each.date().isoformat() for each in (named.span.begin, named.span.end))
    return begin, end


@each_case(("language", "text", "begin", "end"), LINES)
def test_a_question_asks_for_the_time_that_it_names(language: str, text: str, begin: str, end: str) -> None:
    assert window(text) == ((begin, end) if begin else None)


def test_a_text_without_a_word_of_time_is_told_at_once() -> None:
    assert not names_time("How does the tool behave when the network is slow? 网络很慢 الشبكة")
    assert names_time("How did the tool behave YESTERDAY?")
    assert names_time("u\u0308bermorgen")


def test_each_time_in_a_text_is_read() -> None:
    named = times_in("On 3 May 2024 we met; yesterday 昨天 again, and в мае.", NOW)
    assert [each.text for each in named] == ["3 May 2024", "yesterday", "昨天", "мае"]


def test_of_several_dates_the_window_holds_all() -> None:
    assert window("What came between the talk on 3 May 2024 and the one on 7 May 2024?") == ("2024-05-03", "2024-05-08")


def test_days_that_have_begun_and_not_ended_are_of_this_year() -> None:
    """The last day alone would be one of the year before."""
    assert window("What comes from 5 to 15 June?") == ("2024-06-05", "2024-06-16")
    assert window("What comes between June 5 and 15?") == ("2024-06-05", "2024-06-16")
    assert window("What comes from 5 June to 15 June?") == ("2024-06-05", "2024-06-16")
    assert window("What came from 5 to 15 July?") == ("2023-07-05", "2023-07-16")


def test_a_range_may_go_over_the_end_of_a_year() -> None:
    assert window("What came from 20 December to 5 January?") == ("2023-12-20", "2024-01-06")
    assert window("What came from 20 December to 5 January 2022?") == ("2021-12-20", "2022-01-06")
    assert window("What came from 20 July to yesterday?") == ("2023-07-20", "2024-06-12")
    assert window("What came from 5 June to 20 May?") == ("2024-06-05", "2025-05-21")


def test_accents_may_be_marks_of_their_own() -> None:
    assert window(unicodedata.normalize("NFD", "im März 2024")) == ("2024-03-01", "2024-04-01")
    assert window(unicodedata.normalize("NFD", "в мае 2024")) == ("2024-05-01", "2024-06-01")


@each_case("year", [1, 2, 9998, 9999])
@each_case("month", [1, 6, 12])
def test_no_time_is_beyond_the_calendar(year: int, month: int) -> None:
    now = datetime(year, month, 28, 23, 59, tzinfo=UTC)
    for _, text, _, _ in LINES:
        window_of(text, now)
    for text in ("999 years ago", "in 999 decades", "next year", "last decade", "前年", "上周五"):
        window_of(text, now)


PIECES = [
    *[
        "3",
        "12",
        "31",
        "2023",
        "99999",
        "0",
        "٣",
        "三",
        "五月",
        "上",
        "周",
        "的",
        ".",
        ",",
        "-",
        "2024-02-30",
        "31.02.2023",
        "31.12.9999",
        "9999-12-31",
        "0001-01-01",
    ],
    "\u0301",
    "\u202e",
]
WORDS_OF_TIME = [
    "last",
    "next",
    "week",
    "May",
    "of",
    "the",
    "since",
    "before",
    "two",
    "ago",
    "between",
    "and",
    "Monday",
    "hier",
    "vor",
    "il",
    "y",
    "a",
    "end",
]


@given(st.lists(st.sampled_from(PIECES + WORDS_OF_TIME), max_size=40), st.datetimes())
def test_whatever_is_asked_is_read_without_an_error(words: list[str], now: datetime) -> None:
    text = " ".join(words)
    for named in times_in(text, now.replace(tzinfo=UTC)):
        assert named.text in text
        begin, end = named.span.begin, named.span.end
        assert begin is None or end is None or begin < end


@each_case("piece", ["2023 ", "in May ", "上周二", "1 ", "from May to ", "last week "])
def test_a_hostile_text_takes_no_more_than_is_counted_for_it(piece: str) -> None:
    text = (piece * 1_000)[:1_000]
    window_of(text, NOW)
    assert takes_less(4 * FACTOR * len(text) * TIMES_COST / 4e6, lambda: window_of(text, NOW))
