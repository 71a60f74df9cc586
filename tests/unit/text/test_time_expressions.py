"""Times that questions name, in eight languages: the labelled list, and what a list does not show."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from camillo_server.text.time_expressions.reading import (
    window_of,
)

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
    begin, end = (
        "-" if each is None else each.date().isoformat()
        for each in (named.span.begin, named.span.end)
    )
    return begin, end


@pytest.mark.parametrize(("language", "text", "begin", "end"), LINES)
def test_a_question_asks_for_the_time_that_it_names(
    language: str, text: str, begin: str, end: str
) -> None:
    assert window(text) == ((begin, end) if begin else None)
