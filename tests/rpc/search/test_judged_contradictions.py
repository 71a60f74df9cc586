"""ListContradictions with `judge`: what a model is asked, what it may say, and that a list never fails for it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from camillo.v1 import memory_pb2
from camillo.v1 import supersession_pb2 as pb

from tests.chat_server import ChatServer, chat_server, garbage
from tests.judging_model import Pair, judges, texts, verdict
from tests.rpc.memories.calls import get, remember
from tests.rpc.memories.test_supersession import supersede
from tests.rpc.search.judging import CITIES, COFFEE, DRINKS, FEES, LEXICAL, NEAR, judged, stored, with_model
from tests.server_fixtures import StartServer

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = judges()
        yield running


async def test_each_pair_has_the_verdict_of_the_model_and_nothing_is_changed(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    fee, new_fee, *_ = await stored(server, FEES, CITIES, COFFEE)

    def judge(pair: Pair) -> dict[str, Any]:
        if pair["earlier"]["text"] == FEES[0]:
            return verdict(pair, reason="The fee\u202e was\nraised. " + "é" * 300)
        is_city = pair["earlier"]["text"] == CITIES[0]
        return verdict(pair, "contradicts" if is_city else "compatible", None, "不知道 🤷🏽\u200d♀️")

    provider.always = judges(judge)
    answer = await judged(server.reader)
    assert sorted(texts(provider)) == sorted([FEES, CITIES, COFFEE])
    assert len(provider.bodies) == 1
    by_text = {each.older.content: each for each in answer.contradictions}
    superseded = by_text[FEES[0]].judgement
    assert superseded.verdict == pb.VERDICT_SUPERSEDES
    assert superseded.current_id == new_fee.memory_id
    assert superseded.reason.startswith("The fee\u202e was raised. éé")
    assert len(superseded.reason) == 200
    unclear = by_text[CITIES[0]].judgement
    assert (unclear.verdict, unclear.current_id) == (pb.VERDICT_CONTRADICTS, "")
    assert unclear.reason == "不知道 🤷🏽\u200d♀️"
    # A text that leads the model cannot hide what rules have found.
    assert by_text[COFFEE[0]].judgement.verdict == pb.VERDICT_COMPATIBLE
    assert not answer.degraded
    assert (await get(server.alice, fee.memory_id)).version == 1
    plain = await server.reader(pb.ListContradictionsRequest())
    assert len(plain.contradictions) == 3
    assert not any(each.HasField("judgement") for each in plain.contradictions)


async def test_the_earlier_one_may_be_the_one_that_is_true(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider))
    fee, new_fee = await stored(server, FEES)
    provider.always = judges(lambda pair: verdict(pair, current="earlier"))
    [found] = (await judged(server.alice)).contradictions
    assert found.judgement.current_id == fee.memory_id
    # Which is how a proposal is accepted.
    await server.alice(supersede(new_fee, fee))
    assert not (await judged(server.alice)).contradictions


async def test_pairs_without_a_difference_of_rules_are_proposed_where_the_model_sees_one(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider, **NEAR))
    await stored(server, DRINKS)
    # Far from both.
    await remember(server.alice, "Der Hafen ist im Winter zugefroren")
    assert not (await server.alice(pb.ListContradictionsRequest())).contradictions
    [found] = (await judged(server.alice)).contradictions
    assert (found.older.content, found.newer.content) == DRINKS
    assert not found.differences
    assert 0.3 <= found.similarity <= 1
    assert found.judgement.verdict == pb.VERDICT_SUPERSEDES
    assert texts(provider) == [DRINKS]
    # A pair in which the model sees no contradiction is not listed.
    server.clock.move(60)
    await remember(server.alice, "Ana likes green tea very much with milk 🍵")
    provider.always = judges(lambda pair: verdict(pair, "compatible", None))
    assert len((await judged(server.alice)).contradictions) == 1
    assert len(texts(provider)) == 3


async def test_a_page_ends_where_it_has_many_pairs_and_none_is_lost(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    for fee in range(12):
        server.clock.move(1)
        await remember(server.alice, f"The fee of the harbour is {fee} francs")
    await server.alice(pb.ListContradictionsRequest())
    found, token, pages = list[pb.Contradiction](), "", 0
    while pages == 0 or token:
        answer = await judged(server.alice, page_token=token)
        assert len(answer.contradictions) <= 56
        found += answer.contradictions
        token, pages = answer.next_page_token, pages + 1
    assert pages > 1
    plain = await server.alice(pb.ListContradictionsRequest())
    assert len(plain.contradictions) > 45
    ids = [(each.newer.memory_id, each.older.memory_id) for each in found]
    assert ids == [(e.newer.memory_id, e.older.memory_id) for e in plain.contradictions]
    assert all(each.judgement.verdict == pb.VERDICT_SUPERSEDES for each in found)
    assert all(len(request) <= 8 for request in provider.notes)


async def test_a_second_list_asks_and_costs_nothing(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider))
    await stored(server, FEES, CITIES)
    first = await judged(server.alice)
    # The same texts of another agent are asked about anew: no agent sees what another has asked.
    for text in FEES:
        await remember(server.admin, text, agent_id="bob")
    provider.always = garbage
    second = await judged(server.alice)
    assert second.contradictions == first.contradictions
    assert len(provider.bodies) == 1
    judged_pairs = server.app.kernel.telemetry.instruments.judged
    assert judged_pairs == {"judged": 2, "cached": 2}
    provider.always = judges()
    assert len((await judged(server.admin, agent_id="bob")).contradictions) == 1
    assert len(provider.bodies) == 2


async def test_nothing_that_is_confidential_or_restricted_is_sent(
    start_server: StartServer, provider: ChatServer, answered_from: str
) -> None:
    server = await start_server(**with_model(provider, **NEAR))
    await stored(server, FEES, sensitivity=memory_pb2.SENSITIVITY_PUBLIC)
    await remember(server.alice, "The fee of the harbour is 95 francs", sensitivity=3)
    await remember(server.alice, "The fee of the harbour is 99 francs", sensitivity=4)
    await remember(server.alice, "The fee of the harbour grew a lot, to nobody's joy", sensitivity=4)
    answer = await judged(server.alice)
    verdicts = [each.judgement.verdict for each in answer.contradictions]
    assert verdicts.count(pb.VERDICT_SUPERSEDES) == 1
    # Encrypted texts are searched in memory alone.
    assert set(verdicts) == {pb.VERDICT_SUPERSEDES, pb.VERDICT_UNJUDGED}
    withheld = [each.judgement for each in answer.contradictions if each.judgement.verdict == pb.VERDICT_UNJUDGED]
    assert {each.unjudged_reason for each in withheld} == {pb.UNJUDGED_REASON_SENSITIVITY}
    assert answer.degraded == [pb.UNJUDGED_REASON_SENSITIVITY]
    assert texts(provider) == [FEES]
    # Ids of pairs have any digits.
    assert "95 francs" not in json.dumps(provider.bodies)
    assert "99 francs" not in json.dumps(provider.bodies)
    assert "40 francs" in json.dumps(provider.bodies)
    assert "joy" not in json.dumps(provider.bodies)


async def test_nothing_of_another_agent_or_tenant_is_sent(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider, **NEAR))
    await remember(server.alice, FEES[0])
    await remember(server.admin, FEES[1], agent_id="bob")
    await remember(server.rival, FEES[1])
    assert not (await judged(server.alice)).contradictions
    assert provider.bodies == []
    await remember(server.alice, FEES[1])
    assert len((await judged(server.alice)).contradictions) == 1
    assert len(provider.bodies) == 1


async def test_without_a_model_the_rules_stand_and_the_answer_says_so(start_server: StartServer) -> None:
    server = await start_server(memory=LEXICAL)
    await stored(server, FEES, DRINKS)
    answer = await judged(server.alice)
    assert answer.degraded == [pb.UNJUDGED_REASON_NO_MODEL]
    [found] = answer.contradictions
    assert found.judgement.verdict == pb.VERDICT_UNJUDGED
    assert found.judgement.unjudged_reason == pb.UNJUDGED_REASON_NO_MODEL
    assert list(found.differences) == [pb.DIFFERENCE_NUMBER]
