"""Packs the pieces of sections into passages: a long section becomes several, short ones are joined under what is above
both."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple

from camillo_formats.markdown import HeadedSection

from camillo_server.features.knowledge.passages.blocks import BlockPiece

# Deeper sections are packed as if they were as deep.
MAX_DEPTH = 8
# The number of tokens below which a section says nothing alone.
MAX_SCRAP = 32


@dataclass(frozen=True, slots=True)
class PackingSize:
    """The sizes of passages, and the largest ones, in tokens and in characters. Sections of fewer than `join_below`
    tokens are joined to each other, those of fewer than `MAX_SCRAP` to any."""

    tokens: int
    whole_tokens: int
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
    `is_whole`: it is all of its sections; `is_bare`: and these have headings alone."""

    start: int
    end: int
    tokens: int
    trail: tuple[str, ...]
    above: tuple[str, ...]
    is_whole: bool
    is_bare: bool


def packed(found: Sequence[SectionPieces], size: PackingSize) -> Iterator[PackedPassage]:
    """The passages in order. The first section is what comes before any heading."""
    # For each open section, outermost first: its passages, and those of the closed sections below it.
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
    if above and below and _may_join(above[-1], below[0], size):
        above[-1] = _joined(above[-1], below.pop(0))
    above.extend(below)


def _may_join(first: PackedPassage, second: PackedPassage, size: PackingSize) -> bool:
    shorter, longer = sorted((first.tokens, second.tokens))
    if _is_above(first, second):
        are_short = shorter + longer <= size.max_tokens
    else:
        are_short = longer < size.join_below or shorter < min(MAX_SCRAP, size.join_below)
        are_short = are_short and second.is_whole and shorter + longer <= size.whole_tokens
    # A passage outside all headings shares no heading with another one.
    is_headed = bool(first.trail and second.trail)
    return first.is_whole and is_headed and are_short and second.end - first.start <= size.characters


def _is_above(first: PackedPassage, second: PackedPassage) -> bool:
    """Whether it is the mere heading of what follows."""
    return first.is_bare and second.trail[: len(first.trail)] == first.trail


def _joined(first: PackedPassage, second: PackedPassage) -> PackedPassage:
    tokens = first.tokens + second.tokens
    if _is_above(first, second):
        return replace(second, start=first.start, tokens=tokens, above=first.above)
    pairs = zip(first.trail, second.trail, strict=False)
    shared = tuple(mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    above = first.above if len(first.above) < len(shared) else shared
    is_bare = first.is_bare and second.is_bare
    return replace(first, end=second.end, tokens=tokens, trail=shared, above=above, is_bare=is_bare)


def _of_section(each: SectionPieces, size: PackingSize) -> Iterator[PackedPassage]:
    """The passages of one section, about as large as each other."""
    runs = list(_runs(each.pieces, size))
    section = each.section
    for index, run in enumerate(runs):
        # A section begins with its heading, if it has one of its own.
        is_headed = not index and section.body > section.start
        above = section.trail[:-1] if is_headed else section.trail
        tokens = sum(piece.tokens for piece in run)
        is_bare = is_headed and run[-1].end <= section.body
        yield PackedPassage(run[0].start, run[-1].end, tokens, section.trail, above, len(runs) == 1, is_bare)


def _runs(pieces: Sequence[BlockPiece], size: PackingSize) -> Iterator[list[BlockPiece]]:
    tokens = sum(piece.tokens for piece in pieces)
    reach = tokens / (math.ceil(tokens / size.tokens) if tokens > size.whole_tokens else 1)
    run: list[BlockPiece] = []
    filled = 0
    for piece in pieces:
        is_full = filled + piece.tokens > size.max_tokens or filled + piece.tokens / 2 > reach
        # A heading stays with what it is above.
        is_full = is_full and filled >= MAX_SCRAP
        if run and (is_full or piece.end - run[0].start > size.characters):
            yield run
            run, filled = [], 0
        run.append(piece)
        filled += piece.tokens
    if run:
        yield run
