"""The process that reads one document: `python -m camillo_server.features.knowledge.conversion.child`.

It takes a line of JSON (the type, and the fields of ReadingLimits) and the document from its standard input, and
answers with a line of JSON (`why` and `limit` of what cannot be read, or the title that the document has) and the text.
It imports nothing that it does not need, for each document starts it anew."""

import codecs
import gc
import json
import os
import resource
import sys
from importlib import import_module

from camillo_server.features.knowledge.conversion.document import OUT_OF_MEMORY, ReadingLimits, unreadable
from camillo_server.kernel.errors import DocumentUnreadable

# The module whose `convert` reads each type; it imports the library that parses it.
_CONVERTERS = {
    "text/html": "html_document",
    "application/pdf": "pdf_document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx_document",
}
# Precedes the type of a text that is split; the answer to it is JSON.
_PASSAGES = "passages of "
# Encodings that the libraries use; Python imports each as it is first met.
_ENCODINGS = ("ascii", "cp437", "latin_1", "utf_8_sig", "utf_16", "utf_16_le", "utf_16_be")


def main() -> None:
    """Reads the document, writes the answer."""
    # The process ends with the document.
    gc.disable()
    header = json.loads(sys.stdin.buffer.readline())
    kind, limits = header.pop("kind"), ReadingLimits(**header)
    answer: dict[str, object]
    try:
        title, text = _converted(kind, limits)
        answer = {"title": title}
    except DocumentUnreadable as error:
        answer, text = error.details, ""
    output = sys.stdout.buffer
    output.write(json.dumps(answer).encode() + b"\n")
    output.write(text.encode("utf-8", "replace"))
    output.flush()


def _converted(kind: str, limits: ReadingLimits) -> tuple[str, str]:
    _limit_memory(limits)
    if kind.startswith(_PASSAGES):
        return "", _passages(kind.removeprefix(_PASSAGES))
    try:
        converter = import_module(f"{__package__}.{_CONVERTERS[kind]}")
    except ModuleNotFoundError:
        raise unreadable("converter_missing") from None
    _open_nothing()
    try:
        title, text = converter.convert(sys.stdin.buffer.read(), limits)
    except MemoryError:
        raise unreadable("expands_too_far") from None
    except RecursionError:
        raise unreadable("too_deep", limits.max_depth) from None
    return title, text


def _passages(media_type: str) -> str:
    """Heading, text and range of each passage of a text."""
    passages = import_module("camillo_server.features.knowledge.passages.passages")
    _open_nothing()
    found = passages.document_passages(sys.stdin.buffer.read().decode(), media_type)
    rows = [(each.heading, each.text, each.byte_from, each.byte_until) for each in found]
    return json.dumps(rows, ensure_ascii=False)


def _limit_memory(limits: ReadingLimits) -> None:
    """Memory, and seconds of the processor: the process is killed a second after them."""
    seconds = max(1, round(limits.seconds))
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _open_nothing() -> None:
    """Prevents files and connections from being opened from here on; only the standard streams are left. So no module
    can be imported."""
    for encoding in _ENCODINGS:
        codecs.lookup(encoding)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        # An answer that says so would take memory, too.
        os._exit(OUT_OF_MEMORY)
