"""Lines that look like failures, picked from a stream of parts."""

from itertools import pairwise

import pytest
from camillo_server.lib.outputs.summary.prose import NotableLines
from camillo_server.lib.outputs.summary.sample import NotableLine, Sample
from camillo_server.lib.outputs.summary.summarize import summarize
from hypothesis import given
from hypothesis import strategies as st

TEXT = (
    "готово\nERROR: диск заполнен\nok\n  ✓ Exception free\nпаника? panic: no\nTypeError: x is not a function\nlast FAIL"
)
EXPECTED = [(2, "ERROR: диск заполнен"), (4, "  ✓ Exception free"), (5, "паника? panic: no"), (6, "TypeError: x is not a function"), (7, "last FAIL")]  # fmt: skip  # noqa: E501


def collected(*parts: bytes) -> list[tuple[int, str]]:
    collector = NotableLines()
    for part in parts:
        collector.feed(part)
    return [(line.number, line.text) for line in collector.lines()]


@given(st.lists(st.integers(0, len(TEXT.encode())), max_size=12))
def test_the_same_is_found_wherever_the_parts_are_cut(places: list[int]) -> None:
    data = TEXT.encode()
    cuts = [0, *sorted(places), len(data)]
    assert collected(*(data[a:b] for a, b in pairwise(cuts))) == EXPECTED


@given(
    st.lists(st.sampled_from([b"ERROR x\n", b"plain\n", b"\n", b"F", b"AIL", b"\r\n", b"rror: "]), max_size=300),
    st.integers(1, 40),
)
def test_numbers_and_lines_are_those_of_the_whole(pieces: list[bytes], size: int) -> None:
    data = b"".join(pieces)
    lines = data.decode().split("\n")
    needles = ("rror:", "FAIL", "ERROR", "Exception", "panic")
    expected = [(n, line.rstrip("\r")) for n, line in enumerate(lines, 1) if any(word in line for word in needles)]
    found = collected(*(data[at : at + size] for at in range(0, len(data), size)))
    assert found == expected[:100] + expected[100:][-200:]


def test_of_very_many_the_first_and_the_last_are_kept() -> None:
    data = "".join(f"ERROR number {number}\n" for number in range(1, 10_001)).encode()
    found = collected(*(data[at : at + 50_000] for at in range(0, len(data), 50_000)))
    assert [number for number, _ in found] == [*range(1, 101), *range(9_801, 10_001)]
    assert found[-1] == (10_000, "ERROR number 10000")


def test_a_long_line_is_cut() -> None:
    ((number, text),) = collected(b"plain\nERROR " + b"x" * 5_000_000, b"y" * 100 + b"\nplain\n")
    assert (number, len(text)) == (2, 500)
    assert text.startswith("ERROR xxx")


def test_what_is_held_of_an_endless_line_is_bounded() -> None:
    collector = NotableLines()
    for _ in range(200):
        collector.feed(b"x" * 100_000)
    collector.feed(b"\nERROR after\n")
    assert [(line.number, line.text) for line in collector.lines()] == [(2, "ERROR after")]


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert collected(b"ERROR \xff\xfe\n") == [(1, "ERROR \ufffd\ufffd")]


@pytest.mark.parametrize("number", [600, 50_000])
def test_a_summary_tells_what_failed_between_the_ends(number: int) -> None:
    head = "".join(f"step {n}\n" for n in range(1, 501))
    tail = "".join(f"step {n}\n" for n in range(99_501, 100_001))
    between = (NotableLine(3, "ERROR: known from the head"), NotableLine(number, "ERROR: disk full"))
    sample = Sample(head, tail, 2_000_000, 100_000, between, command="./run.sh", exit_code=1)
    told = summarize(sample).text
    assert f"ERROR: disk full [line {number:,}]" in told
    assert "known from the head" not in told


def test_lines_of_the_tail_have_their_numbers_in_the_whole() -> None:
    head = "".join(f"step {n}\n" for n in range(1, 501))
    tail = "cut\n" + "".join(f"step {n}\n" for n in range(99_502, 99_990)) + "ERROR: disk full\n" + "step\n" * 10
    told = summarize(Sample(head, tail, 2_000_000, 100_000, command="./run.sh")).text
    assert "ERROR: disk full [line 99,990]" in told
