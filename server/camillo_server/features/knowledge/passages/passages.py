"""Passages of a document: what of it is indexed, found and cited."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from camillo_formats.markdown import MAX_TRAIL, HeadedSection, joined_trail
from camillo_formats.media_types import PDF

from camillo_server.features.knowledge.conversion.converter import convert
from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.passages.blocks import (
    WRITTEN_AS_MARKDOWN,
    BlockSize,
    document_sections,
    section_pieces,
)
from camillo_server.features.knowledge.passages.packing import (
    PackedPassage,
    PackingSize,
    SectionPieces,
    packed,
)
from camillo_server.kernel.off_loop import off_loop, yield_turn
from camillo_server.lib.text.passages import PassageSize

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
    # Pages are told apart, or nobody could cite one.
    join_below = 0 if media_type == PDF else size.join_below
    packing = PackingSize(size.tokens, size.whole_tokens, size.max_tokens, join_below, characters)
    sections = _sections_with_pieces(text, media_type, blocks)
    return _cited(text, list(packed(sections, packing)))


def _sections_with_pieces(text: str, media_type: str, size: BlockSize) -> list[SectionPieces]:
    is_markdown = media_type in WRITTEN_AS_MARKDOWN
    found = document_sections(text, media_type)
    sections = list[SectionPieces]()
    for section, following in pairwise([*found, HeadedSection(len(text), len(text), ())]):
        yield_turn()
        pieces = section_pieces(text, section.start, following.start, size, is_markdown=is_markdown)
        sections.append(SectionPieces(section, list(pieces)))
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


def _byte_offsets(text: str, places: Iterable[int]) -> Mapping[int, int]:
    """The offset in UTF-8 of each of these positions in the text."""
    ordered = sorted({0, *places})
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
    _, told = await convert(text.encode(), PASSAGES + media_type, _LIMITS)
    return await off_loop(len(told) / 8, lambda: [DocumentPassage(*each) for each in json.loads(told)])
