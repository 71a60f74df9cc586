"""A document as it was read, and how much of one is read."""

from dataclasses import dataclass

from camillo_server.kernel.errors import DocumentUnreadable

MAX_TITLE_CHARACTERS = 256
# How the process that reads a document ends where its memory does not suffice to answer.
OUT_OF_MEMORY = 12
_MIB = 1024 * 1024
# The message for each reason why bytes cannot be read; `{}` is the limit.
_MESSAGES = {
    "not_text": "the document is no text in UTF-8, nor in UTF-16 with a byte order mark",
    "damaged": "the document is damaged, or not of the type that it is said to be",
    "encrypted": "the document is encrypted; publish it without a password",
    "too_large": "the document has more than {} bytes of text",
    "too_many_pages": "the document has more than {} pages",
    "too_deep": "the elements of the document are nested more than {} deep",
    "too_many_parts": "the document has more than {} parts",
    "too_many_passages": "the document has more than {} headings",
    "expands_too_far": "the document expands to more than is read, or takes too much memory or time to read",
    "no_text": "no text was found in the document; of scanned pages, publish what was recognized",
    "unknown_type": "the document is of a type that the server does not read",
    "converter_missing": "the server reads this type only with its extra: pip install 'camillo-server[documents]'",
}


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """The text of a document with `\\n` at the ends of its lines. HTML, PDF and DOCX are converted to Markdown."""

    text: str
    media_type: str
    title: str


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Limits of the parts of a document that are read, and of the time and memory for it."""

    max_text_bytes: int = 8 * _MIB
    max_pages: int = 2_000
    max_depth: int = 256
    max_parts: int = 10_000
    # Headings of one text.
    max_sections: int = 50_000
    max_expanded_bytes: int = 128 * _MIB
    # Limits of the separate process that reads HTML, PDF and DOCX.
    seconds: float = 20.0
    memory_bytes: int = 512 * _MIB


def unreadable(why: str, limit: int | None = None) -> DocumentUnreadable:
    """The error that says so."""
    return DocumentUnreadable(why, limit, _MESSAGES[why].format(limit))
