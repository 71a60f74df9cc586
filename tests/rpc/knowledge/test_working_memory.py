"""Working memory: the system prompt, skills, memories, passages of documents and turns, and the order in which they are
cut."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from camillo.v1.channel_pb2 import CHANNEL_PUBLIC
from camillo.v1.context_pb2 import OMISSION_REASON_CONDENSED, Bundle, Turn
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL
from camillo.v1.snapshot_service_pb2 import BuildBundleRequest, BuildWorkingMemoryRequest, PutRecipeRequest

from tests.rpc.audit.test_audit import entries, facts
from tests.rpc.knowledge.calls import publish
from tests.rpc.knowledge.skill_calls import put, skill_text
from tests.rpc.memories.calls import remember
from tests.rpc.records import section
from tests.server_fixtures import Caller, Server

SYSTEM = "You are Ada's assistant. 你只用一句话回答。"
QUERY = "Which market sells wisteria?"
MORE = "and it is open on every day of the week but Sunday, from seven in the morning until noon. "
OLD_TURNS = 12


async def working(caller: Caller, turns: int = 1, **fields: Any) -> Bundle:
    built: Bundle = (
        await caller(
            BuildWorkingMemoryRequest(
                system_prompt=SYSTEM,
                turns=[Turn(speaker="user", text=f"Turn {number}: we went on. {MORE * 3}") for number in range(turns)],
                query_text=QUERY,
                **fields,
            )
        )
    ).bundle
    return built


async def fill(server: Server) -> None:
    """Seven memories, and as many documents of a passage each, that answer the query."""
    for number in range(7):
        await remember(server.alice, f"Market {number} sells wisteria 紫藤 in lot {number}, {MORE * 2}")
        text = f"# Market rules {number}\n\nWhoever sells wisteria at market {number} 🌸 pays {number}, {MORE * 2}\n"
        await publish(server.admin, f"rules/market-{number}.md", text, categories=["markets"])
    await put(server.admin, skill_text(body="السوق\n" + "Ask before you buy. " * 10), agent_id="@shared")


def counts(built: Bundle) -> dict[str, int]:
    return {each.name: len(each.items) for each in built.sections}


async def test_documents_stand_between_memories_and_the_conversation(server: Server) -> None:
    await fill(server)
    built = await working(server.alice, skills=["review"], turns=3)
    assert [each.name for each in built.sections] == [
        *("system_prompt", "skills", "memories", "documents", "conversation")
    ]
    assert counts(built) == {"system_prompt": 1, "skills": 1, "memories": 5, "documents": 5, "conversation": 3}
    passage = section(built, "documents").items[0]
    assert "rules/market-" in built.prompt
    assert "Market rules" in passage.text
    assert len(passage.refs) == 2


async def test_an_agent_sees_the_documents_that_its_channel_may_load(server: Server) -> None:
    await fill(server)
    prices = "# Prices\n\nThe market sells wisteria below its price on Friday.\n"
    await publish(server.admin, "prices.md", prices, sensitivity=SENSITIVITY_CONFIDENTIAL)
    assert "below its price" in (await working(server.alice)).prompt
    assert "documents" not in counts(await working(server.alice, channel=CHANNEL_PUBLIC))
    # Nor another tenant any.
    assert "documents" not in counts(await working(server.rival, agent_id="alice"))


async def test_turns_are_cut_before_memories_and_memories_before_documents(server: Server) -> None:
    await fill(server)
    fields: dict[str, Any] = {"skills": ["review"], "turns": 20 + OLD_TURNS}
    whole = await working(server.alice, **fields)
    assert counts(whole)["conversation"] == 20 + OLD_TURNS
    stages: list[tuple[bool, int, int]] = []
    skill = section(whole, "skills").items[0].text
    # Texts take a little less together than they are counted for one by one.
    for max_tokens in range(whole.tokens + 300, 800, -20):
        built = await working(server.alice, max_tokens=max_tokens, **fields)
        assert built.tokens <= max_tokens
        # These are never cut.
        assert SYSTEM in built.prompt
        assert section(built, "skills").items[0].text == skill
        found = counts(built)
        condensed = any(each.reason == OMISSION_REASON_CONDENSED for each in built.omissions)
        stages.append((condensed, found.get("memories", 0), found.get("documents", 0)))
    assert stages[0] == (False, 5, 5)
    for condensed, memories, documents in stages:
        assert memories == 5 or condensed
        assert documents == 5 or memories <= 3
    # In this order, each of them somewhere.
    first = [stages.index(each) for each in _firsts(stages)]
    assert first == sorted(first)
    assert {(True, 5, 5), (True, 3, 5), (True, 3, 2)} <= set(stages)


def _firsts(stages: Sequence[tuple[bool, int, int]]) -> list[tuple[bool, int, int]]:
    """Stages at which turns, memories and documents are first cut."""
    return [
        next(each for each in stages if each[0]),
        next(each for each in stages if each[1] <= 3),
        next(each for each in stages if each[2] <= 2),
    ]


@pytest.mark.own_server
async def test_a_cut_is_in_the_report_and_in_the_audit_trail(server: Server) -> None:
    await fill(server)
    whole = await working(server.alice, turns=30)
    await server.app.kernel.audit_queue.flush()
    method = "SnapshotService/BuildWorkingMemory"
    assert not await entries(server.admin, method=method)
    built = await working(server.alice, turns=30, max_tokens=whole.tokens // 3)
    assert {each.section for each in built.omissions} >= {"conversation", "memories", "documents"}
    await server.app.kernel.audit_queue.flush()
    (entry,) = await entries(server.admin, method=method)
    told = facts(entry)
    assert set(told["tokens_removed_of"]) == {"conversation", "memories", "documents"}
    assert told["tokens_removed"] == sum(told["tokens_removed_of"].values()) > 0
    assert told["items_removed_of"]["documents"] == 3
    assert "wisteria" not in json.dumps(told)


@pytest.mark.parametrize("category", ["markets", "others"])
async def test_a_recipe_names_the_categories_of_its_documents(server: Server, category: str) -> None:
    await fill(server)
    recipe = f"""
name: rules_of_markets
budget: 4000
sections:
  - {{name: found, source: recall, sources: [document], categories: [{category}], budget: 4000}}
"""
    await server.admin(PutRecipeRequest(yaml=recipe))
    asked = BuildBundleRequest(recipe="rules_of_markets", query_text=QUERY)
    built = (await server.alice(asked)).bundle
    assert ("Market rules" in built.prompt) is (category == "markets")
