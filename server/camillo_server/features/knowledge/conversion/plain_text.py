"""Bytes as text: Unicode without what is no writing."""

import codecs
import re

from camillo_formats.markdown import has_more_headings, sections
from camillo_formats.terminal_sequences import without_terminal_sequences

from camillo_server.features.knowledge.conversion.document import (
    MAX_TITLE_CHARACTERS,
    ReadingLimits,
    unreadable,
)

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LINE_END = re.compile("\r\n?|[\v\f\x85]")
# Controls and halves of characters that no document needs, and that Postgres or a terminal takes badly.
_CONTROLS = dict.fromkeys({*range(9), *range(14, 32), *range(0x7F, 0x85), *range(0x86, 0xA0)})
_HAS_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_OPENING_CHARACTERS = 64 * 1024


def decoded(content: bytes, limits: ReadingLimits) -> str:
    """UTF-8, or UTF-16 with a byte order mark. Raises DocumentUnreadable for other bytes, and for too many."""
    encoding = _UTF_16.get(content[:2])
    # Characters of four bytes have as many in both; the others at most twice as many.
    if len(content) > limits.max_text_bytes * (2 if encoding else 1) + len(codecs.BOM_UTF8):
        raise unreadable("too_large", limits.max_text_bytes)
    try:
        text = codecs.decode(content, encoding or "utf-8")
    except UnicodeDecodeError:
        raise unreadable("not_text") from None
    # A stray one is a slip; many are another format.
    if text.count("\0") * 100 > len(text):
        raise unreadable("not_text")
    return within(cleaned(text), limits)


def within(text: str, limits: ReadingLimits) -> str:
    """The text. Raises DocumentUnreadable where it is too long, or none."""
    size = len(text) if text.isascii() else len(text.encode())
    if size > limits.max_text_bytes:
        raise unreadable("too_large", limits.max_text_bytes)
    if not text or text.isspace():
        raise unreadable("no_text")
    return text


def cleaned(text: str) -> str:
    """The text with `\\n` at the ends of lines, without controls, escape sequences of terminals and a byte order mark.
    Else it stays as it was written."""
    text = text.removeprefix("\ufeff")
    if not _HAS_CONTROLS.search(text):
        return text
    return _LINE_END.sub("\n", without_terminal_sequences(text)).translate(_CONTROLS)


def require_sections(text: str, limits: ReadingLimits) -> None:
    """Raises DocumentUnreadable for Markdown with too many headings, before anything is made of each."""
    if has_more_headings(text, limits.max_sections):
        raise unreadable("too_many_passages", limits.max_sections)


def title_of(text: str, name: str, *, is_headed: bool) -> str:
    """The first heading of Markdown, or else this name."""
    found = sections(text[:_OPENING_CHARACTERS])[1:2] if is_headed else ()
    heading = " ".join(found[0].trail[-1].split()) if found else ""
    return (heading or name)[:MAX_TITLE_CHARACTERS]
