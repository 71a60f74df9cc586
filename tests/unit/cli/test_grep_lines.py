"""Matching lines are shown as grep does."""

from itertools import pairwise

from camillo.v1.artifact_pb2 import ArtifactLine, ArtifactMatch, CharacterSpan
from camillo_cli.artifact_reading import GrepLine, colored, grep_lines
from hypothesis import given
from hypothesis import strategies as st

LAST = 30


def _line(number: int) -> ArtifactLine:
    return ArtifactLine(number=number, text=f"行 {number}")


def _match(number: int, before: int = 0, after: int = 0) -> ArtifactMatch:
    return ArtifactMatch(
        line=_line(number),
        before=[_line(n) for n in range(max(1, number - before), number)],
        after=[_line(n) for n in range(number + 1, min(LAST, number + after) + 1)],
    )


def _shown(matches: list[ArtifactMatch]) -> list[str]:
    return ["--" if line is None else f"{line.number}{':' if line.is_match else '-'}" for line in grep_lines(matches)]


def test_matches_stand_alone() -> None:
    assert _shown([_match(3), _match(4), _match(9)]) == ["3:", "4:", "--", "9:"]
    assert _shown([]) == []


def test_lines_around_are_shown_once() -> None:
    assert _shown([_match(3, 1, 2), _match(5, 2, 2), _match(6, 2, 2)]) == [
        "2-", "3:", "4-", "5:", "6:", "7-", "8-",
    ]  # fmt: skip
    assert _shown([_match(3, 1, 1), _match(6, 1, 1), _match(20, 0, 1)]) == [
        "2-", "3:", "4-", "5-", "6:", "7-", "--", "20:", "21-",
    ]  # fmt: skip


@given(
    st.sets(st.integers(min_value=1, max_value=LAST)),
    st.integers(min_value=0, max_value=5),
    st.integers(min_value=0, max_value=5),
)
def test_what_is_shown_is_what_is_near(numbers: set[int], before: int, after: int) -> None:
    lines = list(grep_lines(_match(n, before, after) for n in sorted(numbers)))
    shown = [line.number for line in lines if line is not None]
    near = {m for n in numbers for m in range(n - before, n + after + 1) if 1 <= m <= LAST}
    assert shown == sorted(near)
    assert {line.number for line in lines if line is not None and line.is_match} == numbers
    gaps = sum(1 for a, b in pairwise(shown) if b > a + 1)
    assert lines.count(None) == gaps


def test_what_matched_stands_out_and_nothing_steers_the_terminal() -> None:
    text = "\u202eab 错误 \x1b[31m"
    match = ArtifactMatch(line=ArtifactLine(number=7, text=text, is_cut=True), spans=[CharacterSpan(start=4, end=6)])
    (line,) = grep_lines([match])
    assert line == GrepLine(7, text + "…", True, ((4, 6),))
    shown = colored(line)
    assert shown.plain == "7:ab 错误 \N{REPLACEMENT CHARACTER}[31m…"
    (red,) = [span for span in shown.spans if "red" in str(span.style)]
    assert shown.plain[red.start : red.end] == "错误"
