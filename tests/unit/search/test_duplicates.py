"""How long a text is in terms, whatever the index puts before it: by that, equal texts are looked for."""

from datetime import UTC, datetime, timedelta

import pytest
from camillo_server.kernel.kinds import ChunkKind, MemoryKind
from camillo_server.lib.text.counted_terms import counted_terms
from camillo_server.rows.row import DAY_TERMS, indexed_text

CONTENTS = ("", "Ada takes tea at 9", "海象 drinks 茶", "\u0645\u0631\u062d\u0628\u0627 cafe\u0301 🧾")


@pytest.mark.parametrize("content", CONTENTS)
def test_the_day_before_a_chunk_has_as_many_terms_on_every_day(content: str) -> None:
    own = counted_terms(content).total
    for day in range(366):
        at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=day)
        for kind, more in ((ChunkKind.ACTION, DAY_TERMS), (MemoryKind.FACT, 0)):
            assert counted_terms(indexed_text(content, kind, at)).total == own + more
        assert counted_terms(indexed_text(content, ChunkKind.PASSAGE, at)).total == own
