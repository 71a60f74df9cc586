"""Excerpts: 64 KiB at most, whole lines and whole characters, and the lines that they hold."""

from camillo_server.features.events.content import excerpt_of, output_request, result_with_excerpt
from camillo_server.features.events.event import EXCERPT_BYTES
from camillo_server.kernel.writes import RequestKey
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.events.samples import result_of


@each_case("unit", ["a", "é", "茶", "🍵", "a line\n", "خط\n"])
def test_an_excerpt_is_the_beginning_in_whole_characters(unit: str) -> None:
    text = unit * EXCERPT_BYTES
    excerpt = excerpt_of(text)
    assert text.startswith(excerpt)
    assert EXCERPT_BYTES - 8 <= len(excerpt.encode()) <= EXCERPT_BYTES
    assert excerpt.endswith(unit)


@given(st.text(max_size=200))
def test_what_is_short_stays_whole(text: str) -> None:
    assert excerpt_of(text) == text


def test_what_is_exactly_as_long_as_may_be_stays_whole() -> None:
    text = "茶" * (EXCERPT_BYTES // 3) + "a"
    assert len(text.encode()) == EXCERPT_BYTES
    assert not result_with_excerpt(result_of(text)).truncated
    assert result_with_excerpt(result_of(text + "b")).truncated


def test_one_long_line_behind_a_short_one_is_not_lost() -> None:
    assert len(excerpt_of("head\n" + "x" * 2 * EXCERPT_BYTES)) == EXCERPT_BYTES


def test_the_lines_are_those_that_the_excerpt_holds() -> None:
    cut = result_with_excerpt(result_of("0123456789\n" * 10_000, first_line=11, last_line=10_010))
    lines = EXCERPT_BYTES // 11
    assert (cut.first_line, cut.last_line) == (11, 10 + lines)
    assert cut.truncated
    told = result_with_excerpt(result_of("a\nb\n", first_line=7, last_line=8))
    assert (told.first_line, told.last_line, told.truncated) == (7, 8, False)
    counted = result_with_excerpt(result_of("a\nb\nc", first_line=0, last_line=0))
    assert (counted.first_line, counted.last_line) == (1, 3)
    assert result_with_excerpt(result_of("")).last_line == 1


def test_the_request_of_an_output_is_of_its_event_its_place_and_its_text() -> None:
    request = RequestKey("r1", bytes(32))
    named = output_request(request, 0, "text")
    assert named == output_request(request, 0, "text")
    assert named is not None
    assert named.request_id != "r1"
    assert named != output_request(request, 1, "text")
    other = output_request(request, 0, "other text")
    assert other is not None
    assert other.request_id == named.request_id
    assert other.content_digest != named.content_digest
    assert output_request(None, 0, "text") is None
