"""Reads a document of any type into text."""

from camillo_server.kernel.off_loop import off_loop
from camillo_server.knowledge.conversion.document import ReadDocument, ReadingLimits, unreadable
from camillo_server.knowledge.conversion.media_types import CONVERTED, MARKDOWN, media_type_of
from camillo_server.knowledge.conversion.plain_text import (
    TEXT_MICROSECONDS_PER_BYTE,
    decoded,
    title_of,
)


async def read_document(
    content: bytes, media_type: str, name: str, limits: ReadingLimits
) -> ReadDocument:
    """The document as text. Without a media type, its name tells what it is, or else its content.

    Raises DocumentUnreadable for what cannot be read as that, or is more than the limits let through.
    """
    kind = media_type_of(content, media_type, name)
    if kind in CONVERTED:
        raise unreadable("converter_missing")
    return await off_loop(
        len(content) * TEXT_MICROSECONDS_PER_BYTE, lambda: _read_text(content, kind, name, limits)
    )


def _read_text(content: bytes, kind: str, name: str, limits: ReadingLimits) -> ReadDocument:
    text = decoded(content, limits)
    return ReadDocument(text, kind, title_of(text, name, is_headed=kind == MARKDOWN))
