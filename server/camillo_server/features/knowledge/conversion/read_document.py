"""Reads a document of any type into text."""

from camillo_formats.media_types import CONVERTED, MARKDOWN, PDF

from camillo_server.features.knowledge.conversion.converter import convert
from camillo_server.features.knowledge.conversion.document import ReadDocument, ReadingLimits
from camillo_server.features.knowledge.conversion.media_types import media_type_of
from camillo_server.features.knowledge.conversion.plain_text import (
    decoded,
    require_sections,
    title_of,
)
from camillo_server.kernel.off_loop import off_loop


async def read_document(content: bytes, media_type: str, name: str, limits: ReadingLimits) -> ReadDocument:
    """The document as text. Without a media type, its name tells what it is, or else its content.

    Raises DocumentUnreadable for what cannot be read as that, or is more than the limits let through.
    """
    kind, stated_title = media_type_of(content, media_type, name), ""
    if kind in CONVERTED:
        stated_title, content = await convert(content, kind, limits)
    last_name = name.rpartition("/")[2]
    is_headed = kind == MARKDOWN or kind in CONVERTED - {PDF}

    def read() -> ReadDocument:
        text = decoded(content, limits)
        if is_headed:
            require_sections(text, limits)
        return ReadDocument(text, kind, title_of(text, stated_title or last_name, is_headed=is_headed))

    return await off_loop(len(content) / 16, read)
