"""What is searched of a row: the text that its index terms and its vector are made from."""

from datetime import datetime

from camillo_server.domain.source import is_chunk

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def indexed_text(content: str, kind: int, occurred_at: datetime) -> str:
    """A memory's content as it is; a chunk's behind the day on which it happened, since questions name days."""
    if not is_chunk(kind):
        return content
    day = f"{occurred_at.day} {_MONTHS[occurred_at.month - 1]} {occurred_at.year}"
    return f"[{day}] {content}"
