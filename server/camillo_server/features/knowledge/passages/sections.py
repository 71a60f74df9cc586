"""The sections of a document, by the structure that its type has."""

import re
from collections.abc import Sequence

from camillo_formats.markdown import HeadedSection, sections
from camillo_formats.media_types import CODE, DOCX, HTML, MARKDOWN, PDF

from camillo_server.features.knowledge.passages.definitions import definition_sections

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:(?!(?:---|\.\.\.)[ \t]*\n)[^\n]*\n)*+(?:---|\.\.\.)[ \t]*\n")
# How `conversion` opens a page of a PDF. Other lines of its text are no headings, whatever they look like.
PAGE = re.compile(r"^## (Page [0-9]{1,7})$", re.MULTILINE)
WRITTEN_AS_MARKDOWN = frozenset({MARKDOWN, HTML, DOCX})


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
