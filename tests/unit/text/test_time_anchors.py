"""Events by which questions name a time, in eight languages: the labelled list, and what a list does not show."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from camillo_server.lib.text.time_expressions.anchors import MAX_CHARACTERS, anchor_of, may_name_time, window_at
from camillo_server.lib.text.time_expressions.grammar import TIMES_COST, window_of
from camillo_server.lib.text.time_expressions.spans import TimeSpan, day_of
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.patience import FACTOR, takes_less

NOW = datetime(2024, 6, 12, 15, 30, tzinfo=UTC)
MOMENT = datetime(2024, 5, 3, 9, tzinfo=UTC)
AT_NINE = TimeSpan(MOMENT, MOMENT)
ENDS = [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
LINES = [
    line.split("\t")
    for line in (Path(__file__).parent / "time_anchors.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def _day(moment: datetime | None) -> str:
    return "-" if moment is None else "@" if moment == MOMENT else moment.date().isoformat()


def anchored(text: str, span: TimeSpan = AT_NINE) -> list[str]:
    if not may_name_time(text) or (anchor := anchor_of(text)) is None:
        return ["", "", ""]
    named = window_at(text, anchor, span, NOW)
    assert named is not None
    return [anchor.text, _day(named.span.begin), _day(named.span.end)]


@each_case(("language", "text", "event", "begin", "end"), LINES)
def test_a_question_names_a_time_by_an_event(language: str, text: str, event: str, begin: str, end: str) -> None:
    assert anchored(text) == [event, begin, end]
    assert window_of(text, NOW) is None


def test_a_text_without_a_word_that_introduces_an_event_is_told_at_once() -> None:
    quick = "Forward the aftermath of beforehand, avanti, Novemberseite, подоходный, 网络很慢 الشبكة"
    assert not may_name_time(quick)
    assert may_name_time("What was BEFORE that?")
    assert may_name_time("«до релиза»")
    assert may_name_time("apre\u0300s la panne")


def test_the_event_may_be_a_span_of_days() -> None:
    conference = TimeSpan(day_of(2024, 5, 7).begin, day_of(2024, 5, 9).end)
    for word, begin, end in (
        ("before", "-", "2024-05-07"),
        ("after", "2024-05-10", "-"),
        ("since", "2024-05-07", "-"),
        ("during", "2024-05-07", "2024-05-10"),
        ("the week after", "2024-05-10", "2024-05-17"),
    ):
        asked = f"what was {word} the conference?"
        assert anchored(asked, conference) == ["conference", begin, end]


def test_the_first_event_of_several_is_read() -> None:
    assert anchored("what broke after the launch and before the move?") == ["launch", "@", "-"]


def test_an_event_is_called_by_few_words_of_one_clause() -> None:
    anchor = anchor_of("what was before the big red loud slow old rusty patched zeppelin release?")
    assert anchor is not None
    assert anchor.text == "big red loud slow old rusty patched"
    for mark in (",", ";", "?", ".", "؟", "。", "\n- "):
        anchor = anchor_of(f"what was before the release{mark} you know")
        assert anchor is not None
        assert anchor.text == "release"


@pytest.mark.parametrize("moment", ENDS)
def test_no_window_is_beyond_the_calendar(moment: datetime) -> None:
    for _, text, event, _, _ in LINES:
        if event and (anchor := anchor_of(text)):
            window_at(text, anchor, TimeSpan(moment, moment), NOW)


PIECES = ["before", "the", "release", "week", "2", "发布", "之前", "के बाद", "\u0301", "\u202e", "🚀"]
PIECES += ["до того", ", как", "vor", "dem", "Umzug", "-", ".", "\n", "since", "قبل", "avant d'"]


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from(["", " "]))
def test_whatever_is_asked_is_read_without_an_error(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    anchor = anchor_of(text)
    if anchor is None:
        return
    assert anchor.text in text
    assert 0 < len(anchor.text) <= MAX_CHARACTERS
    named = window_at(text, anchor, AT_NINE, NOW)
    assert named is None or named.text in text


@each_case("piece", ["before the ", "发布之前", "after x ", "अ के बाद ", "'", "vor dem "])
def test_a_hostile_text_takes_no_more_than_is_counted_for_it(piece: str) -> None:
    text = (piece * 1_000)[:1_000]
    assert takes_less(4 * FACTOR * len(text) * TIMES_COST / 4e6, lambda: anchor_of(text))
