"""Passages of a document: what of it is indexed, found and cited."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import NamedTuple

from camillo_formats.markdown import MAX_TRAIL, HeadedSection, joined_trail
from camillo_formats.media_types import PDF

from camillo_server.features.knowledge.conversion.converter import convert
from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.passages.blocks import (
    WRITTEN_AS_MARKDOWN,
    BlockPart,
    BlockSize,
    document_sections,
    section_parts,
)
from camillo_server.kernel.off_loop import off_loop, yield_turn
from camillo_server.lib.text.passages import PassageSize

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


class SectionParts(NamedTuple):
    """A section and its parts in order."""

    section: HeadedSection
    parts: Sequence[BlockPart]


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


def packed(found: Sequence[SectionParts], size: PackingSize) -> Iterator[PackedPassage]:
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


def _of_section(each: SectionParts, size: PackingSize) -> Iterator[PackedPassage]:
    """The passages of one section, about as large as each other."""
    runs = list(_runs(each.parts, size))
    section = each.section
    for index, run in enumerate(runs):
        # A section begins with its heading, if it has one of its own.
        is_headed = not index and section.body > section.start
        above = section.trail[:-1] if is_headed else section.trail
        tokens = sum(part.tokens for part in run)
        is_bare = is_headed and run[-1].end <= section.body
        yield PackedPassage(run[0].start, run[-1].end, tokens, section.trail, above, len(runs) == 1, is_bare)


def _runs(parts: Sequence[BlockPart], size: PackingSize) -> Iterator[list[BlockPart]]:
    tokens = sum(part.tokens for part in parts)
    reach = tokens / (math.ceil(tokens / size.tokens) if tokens > size.whole_tokens else 1)
    run: list[BlockPart] = []
    filled = 0
    for part in parts:
        is_full = filled + part.tokens > size.max_tokens or filled + part.tokens / 2 > reach
        # A heading stays with what it is above.
        is_full = is_full and filled >= MAX_SCRAP
        if run and (is_full or part.end - run[0].start > size.characters):
            yield run
            run, filled = [], 0
        run.append(part)
        filled += part.tokens
    if run:
        yield run


# The maximum length of a passage, including the line of headings above it.
MAX_CHARACTERS = 2_000
# To start a process takes about as long as to split so much.
LARGE_CHARACTERS = 256 * 1024
PASSAGES = "passages of "
# Headings come with each of their passages.
_LIMITS = ReadingLimits(max_text_bytes=64 * 1024 * 1024)


@dataclass(frozen=True, slots=True)
class DocumentPassage:
    """A passage. `text` is what is indexed: the headings above it in a line, and what the document has between these
    bytes of its UTF-8; `heading` all headings that it stands under, outermost first."""

    heading: str
    text: str
    byte_from: int
    byte_until: int


@dataclass(frozen=True, slots=True)
class DocumentPassageSize:
    """How a document is cut: sizes in tokens, the overlap in characters. Its figures are those of
    docs/adr/documents.md."""

    tokens: int = 256
    # A section that is hardly longer stays whole.
    whole_tokens: int = 320
    max_tokens: int = 400
    overlap: int = 160
    join_below: int = 128


SIZE = DocumentPassageSize()


def document_passages(text: str, media_type: str, size: DocumentPassageSize = SIZE) -> Sequence[DocumentPassage]:
    """The passages in order: all that is not white space is in one. Takes time in proportion to the text."""
    characters = MAX_CHARACTERS - MAX_TRAIL - 1
    blocks = BlockSize(
        PassageSize(size.tokens, size.whole_tokens, size.max_tokens, size.overlap, len(text) + 1),
        characters,
    )
    # Pages are not joined, or nobody could cite one.
    join_below = 0 if media_type == PDF else size.join_below
    packing = PackingSize(size.tokens, size.whole_tokens, size.max_tokens, join_below, characters)
    sections = _sections_with_parts(text, media_type, blocks)
    return _cited(text, list(packed(sections, packing)))


def _sections_with_parts(text: str, media_type: str, size: BlockSize) -> list[SectionParts]:
    is_markdown = media_type in WRITTEN_AS_MARKDOWN
    found = document_sections(text, media_type)
    sections = list[SectionParts]()
    for section, following in pairwise([*found, HeadedSection(len(text), len(text), ())]):
        yield_turn()
        parts = section_parts(text, section.start, following.start, size, is_markdown=is_markdown)
        sections.append(SectionParts(section, list(parts)))
    return sections


def _cited(text: str, passages: Sequence[PackedPassage]) -> Sequence[DocumentPassage]:
    offsets = _byte_offsets(text, (at for each in passages for at in (each.start, each.end)))
    return [
        DocumentPassage(
            joined_trail(each.trail),
            _indexed(each, text[each.start : each.end]),
            offsets[each.start],
            offsets[each.end],
        )
        for each in passages
    ]


def _indexed(each: PackedPassage, passage: str) -> str:
    above = joined_trail(each.above)
    return f"{above}\n{passage}" if above else passage


def _byte_offsets(text: str, positions: Iterable[int]) -> Mapping[int, int]:
    """The offset in UTF-8 of each of these positions in the text."""
    ordered = sorted({0, *positions})
    offsets, reached = {0: 0}, 0
    for before, at in pairwise(ordered):
        reached += len(text[before:at].encode())
        offsets[at] = reached
    return offsets


async def split_document(text: str, media_type: str) -> Sequence[DocumentPassage]:
    """Splits a document as `document_passages` does. Raises DocumentUnreadable where that takes too long or too much,
    Overloaded."""
    if len(text) < LARGE_CHARACTERS:
        # A text that is slow to split takes four times as long as looking for secrets.
        return await off_loop(4 * len(text), lambda: document_passages(text, media_type))
    _, found = await convert(text.encode(), PASSAGES + media_type, _LIMITS)
    return await off_loop(len(found) / 8, lambda: [DocumentPassage(*each) for each in json.loads(found)])
