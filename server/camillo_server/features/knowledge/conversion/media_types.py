"""Finds the type of a document: as it is stated, or else by its name, or else by its content."""

import codecs
import re

from camillo_formats.media_types import BY_EXTENSION, DOCX, HTML, MARKDOWN, PDF, PLAIN

from camillo_server.features.knowledge.conversion.document import unreadable

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
