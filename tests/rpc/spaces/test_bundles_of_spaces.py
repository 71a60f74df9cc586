"""One bundle over several spaces, as over one that holds everything."""

import asyncio
import json
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_pb2, channel_pb2, consistency_pb2, memory_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import context_pb2 as pb
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1 import slot_pb2 as slots
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.actor_pb2 import ACTOR_TYPE_AGENT, ACTOR_TYPE_HUMAN, Actor

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import remember
from tests.rpc.records import bundle, decide, open_task, put_view, record, section, shown
from tests.rpc.slots.calls import provenance, set_memory
from tests.rpc.spaces.test_recall_of_spaces import beside
from tests.server_fixtures import Caller, Server, refused

PATHS = ("users/42", "projects/shop", "teams/eu/ops")
PARTS = {
    "users/42": ("the walrus of Ana 安娜 has a tusk", "a walrus eats clams"),
    "projects/shop": ("the shop sells walrus ice 🦭", "no walrus is sold on a Friday"),
    "teams/eu/ops": ("Морж walrus живёт на льду", "فظ walrus swims far"),
}
CHAT = provenance(slots.PROVENANCE_KIND_AGENT)
FRESH = consistency_pb2.Freshness(fully_consistent=True)
# In a team's channel, restricted rows are counted nowhere: elsewhere, the own space alone counts its own.
ASKED: dict[str, Any] = {
    "session_id": "now",
    "freshness": FRESH,
    "explain": True,
    "channel": channel_pb2.CHANNEL_TEAM,
    "recipe": "with_slots",
}
INSTRUCTION, PREFERENCE = memory_pb2.MEMORY_KIND_INSTRUCTION, memory_pb2.MEMORY_KIND_PREFERENCE
WITH_SLOTS = """
name: with_slots
budget: 30000
sections:
  - {name: always, source: pinned, budget: 4000, priority: 9}
  - {name: keys, source: slots, budget: 4000, priority: 8}
  - {name: work, source: tasks, budget: 4000, priority: 7}
  - {name: decided, source: decisions, budget: 4000, priority: 6}
  - {name: known, source: recall, sources: [event, memory], profile: evidence, budget: 8000, priority: 5}
  - {name: turns, source: recent_events, budget: 2000, priority: 4, order: oldest_first}
  - {name: earlier, source: earlier_events, budget: 2000, priority: 3, order: oldest_first}
  - {name: late, source: recent_memories, budget: 2000, priority: 2, order: newest_first}
"""


@pytest.fixture
def answered_from() -> str:
    return "memory"


async def fill(caller: Caller, path: str, texts: tuple[str, ...], step: int) -> None:
    """Stores something for every section of a bundle, in six steps."""
    first, second = texts
    match step:
        case 0:
            await remember(caller, first, agent_id=path)
        case 1:
            await remember(caller, second, agent_id=path)
            await remember(caller, f"always say why, {first}", agent_id=path, kind=INSTRUCTION, importance=0.7)
            await remember(caller, f"likes it brief, {second}", agent_id=path, kind=PREFERENCE)
        case 2:
            await set_slot(caller, path, f"/about/{len(first)}", first)
        case 3:
            await open_task(caller, f"look after {first}", agent_id=path)
        case 4:
            # Neighbours in a session are those of one space: each has a session of its own.
            event = await record(caller, f"did you know that {second}?", agent_id=path, session_id=f"of {first}")
            await decide(caller, f"decided that {first}", event.event_id, agent_id=path)
        case _:
            session_id = "now" if texts is PARTS["users/42"] else f"now {first}"
            await record(caller, f"turn about {second}", agent_id=path, session_id=session_id)


async def set_slot(caller: Caller, path: str, key: str, text: str) -> None:
    value = json.dumps({"type": "note", "text": text})
    await set_memory(caller, key, value, source=CHAT, agent_id=path)


async def until_embedded(server: Server, *paths: str) -> None:
    """Waits until every vector is there."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        for path in paths:
            while (await bundle(server.admin, "x", agent_id=path, **ASKED)).degraded:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def told(built: pb.Bundle) -> dict[str, list[tuple[str, float]]]:
    """The texts of each section with their scores, without the space that a slot's line names."""
    texts = {path: f" ({path})" for path in PATHS}
    found = {}
    for each in built.sections:
        lines = []
        for item in each.items:
            text = item.text
            for named in texts.values():
                text = text.replace(named, "")
            lines.append((text, item.score))
        found[each.name] = lines
    return found


async def test_a_bundle_has_what_one_of_a_space_that_holds_everything_has(server: Server) -> None:
    await server.admin(service.PutRecipeRequest(yaml=WITH_SLOTS))
    for path, texts in PARTS.items():
        for step in range(6):
            await fill(server.admin, path, texts, step)
            await fill(server.admin, "whole", texts, step)
            server.clock.move(1)
    await until_embedded(server, "whole", *PATHS)
    for query in ("what of the walrus 🦭?", "tusk Морж", "فظ ice 安娜", ""):
        one = await bundle(server.admin, query, agent_id="whole", **ASKED)
        many = await bundle(server.admin, query, agent_id="users/42", spaces=beside(*PATHS[1:]), **ASKED)
        expected, found = told(one), told(many)
        assert {"always", "keys", "work", "decided", "turns", "known" if query else "late"} <= expected.keys()
        assert [*found] == [*expected]
        for name, lines in expected.items():
            assert [text for text, _ in found[name]] == [text for text, _ in lines], name
            assert [score for _, score in found[name]] == pytest.approx([score for _, score in lines], abs=1e-5)
        assert {item.agent_id for each in many.sections for item in each.items} == {*PATHS}
        assert [each.space for each in many.spaces] == [*PATHS[1:]]
        assert all(each.revision.token for each in many.spaces)
        assert {entry.agent_id for entry in many.report.entries} == {*PATHS}


async def test_a_line_names_its_space_if_that_is_not_the_own_one(server: Server) -> None:
    await remember(server.admin, "walrus mine", agent_id="users/42")
    await remember(server.admin, "walrus of the shop", agent_id="projects/shop")
    await open_task(server.admin, "feed the walrus", agent_id="projects/shop")
    built = await bundle(server.admin, "walrus", agent_id="users/42", spaces=beside("projects/shop"), freshness=FRESH)
    lines = built.prompt.splitlines()
    assert any(line.startswith("[t1] projects/shop open: feed the walrus") for line in lines)
    (shop,) = [line for line in lines if line.endswith("walrus of the shop")]
    (mine,) = [line for line in lines if line.endswith("walrus mine")]
    assert "] projects/shop " in shop
    assert "projects/shop" not in mine
    alone = await bundle(server.admin, "walrus", agent_id="users/42", freshness=FRESH)
    assert "projects/shop" not in alone.prompt
    assert not alone.spaces
    assert not any(item.agent_id for each in alone.sections for item in each.items)
    assert "walrus mine" in alone.prompt


async def test_a_line_of_another_space_names_its_author_if_that_is_not_the_caller(server: Server) -> None:
    ana = Actor(type=ACTOR_TYPE_HUMAN, id="安娜")
    bot = Actor(type=ACTOR_TYPE_AGENT, id="bot")
    await remember(server.admin, "walrus of a person", agent_id="projects/shop", actor=ana)
    await remember(server.admin, "walrus of an agent", agent_id="projects/shop", actor=bot)
    await remember(server.admin, "walrus of nobody", agent_id="projects/shop")
    await remember(server.admin, "walrus at home", agent_id="alice", actor=ana)
    grants: dict[str, Any] = {"agent_id": "alice", "role": admin_pb2.ROLE_READER, "spaces": ["projects/shop:read"]}
    mine = server.caller((await server.admin(admin.CreateKeyRequest(actors=["human:安娜"], **grants))).secret)
    for caller, named in ((server.admin, True), (mine, False)):
        asked: dict[str, Any] = {"agent_id": "alice", "spaces": beside("projects/shop"), "freshness": FRESH}
        built = await bundle(caller, "walrus", **asked)
        begun = {
            line.partition("] ")[2].partition("20")[0]: line for line in built.prompt.splitlines() if "walrus" in line
        }
        assert begun.keys() == {
            "projects/shop by 安娜, " if named else "projects/shop ",
            "projects/shop by agent:bot, ",
            "projects/shop ",
            "",
        }
        assert begun["projects/shop by agent:bot, "].endswith("walrus of an agent")
        assert "by" not in (await bundle(caller, "walrus", agent_id="alice", freshness=FRESH)).prompt.split()


async def test_the_last_turns_are_those_of_all_spaces_in_their_order(server: Server) -> None:
    await server.admin(service.PutRecipeRequest(yaml=WITH_SLOTS))
    for number, path in enumerate(("users/42", "projects/shop", "users/42", "projects/shop")):
        await record(server.admin, f"turn {number}", agent_id=path, session_id="now")
        await record(server.admin, f"before {number}", agent_id=path, session_id="old")
        server.clock.move(1)
    found = shown(await bundle(server.admin, agent_id="users/42", spaces=beside("projects/shop"), **ASKED))
    assert found["turns"] == [f"user: turn {number}" for number in range(4)]
    assert found["earlier"] == [f"user: before {number}" for number in range(4)]


async def test_equal_texts_of_two_spaces_are_shown_once(server: Server) -> None:
    mine = await remember(server.admin, "walrus tusk 海象", agent_id="users/42")
    theirs = await remember(server.admin, "Walrus  tusk 海象", agent_id="projects/shop")
    await remember(server.admin, "walrus ice", agent_id="projects/shop")
    built = await bundle(server.admin, "walrus", agent_id="users/42", spaces=beside("projects/shop"), freshness=FRESH)
    items = section(built, "retrieved_evidence").items
    assert sorted(item.text.lower().split() for item in items) == [["walrus", "ice"], ["walrus", "tusk", "海象"]]
    (twice,) = [item for item in items if "海象" in item.text]
    assert {mine.memory_id, theirs.memory_id} <= {*twice.refs}


async def test_restricted_rows_stay_in_their_own_space(server: Server) -> None:
    restricted = memory_pb2.SENSITIVITY_RESTRICTED
    for path in ("users/42", "projects/shop"):
        await remember(server.admin, f"walrus secret of {path}", agent_id=path, sensitivity=restricted)
        await remember(server.admin, f"instruction of {path}", agent_id=path, sensitivity=restricted, kind=INSTRUCTION)
        await open_task(server.admin, f"task of {path}", agent_id=path, sensitivity=restricted)
        event = await record(server.admin, "why", agent_id=path)
        text = f"walrus decided in {path}"
        await decide(server.admin, text, event.event_id, agent_id=path, sensitivity=restricted)
        await remember(server.admin, f"walrus known to {path}", agent_id=path)
    built = await bundle(server.admin, "walrus", agent_id="users/42", spaces=beside("projects/shop"), freshness=FRESH)
    texts = [text for each in shown(built).values() for text in each]
    of_shop = [text for text in texts if "projects/shop" in text]
    assert of_shop == ["walrus known to projects/shop"]
    mine = {"walrus secret of users/42", "instruction of users/42", "task of users/42", "walrus decided in users/42"}
    assert mine <= {*texts}
    there = await bundle(server.admin, "walrus", agent_id="projects/shop", freshness=FRESH)
    assert "walrus secret of projects/shop" in there.prompt


async def test_views_of_every_space_are_shown_but_who_the_agent_is(server: Server) -> None:
    for path in ("@shared", *PATHS):
        await put_view(server.admin, "rules", f"Rule of {path}.", agent_id=path)
        await put_view(server.admin, "identity", f"You are {path}.", agent_id=path)
    built = await bundle(
        server.admin, "x", agent_id="users/42", spaces=beside("projects/shop", "teams/eu/ops"), freshness=FRESH
    )
    found = shown(built)
    assert found["rules"] == [f"Rule of {path}." for path in ("@shared", "teams/eu/ops", "projects/shop", "users/42")]
    assert found["identity"] == ["You are @shared.", "You are users/42."]


async def test_a_grant_decides_about_each_space(server: Server) -> None:
    for path in (*PATHS, "bob"):
        await remember(server.admin, f"walrus of {path}", agent_id=path)
    request = admin.CreateKeyRequest(
        agent_id="alice", role=admin_pb2.ROLE_READER, spaces=["users/42:read", "teams/eu/*:write"]
    )
    caller = server.caller((await server.admin(request)).secret)
    asked = {"freshness": FRESH}
    built = await bundle(caller, "walrus", spaces=beside("users/42", "teams/eu/ops"), **asked)
    texts = shown(built)["retrieved_evidence"]
    assert {*texts} == {"walrus of users/42", "walrus of teams/eu/ops"}
    for path in ("projects/shop", "users/43", "teams/eu", "bob"):
        named = beside("users/42", path)
        for wanted in (
            service.BuildBundleRequest(query_text="walrus", spaces=named),
            service.BuildSnapshotRequest(trigger_event="walrus", spaces=named),
            service.BuildWorkingMemoryRequest(query_text="walrus", spaces=named),
            service.BuildDigestRequest(spaces=named),
        ):
            failure = await refused(caller(wanted))
            assert (failure.code, failure.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")


async def test_bounds_of_the_list_of_spaces(server: Server) -> None:
    for spaces in ([f"users/{number}" for number in range(8)], [""], ["@shared"], ["users/../x"], ["*"]):
        failure = await refused(bundle(server.admin, "walrus", agent_id="alice", spaces=beside(*spaces)))
        assert failure.code == grpc.StatusCode.INVALID_ARGUMENT
        assert failure.fields[0].startswith("spaces")


async def test_each_space_is_as_fresh_as_demanded(server: Server) -> None:
    written = {}
    for path in ("users/42", "projects/shop"):
        request = memories.RememberRequest(agent_id=path, memory=memory_pb2.NewMemory(content=f"walrus of {path}"))
        written[path] = (await server.admin(request)).revision
    at = consistency_pb2.Freshness(at_least_as_fresh=written["projects/shop"])
    named = [consistency_pb2.SpaceRead(space="projects/shop", freshness=at)]
    built = await bundle(
        server.admin,
        "walrus",
        agent_id="users/42",
        spaces=[*named, *named, consistency_pb2.SpaceRead(space="users/42")],
        freshness={"at_least_as_fresh": written["users/42"]},
    )
    assert len(section(built, "retrieved_evidence").items) == 2
    assert built.revision == written["users/42"]
    assert [*built.spaces] == [consistency_pb2.SpaceRevision(space="projects/shop", revision=written["projects/shop"])]
    swapped = [consistency_pb2.SpaceRead(space="users/43", freshness=at)]
    failure = await refused(bundle(server.admin, "walrus", agent_id="users/42", spaces=swapped))
    assert failure.reason == "REVISION_UNKNOWN"


async def test_what_another_space_forgets_is_in_no_later_bundle(server: Server) -> None:
    await remember(server.admin, "walrus mine", agent_id="users/42")
    memory = await remember(server.admin, "walrus of Hafenweg 12", agent_id="projects/shop", kind=INSTRUCTION)
    asked: dict[str, Any] = {"agent_id": "users/42", "spaces": beside("projects/shop"), "freshness": FRESH}
    for _ in range(2):
        assert "Hafenweg" in (await bundle(server.admin, "walrus", **asked)).prompt
    ids = memories.MemoryIds(ids=[memory.memory_id])
    forget = memories.ForgetMemoriesRequest(agent_id="projects/shop", memory_ids=ids)
    await server.admin(forget)
    after = await bundle(server.admin, "walrus", **asked)
    assert "Hafenweg" not in after.prompt
    assert "walrus mine" in after.prompt


async def test_a_digest_and_a_working_memory_read_several_spaces(server: Server) -> None:
    for path in ("users/42", "projects/shop"):
        await set_slot(server.admin, path, "/style", f"style of {path}")
        await remember(server.admin, f"walrus of {path}", agent_id=path)
        server.clock.move(1)
    named: dict[str, Any] = {"agent_id": "users/42", "spaces": beside("projects/shop"), "freshness": FRESH}
    digest = (await server.admin(service.BuildDigestRequest(**named))).bundle
    lines = [item.text for each in digest.sections for item in each.items]
    assert [("(projects/shop)" in line, "style of" in line) for line in lines] == [(True, True), (False, True)]
    turns = [pb.Turn(speaker="user", text="walrus?")]
    tick = (await server.admin(service.BuildWorkingMemoryRequest(turns=turns, **named))).bundle
    snapshot = (await server.admin(service.BuildSnapshotRequest(trigger_event="walrus", **named))).bundle
    for built in (tick, snapshot):
        assert "walrus of users/42" in built.prompt
        assert "walrus of projects/shop" in built.prompt
        assert [each.space for each in built.spaces] == ["projects/shop"]
