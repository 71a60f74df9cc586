"""The text of a DOCX: Mammoth writes it as HTML, which is read like any other."""

import re
import zipfile
import zlib
from io import BytesIO
from xml.dom import expatbuilder as expatbuilder  # which minidom imports as it first parses
from xml.parsers.expat import ExpatError, errors

import mammoth

from camillo_server.features.knowledge.conversion.child import html_document
from camillo_server.features.knowledge.conversion.document import ReadingLimits, unreadable

# The first bytes of a Word file that is encrypted, or older than Word 2007.
_OLE_MAGIC = bytes.fromhex("D0CF11E0A1B11AE1")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_ENCRYPTED_FLAG = 1
# OOXML has no document types; with one, entities could expand. In UTF-16, too.
_DOCTYPE = re.compile(rb"<\0?!\0?(?:D\0?O\0?C|E\0?N\0?T)")
_XML = (".xml", ".rels")
# Errors of `zipfile`, and those of Mammoth if a part that it needs is missing.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    KeyError,
    ValueError,
    AttributeError,
    IndexError,
    TypeError,
)
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
"""


def convert(content: bytes, limits: ReadingLimits) -> tuple[str, str]:
    """The title if there is one, and the text as Markdown. Raises DocumentUnreadable."""
    if content.startswith(_OLE_MAGIC):
        raise unreadable("encrypted" if _ENCRYPTED_PACKAGE in content else "unknown_type")
    try:
        with zipfile.ZipFile(BytesIO(content)) as package:
            _check(package, limits)
        ignored = mammoth.images.img_element(lambda _: {})
        written = mammoth.convert_to_html(
            BytesIO(content),
            include_embedded_style_map=False,
            style_map=_STYLES,
            convert_image=ignored,
            external_file_access=False,
        )
    except ExpatError as error:
        is_full = error.code == errors.codes[errors.XML_ERROR_NO_MEMORY]
        raise unreadable("expands_too_far" if is_full else "damaged") from None
    except _DAMAGED:
        raise unreadable("damaged") from None
    return html_document.markdown(written.value, limits)


def _check(package: zipfile.ZipFile, limits: ReadingLimits) -> None:
    """Checks that the package has few parts, does not expand too far, and has no document types. `zipfile` expands no
    more of a part than it declares."""
    parts = package.infolist()
    if len(parts) > limits.max_parts:
        raise unreadable("too_many_parts", limits.max_parts)
    if sum(part.file_size for part in parts) > limits.max_expanded_bytes:
        raise unreadable("expands_too_far", limits.max_expanded_bytes)
    if any(part.flag_bits & _ENCRYPTED_FLAG for part in parts):
        raise unreadable("encrypted")
    for part in parts:
        if part.filename.endswith(_XML) and _DOCTYPE.search(package.read(part)):
            raise unreadable("damaged")
