"""A dry run of a forgetting shows where the value stands, to whom may see it, and a forgetting keeps none of it."""

from typing import Any

import pytest
from camillo.v1 import admin_pb2, channel_pb2, memory_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.forgetting_pb2 import ExcerptOptions, StoreExcerpts
from camillo.v1.lifecycle_service_pb2 import ForgetRequest
from camillo.v1.memory_service_pb2 import MemoryIds

from tests.rpc.forgetting.test_forgetting_inside_sentences import CONTROL, SENTENCE, VALUE, state
from tests.rpc.knowledge.calls import publish
from tests.rpc.memories.calls import remember
from tests.rpc.records import record
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, refused

STORES = {
    *("memories", "slots", "events", "artifacts", "decisions", "tasks"),
    *("views", "skills", "handoffs", "runs", "documents", "actions"),
}


async def excerpts(caller: Caller, value: str = VALUE, **fields: Any) -> dict[str, StoreExcerpts]:
    """The excerpts of a dry run, by store."""
    shown = ExcerptOptions(per_store=fields.pop("per_store", 0), channel=fields.pop("channel", 0))
    answer = await caller(ForgetRequest(value=value, dry_run=True, excerpts=shown, **fields))
    return {each.store: each for each in answer.receipt.excerpts}


def texts(of: StoreExcerpts) -> list[str]:
    return [text for each in of.excerpts for text in each.texts]


@pytest.mark.own_server
async def test_every_store_shows_where_the_value_stands(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    await state(server, SENTENCE, "ana")
    await state(server, CONTROL, "bea")
    found = await excerpts(server.admin, all_scopes=True, agent_id="alice")
    assert set(found) == STORES
    for store, of in found.items():
        assert all("(617) 555-0143" in text for text in texts(of)), store
        assert any("好吗? 📞" in text for text in texts(of)), store
        assert {(each.places, len(each.texts)) for each in of.excerpts} <= {(1, 1), (2, 1), (2, 2), (3, 2)}, of
        assert not of.not_shown + of.withheld, store
    agents = {store: {each.agent_id for each in of.excerpts} for store, of in found.items()}
    assert {store for store, ids in agents.items() if ids == {""}} == {"documents"}
    own = await excerpts(server.alice)
    assert set(own) == STORES - {"documents"}
    other = await excerpts(server.alice, "617-555-0144")
    assert {each.id for each in other["memories"].excerpts}.isdisjoint(each.id for each in own["memories"].excerpts)
    assert texts(other["tasks"]) == [f"bea: {CONTROL}"]


# By value: what stands before it and behind it, without spaces at the cut.
AROUND = {
    "海港路 12号": ("我的朋友住在很远的地方，" * 9, "，二楼，请不要告诉别人。" * 9),
    "عمر الخطيب": ("كتبت إلى صديقي في المدينة " * 9, " قبل أن يسافر إلى البحر" * 9),
    "Zoë 👩‍🚀": ("👨‍👩‍👧‍👦🏳️‍🌈 " * 40, " e\u0301e\u0301e\u0301👍🏽" * 40),
    "DE89370400440532013000": ("Überweise es bitte auf " * 9, " bis Freitag, ß und ﬁ" * 9),
}


async def test_an_excerpt_is_cut_between_characters_in_every_script(server: Server) -> None:
    for value, (before, behind) in AROUND.items():
        text = f"{before}{value}{behind}"
        await remember(server.alice, text)
        [shown] = texts((await excerpts(server.alice, value))["memories"])
        assert (shown[0], shown[-1]) == ("…", "…")
        assert value in shown
        assert shown.strip("…") in " ".join(text.split())
        assert len(value) + 60 < len(shown) < 400
        # No character is cut in two: what is left begins and ends where one does.
        assert shown[1] not in "\u0301\u200d\ufe0f\U0001f3fd"
        assert not shown[:-1].endswith("\u200d")


async def test_places_and_records_are_counted_beyond_what_is_shown(server: Server) -> None:
    far = " and so on" * 20
    await remember(server.alice, far.join(f"{number}: Ana came" for number in range(5)))
    [record_shown] = (await excerpts(server.alice, "Ana"))["memories"].excerpts
    assert (record_shown.places, len(record_shown.texts)) == (5, 3)
    assert "Ana" in record_shown.texts[2]
    for number in range(4):
        await remember(server.alice, f"Ana ate {number} plums, ana and ANA again")
    memories = (await excerpts(server.alice, "Ana", per_store=2))["memories"]
    assert (len(memories.excerpts), memories.not_shown) == (2, 3)
    memories = (await excerpts(server.alice, "Ana", per_store=50))["memories"]
    # One excerpt shows three places near each other.
    counts = [(each.places, len(each.texts)) for each in memories.excerpts]
    assert (sorted(counts), memories.not_shown) == ([(3, 1)] * 4 + [(5, 3)], 0)
    whole = "This is what Ana told me, and it is long. " * 6
    await remember(server.alice, whole)
    [found] = (await excerpts(server.alice, whole.strip()))["memories"].excerpts
    assert found.texts[0].startswith("This is what Ana")


async def test_what_a_channel_may_not_load_is_withheld_and_counted(server: Server) -> None:
    for level in (1, 2, 3, 4):
        await remember(server.alice, f"Ana's door, level {level} 茶", sensitivity=level)
    await set_memory(server.alice, "/ana", '{"name": "Ana, level 3"}', sensitivity=3)
    await record(server.alice, "Ana rang")
    for channel, shown in (("PRIVATE", 4), ("TEAM", 3), ("AGENT", 2), ("PUBLIC", 0)):
        found = await excerpts(server.alice, "Ana", channel=channel_pb2.Channel.Value(f"CHANNEL_{channel}"))
        memories = found["memories"]
        assert (len(memories.excerpts), memories.withheld) == (shown, 4 - shown)
        assert all(f"level {level}" not in each for each in texts(memories) for level in range(shown + 1, 5))
        assert bool(found["slots"].excerpts) is not bool(found["slots"].withheld) is (channel in ("AGENT", "PUBLIC"))
        assert found["events"].withheld == (channel == "PUBLIC")


async def test_a_bound_key_learns_nothing(server: Server) -> None:
    """A key that is bound to a level may not look for values at all, since counts alone tell what it may not read; one
    that is bound to categories sees that documents hold the value, and none of their text."""
    await publish(server.admin, "phones.md", f"# Phones\n\n{SENTENCE}\n")
    level = admin.CreateKeyRequest(
        agent_id="alice", role=admin_pb2.ROLE_WRITER, max_sensitivity=memory_pb2.SENSITIVITY_INTERNAL
    )
    bound = server.caller((await server.admin(level)).secret)
    failed = await refused(excerpts(bound))
    assert failed.reason == "SCOPE_FORBIDDEN"
    made = admin.CreateKeyRequest(any_agent=True, role=admin_pb2.ROLE_TENANT_ADMIN, document_categories=["hr"])
    caller = server.caller((await server.admin(made)).secret)
    for reader, is_shown in ((server.admin, True), (caller, False)):
        documents = (await excerpts(reader, agent_id="@shared"))["documents"]
        assert (len(documents.excerpts), documents.withheld) == (is_shown, not is_shown)


async def test_only_a_dry_run_of_a_value_shows_excerpts(server: Server) -> None:
    memory = await remember(server.alice, SENTENCE)
    for request in (
        ForgetRequest(value=VALUE, excerpts=ExcerptOptions()),
        ForgetRequest(records={"memory_ids": [memory.memory_id]}, dry_run=True, excerpts=ExcerptOptions()),
        ForgetRequest(value=VALUE, dry_run=True, excerpts=ExcerptOptions(per_store=51)),
    ):
        failed = await refused(server.alice(request))
        assert failed.reason == "INVALID_FIELD"
    planned = await server.alice(ForgetRequest(value=VALUE, dry_run=True, excerpts=ExcerptOptions(per_store=1)))
    assert texts(planned.receipt.excerpts[0]) == [SENTENCE]
    # The plan is the same, whatever is shown of it.
    done = await server.alice(ForgetRequest(value=VALUE, plan_token=planned.receipt.plan_token))
    assert (len(done.receipt.memory_ids), len(done.receipt.excerpts)) == (1, 0)
    assert list(MemoryIds(ids=done.receipt.memory_ids).ids) == [memory.memory_id]
