"""Text, id, ref, kind and time of what was found, in whatever it was found."""

from __future__ import annotations

import copy
import datetime
import pickle
from typing import Any, cast

import pytest
from clients.python.tests.fake_server import FakeServer
from google.protobuf.json_format import MessageToDict, ParseDict

import camillo_client
from camillo.v1.actor_pb2 import EventKind
from camillo.v1.citation_pb2 import DocumentCitation
from camillo.v1.memory_pb2 import Chunk, Memory, MemoryKind, RecallHit, ScoreBreakdown, Source
from camillo.v1.memory_service_pb2 import RecallResponse
from camillo.v1.recall_pb2 import TimeWindow
from camillo_client import AsyncCamillo, Camillo, CamilloError, Hit, RecallAnswer
from camillo_client.convert import to_timestamp

NOON = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)
SAID = Chunk(
    chunk_id="c1",
    origin_id="e1",
    text="ada: 茶?",
    source=Source.SOURCE_EVENT,
    event_kind=EventKind.EVENT_KIND_TOOL_RESULT,
    occurred_at=to_timestamp(NOON),
)
DECIDED = Chunk(chunk_id="c2", origin_id="d1", text="Order tea", source=Source.SOURCE_DECISION)
KEPT = Memory(memory_id="m1", content="tea", kind=MemoryKind.MEMORY_KIND_PREFERENCE, occurred_at=to_timestamp(NOON))


def test_a_memory_and_a_passage_are_read_the_same_way() -> None:
    hits = [Hit(RecallHit(memory=KEPT)), Hit(RecallHit(chunk=SAID)), Hit(RecallHit(chunk=DECIDED))]
    assert [(hit.text, hit.id, hit.ref, hit.kind) for hit in hits] == [
        ("tea", "m1", "m1", "preference"),
        ("ada: 茶?", "c1", "e1", "tool_result"),
        ("Order tea", "c2", "d1", "decision"),
    ]
    assert [hit.occurred_at for hit in hits[:2]] == [NOON, NOON]


def test_a_passage_of_a_document_tells_where_it_is_and_what_says_the_same() -> None:
    citation = DocumentCitation(document_id="d1", heading="茶 > 水")
    passage = Chunk(chunk_id="c3", origin_id="d1", source=Source.SOURCE_DOCUMENT, citation=citation)
    hit = Hit(RecallHit(chunk=passage, source=Source.SOURCE_DOCUMENT, equal_refs=["m1", "e2"]))
    assert (hit.kind, hit.citation, list(hit.equal_refs)) == ("document", citation, ["m1", "e2"])
    alone = Hit(RecallHit(memory=KEPT))
    assert (alone.citation, list(alone.equal_refs)) == (DocumentCitation(), [])


def test_a_kind_of_a_newer_server_is_its_number() -> None:
    assert Hit(RecallHit(memory=Memory(kind=cast("Any", 77)))).kind == "77"
    assert Hit(RecallHit(chunk=Chunk(event_kind=cast("Any", 78)))).kind == "78"


def test_the_fields_of_the_message_stay_where_they_were() -> None:
    message = RecallHit(chunk=SAID, score=0.5, source=Source.SOURCE_EVENT, breakdown=ScoreBreakdown(recency=1))
    hit = Hit(message)
    assert (hit.chunk, hit.score, hit.source) == (SAID, 0.5, Source.SOURCE_EVENT)
    assert (hit.memory, hit.breakdown.recency) == (Memory(), 1)
    assert (hit.HasField("chunk"), hit.HasField("memory")) == (True, False)
    assert (str(hit), repr(hit)) == (str(message), repr(message))
    assert hit == Hit(message) == message
    assert hit != Hit(RecallHit())


def test_an_answer_does_what_the_message_does() -> None:
    """Programs written for clients that returned the message itself."""
    message = RecallResponse(hits=[RecallHit(memory=KEPT)], model_id="lexical", tokens=3)
    answer: Any = RecallAnswer(message)
    assert (answer.model_id, answer.tokens, list(answer.degraded)) == ("lexical", 3, [])
    assert MessageToDict(answer) == MessageToDict(message)
    assert RecallResponse.FromString(answer.SerializeToString()) == message
    assert answer.ByteSize() == message.ByteSize() > 0
    for same in (copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):  # noqa: S301
        assert same == answer
        assert same.hits[0].text == "tea"
    with pytest.raises(AttributeError, match="contents"):
        _ = answer.hits[0].contents


async def test_recalls_answer_with_hits(client: AsyncCamillo, server: FakeServer) -> None:
    memory = await client.remember("tea is ready", kind="fact")
    answer = await client.recall("tea")
    assert [(hit.text, hit.ref) for hit in answer.hits] == [("tea is ready", memory.memory_id)]
    assert answer.revision == answer.message.revision
    (found,) = await client.recall_many(["tea"])
    assert not isinstance(found, CamilloError)
    assert found.hits == answer.hits


async def test_decisions_that_are_found_are_read_the_same_way(client: AsyncCamillo) -> None:
    recorded = await client.decisions.record("Order tea", refs=["e1"], decided_at=NOON)
    (found,) = (await client.decisions.query("tea")).decisions
    assert (found.text, found.id, found.ref) == ("Order tea", "d0", "d0")
    assert (found.kind, found.occurred_at, found.score) == ("decision", NOON, 0.5)
    assert found.decision == recorded


def test_the_sync_twin_answers_with_hits_too(sync_client: Camillo) -> None:
    sync_client.remember("tea is ready")
    (hit,) = sync_client.recall("tea").hits
    assert (hit.text, hit.kind) == ("tea is ready", "unspecified")


def test_the_time_that_a_query_names_is_a_window() -> None:
    text = "since May 五月 🦭"
    window = ParseDict({"from": "2029-05-01T00:00:00Z", "text": text}, TimeWindow())
    begin = datetime.datetime(2029, 5, 1, tzinfo=datetime.UTC)
    answer = RecallAnswer(RecallResponse(time_window=window))
    assert answer.time_window == camillo_client.TimeWindow(begin, None, text)
    assert RecallAnswer(RecallResponse()).time_window is None


def test_an_event_that_names_the_time_is_told() -> None:
    told = {"text": "发布", "id": "m1", "score": 0.5}
    window = ParseDict({"text": "发布之前", "anchor": told}, TimeWindow())
    answer = RecallAnswer(RecallResponse(time_window=window))
    anchor = camillo_client.TimeAnchor("发布", "m1", 0.5)
    assert answer.time_window == camillo_client.TimeWindow(None, None, "发布之前", anchor)


def test_an_answer_is_iterated_as_its_hits() -> None:
    message = RecallResponse(hits=[RecallHit(score=0.5), RecallHit(score=0.25)])
    answer = RecallAnswer(message)
    assert [hit.score for hit in answer] == [0.5, 0.25]
    assert (len(answer), len(RecallAnswer(RecallResponse()))) == (2, 0)
