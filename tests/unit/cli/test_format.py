"""Ages and questions read as people would say them."""

from datetime import UTC, datetime, timedelta

import pytest
from camillo_server.cli.demo import suggested_questions
from camillo_server.cli.format import age

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (7200, "2 h"),
        (86_400 * 59, "59 d"),
        (86_400 * 61, "2 mo"),
        (86_400 * 1000, "2 y"),
        (-5, "ahead"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: float, text: str) -> None:
    assert age(NOW - timedelta(seconds=seconds), NOW) == text


def test_questions_come_from_all_over_the_input() -> None:
    texts = [f"Manual > Chapter number {n}\n\nText." for n in range(50)]
    found = suggested_questions(texts)
    assert len(found) == 5
    assert len(set(found)) == 5
    assert found[0] == "Chapter number 5"


def test_code_and_tables_make_no_questions() -> None:
    texts = ["| a | b |\n|---|---|", "x = f(1, [2])", "???", "The kettle boils. Then tea."]
    assert suggested_questions(texts) == ["The kettle boils."]


def test_questions_are_found_in_text_without_spaces() -> None:
    assert suggested_questions(["お茶が好きな人は誰ですか。彼女です。"]) == [
        "お茶が好きな人は誰ですか。"
    ]


def test_no_text_gives_no_questions() -> None:
    assert suggested_questions([]) == []
