"""The text of a PDF, page by page, with PDFium."""

import re
from collections.abc import Iterator

import pypdfium2
from pypdfium2 import PdfiumError
from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY

from camillo_server.features.knowledge.conversion.document import ReadingLimits, unreadable

# PDFium writes U+FFFE for a hyphen at which a line's end divides a word.
_DIVIDED = re.compile("\ufffe[\r\n]*")
_ENCRYPTED = (FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY)


def convert(content: bytes, limits: ReadingLimits) -> tuple[str, str]:
    """No title, and each page that has a text below a heading `## Page 3`. Raises DocumentUnreadable."""
    try:
        document = pypdfium2.PdfDocument(content)
        if len(document) > limits.max_pages:
            raise unreadable("too_many_pages", limits.max_pages)
        pages = list(_pages(document, limits))
    except PdfiumError as error:
        why = "encrypted" if error.err_code in _ENCRYPTED else "damaged"
        raise unreadable(why) from None
    if not pages:
        raise unreadable("no_text")
    return "", "\n\n".join(pages) + "\n"


def _pages(document: pypdfium2.PdfDocument, limits: ReadingLimits) -> Iterator[str]:
    size = 0
    for index in range(len(document)):
        text = _page_text(document, index)
        size += len(text)
        if size > limits.max_text_bytes:
            raise unreadable("too_large", limits.max_text_bytes)
        if text:
            yield f"## Page {index + 1}\n\n{text}"


def _page_text(document: pypdfium2.PdfDocument, index: int) -> str:
    page = document[index]
    text_page = page.get_textpage()
    text = _DIVIDED.sub("", text_page.get_text_range())
    text_page.close()
    page.close()
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
