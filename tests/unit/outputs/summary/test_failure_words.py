"""Words of failure: the fast way finds the lines that looking for each word finds."""

from camillo_server.lib.outputs.summary.prose import (
    FAILURE_WORDS,
    MAX_POSITIONS,
    FailureWords,
    NotableLines,
    failure_positions,
)
from hypothesis import given
from hypothesis import strategies as st

PIECES = st.lists(st.sampled_from([*FAILURE_WORDS, b"\n", b"ok ", "失败 🔥".encode(), b"err", b"\xff"]), max_size=40)


def test_places_are_where_the_words_end() -> None:
    text = "ok\n失败 Error: x\nFAIL panic\n".encode()
    ends = [text.index(word) + len(word) for word in (b"rror:", b"FAIL", b"panic")]
    assert FailureWords()(text) == ends
    assert FailureWords()(b"all is well") == []


def test_too_many_are_not_told() -> None:
    assert FailureWords()(b"FAIL " * MAX_POSITIONS) is not None
    assert FailureWords()(b"FAIL " * (MAX_POSITIONS + 1)) is None


@given(parts=st.lists(PIECES.map(b"".join), max_size=6))
def test_the_lines_are_those_that_looking_for_each_word_finds(parts: list[bytes]) -> None:
    fast, plain = NotableLines(failure_positions()), NotableLines()
    for part in parts:
        fast.feed(part)
        plain.feed(part)
    assert fast.lines() == plain.lines()


def test_dense_text_is_read_all_the_same() -> None:
    fast, plain = NotableLines(failure_positions()), NotableLines()
    for lines in (fast, plain):
        lines.feed(b"FAIL\n" * 5_000)
        lines.feed(b"fine\n" * 5_000 + b"last Error: here\n")
    assert fast.lines() == plain.lines()
    assert [line.number for line in fast.lines()][-1] == 10_001
    assert len(fast.lines()) == 300
