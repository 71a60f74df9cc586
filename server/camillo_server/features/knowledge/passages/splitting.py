"""Large texts are split in a process of their own, as what may break a parser is read in one: within its time and memory, and away
from the event loop."""

import json
from collections.abc import Sequence

from camillo_server.features.knowledge.conversion.converter import convert
from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.passages.passages import (
    PASSAGES_MICROSECONDS_PER_BYTE,
    DocumentPassage,
    document_passages,
)
from camillo_server.kernel.off_loop import off_loop

# To start a process takes about as long as to split so much.
LARGE_CHARACTERS = 256 * 1024
PASSAGES = "passages of "
# Headings come with each of their passages.
_LIMITS = ReadingLimits(max_text_bytes=64 * 1024 * 1024)
_LOADED_MICROSECONDS_PER_BYTE = 0.02


async def split_document(text: str, media_type: str) -> Sequence[DocumentPassage]:
    """Splits a document as `document_passages` does. Raises DocumentUnreadable where that takes too long or too much,
    Overloaded."""
    if len(text) < LARGE_CHARACTERS:
        cost = len(text) * PASSAGES_MICROSECONDS_PER_BYTE
        return await off_loop(cost, lambda: document_passages(text, media_type))
    _, told = await convert(text.encode(), PASSAGES + media_type, _LIMITS)
    cost = len(told) * _LOADED_MICROSECONDS_PER_BYTE
    return await off_loop(cost, lambda: [DocumentPassage(*each) for each in json.loads(told)])
