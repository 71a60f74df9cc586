"""The first and the last lines of an output, as they are shown in its place."""

from dataclasses import dataclass

from camillo_server.domain.summary.clean_text import cleaned
from camillo_server.domain.summary.sample import Sample
from camillo_server.domain.summary.shorten import shortened

# Together with a usual summary about 200 tokens, seldom over 300.
PREVIEW_HEAD_LINES = 5
PREVIEW_TAIL_LINES = 4
LONGEST_LINE = 120
LONGEST = 2_000
# Enough for as many lines as are shown; more would only be cleaned in vain.
READ = 64 * 1024


@dataclass(frozen=True, slots=True)
class Preview:
    """Each of at most 2,000 characters; `tail` is empty where the head shows everything."""

    head: str
    tail: str


def preview(sample: Sample, head_lines: int, tail_lines: int) -> Preview:
    """As many lines of both ends; of the tail none that the head shows."""
    opening = cleaned(sample.head[:READ])
    whole = not sample.tail and len(sample.head) <= READ
    lines = opening.removesuffix("\n").split("\n")
    head = _fitting(lines[: max(head_lines, 0)])
    if whole:
        left = lines[max(head_lines, 0) :]
        return Preview(head, _fitting_last(left, tail_lines))
    ending = cleaned((sample.tail or sample.head)[-READ:])
    return Preview(head, _fitting_last(ending.removesuffix("\n").split("\n"), tail_lines))


def _fitting(lines: list[str]) -> str:
    return shortened("\n".join(shortened(line.rstrip(), LONGEST_LINE) for line in lines), LONGEST)


def _fitting_last(lines: list[str], count: int) -> str:
    """The last lines that fit: whole lines are left out at the front."""
    shown: list[str] = []
    room = LONGEST
    for line in reversed(lines[-count:] if count > 0 else []):
        short = shortened(line.rstrip(), LONGEST_LINE)
        room -= len(short) + 1
        if room < -1:
            break
        shown.append(short)
    return "\n".join(reversed(shown))
