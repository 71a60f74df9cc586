"""Packs the pieces of sections into passages: a long section becomes several, short ones are joined under what is above both."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from camillo_server.knowledge.blocks import BlockPiece
from camillo_server.text.passages import HeadedSection

# Deeper sections are packed as if they were as deep.
MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class PackingSize:
    """How large passages become, and at most, in tokens and in characters; sections below `join_below` tokens are joined."""

    tokens: int
    max_tokens: int
    join_below: int
    characters: int


class SectionPieces(NamedTuple):
    """A section and its pieces in order."""

    section: HeadedSection
    pieces: Sequence[BlockPiece]


@dataclass(frozen=True, slots=True)
class PackedPassage:
    """A passage of the text: the headings above all of it, and those of them that its own text does not begin with.
    `is_whole`: it is all of its sections."""

    start: int
    end: int
    tokens: int
    trail: tuple[str, ...]
    above: tuple[str, ...]
    is_whole: bool


def packed(found: Sequence[SectionPieces], size: PackingSize) -> Iterator[PackedPassage]:
    """The passages in order. The first section is what comes before any heading."""
    # Of each section that is open, from the outermost on: its passages, and those of sections below it that are closed.
    open_sections: list[list[PackedPassage]] = []
    for each in found:
        depth = min(len(each.section.trail), MAX_DEPTH)
        while len(open_sections) > max(depth, 1):
            _close(open_sections, size)
        open_sections.append(list(_of_section(each, size)))
    while len(open_sections) > 1:
        _close(open_sections, size)
    yield from (each for passages in open_sections for each in passages)


def _close(open_sections: list[list[PackedPassage]], size: PackingSize) -> None:
    """Hands the passages of the deepest section to the one above; a short one is joined to a short one before it."""
    below, above = open_sections.pop(), open_sections[-1]
    if len(below) == 1 and above and _may_join(above[-1], below[0], size):
        above[-1] = _joined(above[-1], below[0])
    else:
        above.extend(below)


def _may_join(first: PackedPassage, second: PackedPassage, size: PackingSize) -> bool:
    return (
        first.is_whole
        # What stands before all headings has none in common with what follows.
        and bool(first.trail)
        and min(first.tokens, second.tokens) < size.join_below
        and first.tokens + second.tokens <= size.tokens
        and second.end - first.start <= size.characters
    )


def _joined(first: PackedPassage, second: PackedPassage) -> PackedPassage:
    pairs = zip(first.trail, second.trail, strict=False)
    shared = tuple(mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    above = first.above if len(first.above) < len(shared) else shared
    tokens = first.tokens + second.tokens
    return replace(first, end=second.end, tokens=tokens, trail=shared, above=above)


def _of_section(each: SectionPieces, size: PackingSize) -> Iterator[PackedPassage]:
    """The passages of one section, about as large as each other."""
    runs = list(_runs(each.pieces, size))
    section = each.section
    for index, run in enumerate(runs):
        # A section begins with its heading.
        above = section.trail if index else section.trail[:-1]
        tokens = sum(piece.tokens for piece in run)
        yield PackedPassage(run[0].start, run[-1].end, tokens, section.trail, above, len(runs) == 1)


def _runs(pieces: Sequence[BlockPiece], size: PackingSize) -> Iterator[list[BlockPiece]]:
    tokens = sum(piece.tokens for piece in pieces)
    reach = tokens / max(1, math.ceil(tokens / size.tokens))
    run: list[BlockPiece] = []
    filled = 0
    for piece in pieces:
        is_full = filled + piece.tokens > size.max_tokens or filled + piece.tokens / 2 > reach
        if run and (is_full or piece.end - run[0].start > size.characters):
            yield run
            run, filled = [], 0
        run.append(piece)
        filled += piece.tokens
    if run:
        yield run
