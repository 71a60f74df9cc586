"""Large texts are split in a process of their own, as what may break a parser is read in one: within its time and memory, and away
from the event loop."""

import json
from collections.abc import Sequence

from camillo_server.features.knowledge.conversion.converter import convert
from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.passages.passages import (
    DocumentPassage,
    document_passages,
)
from camillo_server.kernel.off_loop import off_loop

# To start a process takes about as long as to split so much.
LARGE_CHARACTERS = 256 * 1024
PASSAGES = "passages of "
# Headings come with each of their passages.
_LIMITS = ReadingLimits(max_text_bytes=64 * 1024 * 1024)


async def split_document(text: str, media_type: str) -> Sequence[DocumentPassage]:
    """Splits a document as `document_passages` does. Raises DocumentUnreadable where that takes too long or too much,
    Overloaded."""
    if len(text) < LARGE_CHARACTERS:
        # A text that is slow to split takes four times as long as looking for secrets.
        return await off_loop(4 * len(text), lambda: document_passages(text, media_type))
    _, told = await convert(text.encode(), PASSAGES + media_type, _LIMITS)
    return await off_loop(len(told) / 8, lambda: [DocumentPassage(*each) for each in json.loads(told)])
