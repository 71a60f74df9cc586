"""Events that a value is cut out of remain the evidence of everything else that they say; deleted ones do not."""

import asyncio
from collections.abc import Iterator
from itertools import product

import pytest
from camillo.v1.consistency_pb2 import Freshness
from camillo.v1.forgetting_pb2 import FORGET_MODE_DELETE_RECORDS, FORGET_MODE_REDACT_SPANS, ForgetMode
from camillo.v1.lifecycle_service_pb2 import ForgetRequest
from camillo.v1.memory_pb2 import SOURCE_EVENT
from camillo.v1.memory_service_pb2 import RecallRequest

from tests.patience import PATIENCE_SECONDS
from tests.rpc.records import record_all, text_event, texts
from tests.server_fixtures import Caller, Server

VALUE = "617-555-0143"
# How it is said, beside something else.
SAID = (" Ring me: (617) 555-0143.", " 电话 6175550143 📞", " رقمي +1 617 555 0143", " (+1-617-555-0143)")
# Each thing has a name of its own.
FORMS = (
    "{name} keeps the {thing} in the shed.",
    "{name} hat {thing} im Keller, Zoë weiß es.",
    "{name} 把 {thing} 放在家里 🏠",
)
NAMES = ("Ana", "Bea", "Müller", "安娜", "عمر", "Žofie", "김철수", "Ivo")
THINGS = ("kayak", "ladder", "violin", "teapot", "крючок", "lantern", "قارب", "skříň")
LIMIT, KEPT, EVERY = 10, 0.97, 3


def chat() -> Iterator[tuple[str, str]]:
    """Messages, of which every third one tells of the value, too, and a question about each."""
    for place, (name, thing) in enumerate(product(NAMES, THINGS)):
        thing, form = f"{thing}{place}", FORMS[place % len(FORMS)]
        said = "" if place % EVERY else SAID[place // EVERY % len(SAID)]
        yield form.format(name=name, thing=thing) + said, f"{name} {thing}?"


async def found(caller: Caller, asked: dict[str, str]) -> set[str]:
    """The questions whose event is among the first hits, once all vectors are there."""
    answered = set()
    for event_id, question in asked.items():
        request = RecallRequest(
            text=question, sources=[SOURCE_EVENT], limit=LIMIT, freshness=Freshness(fully_consistent=True)
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (answer := await caller(request)).degraded:
                pass
        if event_id in {hit.chunk.source_refs[0] for hit in answer.hits}:
            answered.add(question)
    return answered


@pytest.mark.parametrize("mode", [FORGET_MODE_REDACT_SPANS, FORGET_MODE_DELETE_RECORDS])
async def test_nearly_all_other_questions_find_their_evidence_as_before(
    server: Server, mode: ForgetMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)
    alice, messages = server.alice, list(chat())
    stored = await record_all(alice, [text_event(said, session_id=f"s{n}") for n, (said, _) in enumerate(messages)])
    asked = {each.recorded.event_id: question for each, (_, question) in zip(stored.results, messages, strict=True)}
    telling = -(-len(messages) // EVERY)
    before = await found(alice, asked)
    assert len(before) >= KEPT * len(messages)
    await alice(ForgetRequest(value=VALUE, mode=mode))
    left = await texts(alice)
    assert not any("0143" in each for each in left)
    after = await found(alice, asked)
    if mode == FORGET_MODE_REDACT_SPANS:
        assert sum("[forgotten]" in each for each in left) == telling
        assert len(after & before) >= KEPT * len(before)
    else:
        assert len(left) == len(after) == len(messages) - telling
