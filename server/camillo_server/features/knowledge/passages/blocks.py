"""The blocks of a document's section: paragraphs, fenced code and rows of tables, each in parts that fit into a
passage."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from camillo_formats.markdown import BLANK_LINES, FENCED_BLOCK, HeadedSection, sections
from camillo_formats.media_types import CODE, DOCX, HTML, MARKDOWN, PDF

from camillo_server.features.knowledge.passages.definitions import definition_sections
from camillo_server.lib.text.passages import PassageSize, first_line, passages
from camillo_server.lib.text.tokens import count_tokens

_TABLE = re.compile(r"[ \t]{0,3}\|")
_ROW = re.compile(r"[^\n]+\n?")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:(?!(?:---|\.\.\.)[ \t]*\n)[^\n]*\n)*+(?:---|\.\.\.)[ \t]*\n")
# How `conversion` opens a page of a PDF. Other lines of its text are no headings, whatever they look like.
PAGE = re.compile(r"^## (Page [0-9]{1,7})$", re.MULTILINE)
WRITTEN_AS_MARKDOWN = frozenset({MARKDOWN, HTML, DOCX})


class BlockPart(NamedTuple):
    """A part of the text that stays together, and its tokens."""

    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class BlockSize:
    """How large the parts of a block become."""

    passages: PassageSize
    characters: int

    def parts(self, text: str, start: int, end: int) -> Iterator[BlockPart]:
        """All of a block, which is cut only where it fits into no passage."""
        block = text[start:end].rstrip()
        end = start + len(block)
        if len(block) <= self.characters:
            tokens = count_tokens(block)
            if tokens <= self.passages.max_tokens:
                yield BlockPart(start, end, tokens)
                return
        for first, last in passages(block, self.characters, self.passages):
            yield BlockPart(start + first, start + last, count_tokens(block[first:last]))


def section_parts(text: str, start: int, end: int, size: BlockSize, *, is_markdown: bool) -> Iterator[BlockPart]:
    """The parts of a section in order; all that is not white space is in one."""
    if is_markdown:
        for fenced in FENCED_BLOCK.finditer(text, start, end):
            yield from _parts_of_paragraphs(text, start, fenced.start(), size, has_tables=True)
            yield from size.parts(text, fenced.start(), fenced.end())
            start = fenced.end()
    yield from _parts_of_paragraphs(text, start, end, size, has_tables=is_markdown)


def _parts_of_paragraphs(text: str, start: int, end: int, size: BlockSize, *, has_tables: bool) -> Iterator[BlockPart]:
    for first, last in _paragraphs(text, start, end):
        if has_tables and _TABLE.match(text, first, last):
            for row in _ROW.finditer(text, first, last):
                yield from size.parts(text, row.start(), row.end())
        else:
            yield from size.parts(text, first, last)


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Start and end of each, from the indentation of its first line on."""
    while True:
        start = first_line(text, start)
        if start >= end:
            return
        blank = BLANK_LINES.search(text, start, end)
        yield start, blank.start() if blank else end
        if blank is None:
            return
        start = blank.end()


def document_sections(text: str, media_type: str) -> Sequence[HeadedSection]:
    """The sections in order; the first is the text before any heading. Plain text has only this one."""
    if media_type in WRITTEN_AS_MARKDOWN:
        return _markdown_sections(text)
    if media_type == PDF:
        return _page_sections(text)
    if media_type in CODE:
        return definition_sections(text, media_type)
    return (HeadedSection(0, 0, ()),)


def _markdown_sections(text: str) -> Sequence[HeadedSection]:
    """A comment in front matter is no heading."""
    front = _FRONT_MATTER.match(text)
    found = sections(text)
    return [each for each in found if not front or not 0 < each.start < front.end()]


def _page_sections(text: str) -> Sequence[HeadedSection]:
    pages = (HeadedSection(each.start(), each.end(), (each[1],)) for each in PAGE.finditer(text))
    return [HeadedSection(0, 0, ()), *pages]
