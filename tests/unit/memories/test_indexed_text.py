"""The text of memories and chunks that is searched."""

from datetime import UTC, datetime

from camillo_server.kernel.kinds import ChunkKind, MemoryKind
from camillo_server.rows.row import indexed_text

MOMENT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_a_chunk_is_found_by_its_day_too() -> None:
    text = indexed_text("Ann: 我去了。", ChunkKind.EVENT_MESSAGE, MOMENT)
    assert text == "[8 May 2023] Ann: 我去了。"


def test_a_memory_is_its_content() -> None:
    assert indexed_text("Ann went.", MemoryKind.FACT, MOMENT) == "Ann went."
