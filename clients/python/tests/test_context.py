"""Bundles, and the texts, recipes and packets that go into them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.channel_pb2 import Channel
from camillo.v1.context_pb2 import HandoffPacket, Turn
from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.recall_pb2 import LINK_MODE_IGNORE, SPEECH_MODE_IGNORE, TIME_MODE_ONLY
from camillo_client import SHARED, AsyncCamillo, Camillo, SecretRedacted, errors, fully_consistent
from camillo_client.bundle_options import TurnLike

MAY = datetime(2026, 5, 4, tzinfo=UTC)


async def test_a_bundle_is_asked_for(client: AsyncCamillo, server: FakeServer) -> None:
    bundle = await client.context.bundle(
        "お茶?",
        session_id="s1",
        recipe="mine",
        intent="answer",
        max_tokens=4000,
        channel="public",
        as_of=MAY,
        explain=True,
        time_mode="only",
        link_mode="ignore",
        speech_mode="ignore",
    )
    assert bundle.prompt == "# Rules\nお茶?"
    assert len(bundle.report.entries) == 1
    (request,) = server.desk.of("BuildBundle")
    assert (request.agent_id, request.session_id, request.recipe) == ("ada", "s1", "mine")
    assert (request.intent, request.max_tokens, request.explain) == ("answer", 4000, True)
    assert request.channel == Channel.CHANNEL_PUBLIC
    modes = (request.time_mode, request.link_mode, request.speech_mode)
    assert modes == (TIME_MODE_ONLY, LINK_MODE_IGNORE, SPEECH_MODE_IGNORE)
    assert request.as_of.ToDatetime(tzinfo=UTC) == MAY
    assert not request.HasField("freshness")


async def test_what_is_left_out_is_the_recipes(client: AsyncCamillo, server: FakeServer) -> None:
    assert (await client.context.bundle()).recipe == "active_context"
    (request,) = server.desk.of("BuildBundle")
    assert not request.HasField("max_tokens")
    assert not request.HasField("as_of")
    # An explicit zero is the caller's mistake, and the server's to refuse.
    with pytest.raises(errors.BudgetTooSmall):
        await client.context.bundle(max_tokens=0)
    assert server.desk.of("BuildBundle")[1].HasField("max_tokens")
    with pytest.raises(TypeError, match="budget"):
        await client.context.bundle(budget=5)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="timezone"):
        await client.context.bundle(as_of=datetime(2026, 5, 4))  # noqa: DTZ001


async def test_the_other_two_say_what_they_are_given(client: AsyncCamillo, server: FakeServer) -> None:
    snapshot = await client.context.snapshot("Ада пишет", focus="orders", session_id="s1")
    turns: list[TurnLike] = [("user", "hi"), Turn(speaker="assistant", text="שלום", refs=["e1"])]
    memory = await client.context.working_memory("You are kind.", turns, query="tea")
    assert (snapshot.prompt, memory.prompt) == ("Ада пишет", "You are kind.")
    (asked,) = server.desk.of("BuildSnapshot")
    assert (asked.focus, asked.session_id) == ("orders", "s1")
    (asked,) = server.desk.of("BuildWorkingMemory")
    assert [(turn.speaker, turn.text) for turn in asked.turns] == [("user", "hi"), ("assistant", "שלום")]
    assert list(asked.turns[1].refs) == ["e1"]


async def test_a_digest_is_asked_for_in_the_words_of_the_contract(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    built = await client.context.digest(
        token_limit=100, tags=["茶", "health"], current_time=MAY, channel="team", explain=True
    )
    assert (built.recipe, built.prompt) == ("digest", "- user/style 茶,health")
    assert built.report.entries
    (asked,) = server.desk.of("BuildDigest")
    assert (asked.token_limit, asked.channel) == (100, 3)
    assert asked.current_time.ToDatetime(UTC) == MAY
    assert asked.freshness.HasField("at_least_as_fresh")
    await client.context.digest()
    asked = server.desk.of("BuildDigest")[-1]
    assert not asked.HasField("token_limit")
    assert not asked.HasField("current_time")
    with pytest.raises(TypeError, match="tags takes a list of texts, not a single text"):
        await client.context.digest(tags="茶")


async def test_bundles_see_every_write_of_this_client(client: AsyncCamillo, server: FakeServer) -> None:
    await client.remember("tea")
    await client.context.bundle("tea")
    await client.events.record("tea", session_id="s1", actor="human:ada")
    await client.context.snapshot("tea")
    await client.context.views.put("rules", "be kind")
    await client.context.working_memory("", [("user", "tea")])
    await client.context.bundle("tea", freshness=fully_consistent())
    methods = ("BuildBundle", "BuildSnapshot", "BuildWorkingMemory")
    requests = [request for method in methods for request in server.desk.of(method)]
    tokens = [request.freshness.at_least_as_fresh.token for request in requests]
    assert tokens == ["db1/ada/1", "", "db1/ada/2", "db1/ada/3"]
    assert requests[1].freshness.fully_consistent


async def test_a_restored_database_is_asked_once_more_without_the_revision(
    client: AsyncCamillo, server: FakeServer
) -> None:
    await client.remember("tea")
    server.memories.database = "db2"
    assert (await client.context.bundle("tea")).bundle_id == "b1"
    demands = [request.HasField("freshness") for request in server.desk.of("BuildBundle")]
    assert demands == [True, False]


async def test_a_budget_that_is_too_small_names_the_sections(client: AsyncCamillo) -> None:
    with pytest.raises(errors.BudgetTooSmall) as raised:
        await client.context.bundle(max_tokens=7)
    assert raised.value.needed_tokens == 120
    assert raised.value.sections == {"identity": 100, "rules": 20}


async def test_views_are_put_read_and_deleted(client: AsyncCamillo, server: FakeServer) -> None:
    views = client.context.views
    shared = await views.put("rules", "# דברים", agent_id=SHARED)
    assert (await views.get("rules")).agent_id == ""
    with pytest.warns(SecretRedacted):
        own = await views.put("rules", "secret #", sensitivity="confidential", expected_version=0)
    assert (own.version, shared.version) == (1, 1)
    assert (await views.get("rules")).sensitivity == Sensitivity.SENSITIVITY_CONFIDENTIAL
    assert [view.agent_id for view in await views.list()] == ["", "ada"]
    with pytest.raises(errors.VersionConflict):
        await views.put("rules", "again", expected_version=5)
    await views.delete("rules")
    assert (await views.get("rules")).text == "# דברים"
    await views.delete("rules", agent_id=SHARED)
    with pytest.raises(errors.ViewNotFound):
        await views.get("rules")
    assert all(request.request_id for request in server.desk.of("PutView"))


async def test_recipes_are_put_and_deleted(client: AsyncCamillo, server: FakeServer) -> None:
    recipes = client.context.recipes
    assert (await recipes.put("name: mine")).budget_tokens == 4000
    assert [recipe.name for recipe in await recipes.list()] == ["active_context", "mine"]
    await recipes.delete("mine", request_id="r1")
    assert server.desk.of("DeleteRecipe")[0].request_id == "r1"
    with pytest.raises(errors.RecipeNotFound):
        await recipes.delete("mine")


async def test_a_packet_is_handed_over(client: AsyncCamillo, server: FakeServer) -> None:
    packet = HandoffPacket(goal="refund", plan_step="2 of 3", task_ids=["t1"])
    handed = await client.context.hand_off("billing", packet, session_id="s1", expires_at=MAY)
    assert (handed.from_agent_id, handed.to_agent_id) == ("ada", "billing")
    with pytest.warns(SecretRedacted):
        await client.context.hand_off("billing", "тест #")
    first, second = server.desk.of("HandOff")
    assert first.packet == packet
    assert first.expires_at.ToDatetime(tzinfo=UTC) == MAY
    assert (second.packet.goal, second.HasField("expires_at")) == ("тест #", False)
    assert first.request_id != second.request_id
    found = await client.context.handoffs(agent_id="billing")
    assert [handoff.packet.goal for handoff in found] == ["тест #", "refund"]
    assert await client.context.handoffs() == []


def test_the_sync_twin_does_the_same(sync_client: Camillo, thread_server: FakeServer) -> None:
    sync_client.context.views.put("rules", "be kind")
    assert sync_client.context.bundle("tea", max_tokens=900).budget_tokens == 900
    assert thread_server.desk.of("BuildBundle")[0].freshness.HasField("at_least_as_fresh")
    assert sync_client.context.working_memory("a", [("user", "b")]).prompt == "a"
    assert [view.name for view in sync_client.context.views.list()] == ["rules"]
    assert [recipe.name for recipe in sync_client.context.recipes.list()] == ["active_context"]
    sync_client.context.hand_off("ada", "goal")
    assert len(sync_client.context.handoffs()) == 1
