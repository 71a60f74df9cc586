"""Text as a reader sees it can hold secrets that its bytes do not show: escape sequences between their characters, or
an encoding of two bytes for each."""

from collections.abc import Callable
from dataclasses import replace

from camillo_server.outputs.summary.sample import NotableLine, Sample, cleaned
from camillo_server.redaction.redaction import RedactionStream


def without_shown_secrets(
    sample: Sample, redaction: Callable[[], RedactionStream], *, was_looked_through: bool
) -> Sample:
    """The sample with a mark in the place of each; as it is where there are none. Some milliseconds for each MiB of
    what differs from the bytes that `was_looked_through` says were looked through."""

    def shown(text: str) -> str:
        seen = cleaned(text)
        if was_looked_through and seen == text:
            return text
        stream = redaction()
        encoded = seen.encode("utf-8", "replace")
        parts = (stream.feed(encoded), stream.finish())
        if not any(part.found for part in parts):
            return text
        return b"".join(part.data for part in parts).decode("utf-8", "replace")

    lines = [NotableLine(line.number, shown(line.text)) for line in sample.notable]
    return replace(sample, head=shown(sample.head), tail=shown(sample.tail), notable=lines)
