"""What a value is cut out of remains the evidence of everything else that it says."""

import asyncio
from collections.abc import Sequence

import pytest
from camillo.v1.consistency_pb2 import Freshness
from camillo.v1.event_pb2 import NewEvent
from camillo.v1.memory_pb2 import SOURCE_EVENT
from camillo.v1.memory_service_pb2 import RecallRequest
from google.protobuf.timestamp_pb2 import Timestamp

from bench.quality.suites.collection import Collection
from bench.quality.suites.shapes import LONG, SHORT, collections
from tests.patience import PATIENCE_SECONDS
from tests.rpc.forgetting.test_redaction import redact
from tests.rpc.records import record_all, text_event, texts
from tests.server_fixtures import Caller, Server

VALUE = "617-555-0143"
# How it is said, beside something else.
SAID = (" Ring me: (617) 555-0143.", " 电话 6175550143 📞", " رقمي +1 617 555 0143", " (+1-617-555-0143)")
QUESTIONS, LIMIT, KEPT = 120, 10, 0.97


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)


def chat_of(collection: Collection) -> list[NewEvent]:
    """The statements as messages, of which every second one tells of the value, too."""
    return [
        text_event(
            each.text + ("" if place % 2 else SAID[place // 2 % len(SAID)]),
            session_id=each.session_id,
            occurred_at=_timestamp(each.occurred_at.timestamp()),
        )
        for place, each in enumerate(collection.statements)
    ]


def _timestamp(seconds: float) -> Timestamp:
    return Timestamp(seconds=int(seconds))


async def found(caller: Caller, collection: Collection, event_ids: Sequence[str]) -> set[str]:
    """The questions whose evidence is among the first hits, once all vectors are there."""
    keys = {each.key: event_id for each, event_id in zip(collection.statements, event_ids, strict=True)}
    answered = set()
    for question in collection.questions:
        request = RecallRequest(
            text=question.text, sources=[SOURCE_EVENT], limit=LIMIT, freshness=Freshness(fully_consistent=True)
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (answer := await caller(request)).degraded:
                pass
        refs = {hit.chunk.source_refs[0] for hit in answer.hits}
        if refs & {keys[key] for key in question.right}:
            answered.add(question.text)
    return answered


@pytest.mark.parametrize("shape", [LONG, SHORT])
async def test_nearly_all_other_questions_find_their_evidence_as_before(server: Server, shape: str) -> None:
    [collection] = [each for each in collections(QUESTIONS) if each.name == f"shapes-{shape}"]
    stored = await record_all(server.alice, chat_of(collection))
    event_ids = [each.recorded.event_id for each in stored.results]
    before = await found(server.alice, collection, event_ids)
    _, rows = await redact(server.alice, VALUE)
    assert rows == {"redacted_events": (len(event_ids) + 1) // 2}
    after = await found(server.alice, collection, event_ids)
    assert len(before) > len(collection.questions) / 2
    assert len(after & before) >= KEPT * len(before)
    said = await texts(server.alice)
    assert not any("0143" in each for each in said)
    assert sum("[forgotten]" in each for each in said) == (len(event_ids) + 1) // 2
