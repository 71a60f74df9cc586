"""A subject is forgotten by all its names, with what is linked to it and derived from it, as a dry run has shown."""

from typing import Any

import grpc
from camillo.v1 import link_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1.forgetting_pb2 import ExcerptOptions
from camillo.v1.lifecycle_service_pb2 import ForgetRequest

from tests.rpc.links.calls import DERIVED_FROM, add, decision, event, memory, new_link, slot
from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.records import decide, record
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, refused

NAMES: dict[str, Any] = {"value": "Ana Lima", "aliases": ["安娜", "آنا ليما", "ana.lima@example.com"]}
TOLD = (
    "Ana Lima likes tea",
    "我昨天见到安娜了 🦊",
    "قالت آنا ليما إنها قادمة",
    "write to ANA.LIMA at example.com",
    "the Lima family, and Ana Lima's cat",
)
KEPT = ("Ana likes coffee", "Lima is a city", "安心", "write to ana@example.com")


async def planned(caller: Caller, **fields: Any) -> pb.ForgetReceipt:
    answer = await caller(ForgetRequest(dry_run=True, excerpts=ExcerptOptions(per_store=50), **fields))
    receipt: pb.ForgetReceipt = answer.receipt
    return receipt


async def test_every_name_is_found_and_refused(server: Server) -> None:
    ids = [(await remember(server.alice, text)).memory_id for text in TOLD]
    for text in KEPT:
        await remember(server.alice, text)
    plan = await planned(server.alice, **NAMES)
    assert (sorted(plan.memory_ids), plan.blocked_values) == (sorted(ids), 4)
    assert [each.records for each in plan.matches] == [3, 1, 1, 1]
    shown = {each.id: each.texts for each in plan.excerpts[0].excerpts}
    assert {each: list(texts) for each, texts in shown.items()} == {
        each: [text] for each, text in zip(ids, TOLD, strict=True)
    }
    await server.alice(ForgetRequest(plan_token=plan.plan_token, **NAMES))
    assert sorted(await listed(server.alice)) == sorted(KEPT)
    for name in (NAMES["value"], *NAMES["aliases"]):
        failed = await refused(remember(server.alice, str(name)))
        assert failed.reason == "VALUE_REJECTED"
    assert (await recall(server.alice, "tea of Ana Lima", limit=50)).hits


async def test_nothing_goes_that_nobody_has_been_shown(server: Server) -> None:
    for text in TOLD:
        await remember(server.alice, text)
    for caller in (server.alice, server.admin):
        for request in (ForgetRequest(agent_id="alice", **NAMES), ForgetRequest(value=TOLD[0], include_linked=True)):
            request.agent_id = "alice"
            failed = await refused(caller(request))
            assert (failed.code, failed.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "PLAN_REQUIRED")
    plan = await planned(server.alice, **NAMES)
    more = await remember(server.alice, "安娜 came in")
    failed = await refused(server.alice(ForgetRequest(plan_token=plan.plan_token, **NAMES)))
    assert failed.reason == "PLAN_CHANGED"
    failed = await refused(server.alice(ForgetRequest(plan_token=plan.plan_token, value="Ana Lima", aliases=["安娜"])))
    assert failed.reason == "INVALID_FIELD"
    plan = await planned(server.alice, **NAMES)
    assert more.memory_id in plan.memory_ids
    done = await server.alice(ForgetRequest(plan_token=plan.plan_token, **NAMES))
    assert len(done.receipt.memory_ids) == len(TOLD) + 1
    failed = await refused(server.alice(ForgetRequest(records={"memory_ids": [more.memory_id]}, aliases=["安娜"])))
    assert failed.reason == "INVALID_FIELD"


async def test_what_is_linked_to_it_goes_with_it_where_that_is_wanted(server: Server) -> None:
    alice = server.alice
    named = await remember(alice, "Ana Lima moved to Porto")
    about = await remember(alice, "she has a flat by the river")
    derived = await remember(alice, "the river flat is small")
    summary = await remember(alice, "a small flat, then", source_refs=[derived.memory_id])
    asked = await record(alice, "tell me about her flat 🏠")
    decided = await decide(alice, "we visit her in May", (await record(alice, "when?")).event_id)
    await set_memory(alice, "/flat", '"third floor"')
    follows = await remember(alice, "then the weather turned")
    other = await remember(alice, "Porto is on the Douro")

    about_named = [memory(about.memory_id), decision(decided.decision_id), slot("/flat")]
    await add(
        alice,
        *(new_link(each, memory(named.memory_id)) for each in about_named),
        new_link(memory(derived.memory_id), memory(about.memory_id), DERIVED_FROM),
        new_link(event(asked.event_id), memory(about.memory_id)),
        # These two say nothing of Ana by themselves.
        new_link(memory(follows.memory_id), memory(named.memory_id), link_pb2.LINK_TYPE_FOLLOWS),
        new_link(memory(named.memory_id), memory(other.memory_id)),
    )
    alone = await planned(alice, value="Ana Lima")
    assert list(alone.memory_ids) == [named.memory_id]
    plan = await planned(alice, value="Ana Lima", include_linked=True)
    assert set(plan.memory_ids) == {each.memory_id for each in (named, about, derived, summary)}
    assert list(plan.records.event_ids) == [asked.event_id]
    assert list(plan.records.decision_ids) == [decided.decision_id]
    assert len(plan.records.slot_ids) == 1
    await alice(ForgetRequest(value="Ana Lima", include_linked=True, plan_token=plan.plan_token))
    assert sorted(await listed(alice)) == sorted([follows.content, other.content])


async def test_an_everyday_word_is_told_from_a_name(server: Server) -> None:
    for text in ("Will called", "it will rain", "WILL WORKS", "they will, will they?", "Will will come"):
        await remember(server.alice, text)
    for text in ("Rose came", "prices rose", "the sun rose on Rose", "дом Розы", "роза цветёт"):
        await remember(server.alice, text)
    plan = await planned(server.alice, value="Rose", aliases=["Роза", "rose", "the"])
    counts = [(each.records, each.in_small_letters, each.too_common) for each in plan.matches]
    assert counts == [(3, 1, False), (1, 1, False), (3, 0, False), (0, 0, True)]
