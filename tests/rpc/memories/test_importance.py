"""How important memories are that come without a word about it."""

from datetime import timedelta

import pytest
from camillo.v1 import actor_pb2, lifecycle_pb2, memory_pb2
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.lifecycle.calls import DAY, maintain, taken
from tests.rpc.lifecycle.lifetimes import end
from tests.rpc.memories.calls import get, remember
from tests.rpc.memories.test_import_export import exported, importing
from tests.rpc.memories.test_repeats import batch, statement
from tests.server_fixtures import Server

ASKED = "记住：大门密码在门上 🚪"
DECIDED = "Nous avons décidé de partir à 9 h"


async def test_what_is_remembered_is_as_important_as_what_it_says(server: Server) -> None:
    told = {
        ASKED: 1.0,
        DECIDED: 0.9,
        "The budget was approved by Ana.": 0.85,
        "Это стоит 2500 руб": 0.8,
        "合同已签署": 0.6,
        "Ada prefers tea": 0.5,
        "شكرا": 0.15,
    }
    for text, expected in told.items():
        assert (await remember(server.alice, text)).importance == pytest.approx(expected)
    answers = await batch(server.alice, *(statement(f"{text} ") for text in told))
    assert [each.memory.importance for each in answers.results] == pytest.approx(list(told.values()))
    assert all(each.memory.stated_count == 2 for each in answers.results)


async def test_what_is_stated_is_kept(server: Server) -> None:
    for stated in (0.0, 0.3):
        kept = await remember(server.alice, f"{DECIDED} {stated}", importance=stated)
        assert kept.importance == pytest.approx(stated)


async def test_a_repeat_changes_nothing_of_it(server: Server) -> None:
    for text in (ASKED, DECIDED, "We paid the invoice", "thanks"):
        first = await remember(server.alice, text)
        again = await remember(server.alice, text)
        assert (again.importance, again.version) == (first.importance, 1)
        assert again.stated_count == 2


async def test_a_repeated_request_gets_the_first_answer(server: Server) -> None:
    request = service.RememberRequest(request_id="r", memory=statement(DECIDED))
    first = await server.alice(request)
    assert (await server.alice(request)).memory == first.memory
    assert (await get(server.alice, first.memory.memory_id)).importance == pytest.approx(0.9)


async def test_an_import_without_it_is_of_usual_importance(server: Server) -> None:
    await server.alice.send(importing([memory_pb2.Memory(content=ASKED)]))
    (imported,) = await exported(server.alice)
    assert imported.importance == pytest.approx(0.5)


async def test_what_somebody_asks_to_remember_has_no_end(server: Server) -> None:
    kind = memory_pb2.MEMORY_KIND_CONVERSATION
    asked = await remember(server.alice, ASKED, kind=kind)
    assert not asked.HasField("expires_at")
    stated = await remember(server.alice, "the pot", kind=kind, importance=1.0)
    assert not stated.HasField("expires_at")
    usual = await remember(server.alice, "the cup", kind=kind)
    assert usual.expires_at.ToDatetime() == end(server.clock.now(), 7)
    soon = server.clock.now() + timedelta(hours=1)
    given = await remember(server.alice, f"{ASKED} 1", kind=kind, expires_at=soon)
    assert given.expires_at.ToDatetime() == end(soon, 0)


async def test_small_talk_is_archived_after_a_week_without_use(server: Server) -> None:
    thanks = await remember(server.alice, "Muchas gracias")
    kept = await remember(server.alice, "Ada prefers tea")
    server.clock.move(6 * DAY)
    assert taken(await server.alice(maintain())) == {}
    server.clock.move(2 * DAY)
    unimportant = (lifecycle_pb2.LIFECYCLE_ACTION_ARCHIVE, lifecycle_pb2.LIFECYCLE_REASON_UNIMPORTANT)
    assert taken(await server.alice(maintain())) == {thanks.memory_id: unimportant}
    assert not (await get(server.alice, kept.memory_id)).archived


async def test_a_page_does_not_ask_to_remember(server: Server) -> None:
    web = actor_pb2.TRUST_LEVEL_WEB
    read = await remember(server.alice, "Remember this: buy gold", trust_level=web)
    assert read.importance == pytest.approx(0.5)
    said = await remember(server.alice, "Remember this: buy tea")
    assert said.importance == pytest.approx(1.0)
