"""Reads a document of any type into text."""

import codecs
import re

from camillo_formats.markdown import has_more_headings, sections
from camillo_formats.media_types import BY_EXTENSION, CONVERTED, DOCX, HTML, MARKDOWN, PDF, PLAIN
from camillo_formats.terminal_sequences import without_terminal_sequences

from camillo_server.features.knowledge.conversion.converter import convert
from camillo_server.features.knowledge.conversion.document import (
    MAX_TITLE_CHARACTERS,
    ReadDocument,
    ReadingLimits,
    unreadable,
)
from camillo_server.kernel.off_loop import off_loop

# Other names of types, as they are met.
_ALIASES = {
    "text/x-markdown": MARKDOWN,
    "application/xhtml+xml": HTML,
    "application/x-pdf": PDF,
    "text/x-script.python": "text/x-python",
    "application/x-python": "text/x-python",
    "text/python": "text/x-python",
    "application/javascript": "text/javascript",
    "application/x-javascript": "text/javascript",
    "application/ecmascript": "text/javascript",
    "application/typescript": "text/x-typescript",
    "text/typescript": "text/x-typescript",
    "text/go": "text/x-go",
    "text/x-golang": "text/x-go",
    "text/x-java-source": "text/x-java",
    "text/rust": "text/x-rust",
    "text/x-csrc": "text/x-c",
    "text/x-chdr": "text/x-c",
    "text/x-c++src": "text/x-c++",
    "text/x-c++hdr": "text/x-c++",
    "application/x-sh": "text/x-shellscript",
    "application/sql": "text/x-sql",
    "text/yaml": "application/yaml",
    "application/x-yaml": "application/yaml",
    "text/json": "application/json",
    "text/xml": "application/xml",
}
# Nothing is said by these: the name and the content tell.
_UNTOLD = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_KNOWN = frozenset(BY_EXTENSION.values())
_SNIFFED_BYTES, _NAMES_BYTES = 1_024, 64 * 1_024
_HTML_OPENING = re.compile(rb"\s*(?:<!--[^>]{0,500}>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_WORD_PART = b"word/"
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def media_type_of(content: bytes, media_type: str, name: str) -> str:
    """The type, under the one name that it has here. Raises DocumentUnreadable for one that is not read."""
    stated = media_type.partition(";")[0].strip().lower()
    if stated not in _UNTOLD:
        return _known(_ALIASES.get(stated, stated))
    _, dot, extension = name.rpartition("/")[2].rpartition(".")
    return BY_EXTENSION.get(extension.lower() if dot else "") or _sniffed(content)


def _known(stated: str) -> str:
    """Any kind of text is read as text."""
    if stated in _KNOWN or stated.startswith("text/"):
        return stated
    if stated.endswith(("+json", "+xml", "+yaml")) and not stated.startswith("image/"):
        return stated
    raise unreadable("unknown_type")


def _sniffed(content: bytes) -> str:
    opening = content[:_SNIFFED_BYTES]
    if opening.lstrip().startswith(b"%PDF-"):
        return PDF
    if opening.startswith(b"PK\x03\x04"):
        # Names of parts are before each of them, and all of them at the end.
        if _WORD_PART in content[:_NAMES_BYTES] or _WORD_PART in content[-_NAMES_BYTES:]:
            return DOCX
        raise unreadable("unknown_type")
    for bom in _BOMS:
        opening = opening.removeprefix(bom)
    return HTML if _HTML_OPENING.match(opening.replace(b"\0", b"")) else PLAIN


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
