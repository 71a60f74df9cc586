"""Cutting a value out of events: however many there are, few of them are read at once."""

from collections.abc import AsyncIterator

import pytest
from camillo_server.features.events.store import redaction
from camillo_server.features.events.store.redaction import events_to_redact
from camillo_server.lib.text.value_spans import SoughtValues, ValueSpans
from camillo_server.rows.forgettable import PlannedRedaction
from camillo_server.storage.database import Session

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, GroundStore, event, ground_store

VALUE = "617-555-0143"


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def test_a_plan_holds_ids_and_no_texts(store: GroundStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text may have a megabyte, and a scope any number of them."""
    monkeypatch.setattr(redaction, "EVENTS_AT_ONCE", 2)
    kept = [event(f"call the gärtner 🌳 at {VALUE}, day {day}") for day in range(5)]
    gone = event(VALUE)
    await store.record(*kept, gone)
    ids = sorted(str(each.event_id) for each in (*kept, gone))

    async def work(session: Session) -> PlannedRedaction:
        return await events_to_redact(session, ALICE, ids, SoughtValues(spans=ValueSpans(VALUE)))

    planned = await store.database.read(ALICE, work)
    assert set(planned.ids) == {str(each.event_id) for each in kept}
    assert "gärtner" not in repr(planned)
    assert str(kept[0].event_id) in repr(planned)
