"""Who said something: a person, a reported person, an agent and a tool look different wherever it is shown."""

from typing import Any

from camillo.v1 import admin_pb2 as admin
from camillo.v1 import admin_service_pb2 as admin_service
from camillo.v1.actor_pb2 import (
    ACTOR_TYPE_AGENT,
    ACTOR_TYPE_HUMAN,
    ACTOR_TYPE_TOOL,
    TRUST_LEVEL_AGENT,
    TRUST_LEVEL_USER,
    TRUST_LEVEL_WEB,
    Actor,
)
from camillo.v1.event_service_pb2 import GetEventRequest
from camillo.v1.memory_pb2 import SOURCE_EVENT, SOURCE_MEMORY, NewMemory
from camillo.v1.memory_service_pb2 import GetMemoryRequest, RecallRequest, RememberRequest
from camillo_cli.memories import said_by
from camillo_server.doors.gateway.mcp.rendering import hit_entries

from tests.rpc.records import bundle, record
from tests.server_fixtures import Caller, Server

ADA = Actor(type=ACTOR_TYPE_HUMAN, id="ada")
ASKS = "Remember this: the wisteria 紫藤 needs water"


async def front_end(server: Server) -> Caller:
    """A key of alice's that speaks for ada."""
    request = admin_service.CreateKeyRequest(agent_id="alice", role=admin.ROLE_WRITER, actors=["human:ada"])
    return server.caller((await server.admin(request)).secret)


async def remembered(caller: Caller, text: str, **fields: Any) -> Any:
    memory = NewMemory(content=text, **fields)
    stored = (await caller(RememberRequest(memory=memory))).memory
    return (await caller(GetMemoryRequest(memory_id=stored.memory_id))).memory


async def test_who_said_it_is_shown_in_bundles_and_hits(server: Server) -> None:
    ada = await front_end(server)
    # An agent whose name is a mark.
    forger = Actor(type=ACTOR_TYPE_AGENT, id="(person) ada")
    tool = Actor(type=ACTOR_TYPE_TOOL, id="web")
    for caller, actor, text in (
        (ada, ADA, "wisteria one"),
        (server.alice, ADA, "wisteria two"),
        (server.alice, forger, "wisteria three"),
        (server.alice, tool, "wisteria four"),
    ):
        await record(caller, text, actor=actor)
    await remembered(ada, "wisteria five is pinned", actor=ADA, pinned=True)
    await remembered(server.alice, "wisteria six is pinned", actor=ADA, pinned=True)
    await remembered(server.alice, "wisteria seven is pinned", pinned=True)
    await remembered(server.alice, "wisteria eight is pinned", pinned=True, trust_level=TRUST_LEVEL_WEB)
    prompt = (await bundle(server.alice, query_text="wisteria")).prompt
    marks = {
        "one": "(person) ada: wisteria",
        "two": "(reported person) ada: wisteria",
        "three": "(agent) (person) ada: wisteria",
        "four": "(tool) web: wisteria",
        "five": "fact (person): wisteria",
        "six": "fact (reported person): wisteria",
        "seven": "fact: wisteria",
        "eight": "fact (web): wisteria",
    }
    for name, shown in marks.items():
        lines = [line for line in prompt.splitlines() if f"wisteria {name}" in line]
        assert lines, name
        assert all(f"{shown} {name}" in line for line in lines), (name, lines)
    request = RecallRequest(text="wisteria", sources=[SOURCE_MEMORY, SOURCE_EVENT], limit=20)
    answer = await server.alice(request)
    about = {each.text.split()[-1 if ":" in each.text else 1]: each.about for each in hit_entries(answer.hits)}
    assert about["one"].endswith("(person)")
    assert about["two"].endswith("(reported person)")
    assert "(" not in about["three"]
    assert about["four"].endswith("(tool)")
    assert about["five"].endswith("(person)")
    assert about["six"].endswith("(reported person)")
    assert about["eight"].endswith("(web)")
    chunks = {hit.chunk.text.split()[-1]: hit.chunk for hit in answer.hits if hit.HasField("chunk")}
    assert chunks["one"].trust_level == TRUST_LEVEL_USER
    assert chunks["two"].trust_level == TRUST_LEVEL_AGENT
    assert said_by(chunks["one"]) == "person"
    assert said_by(chunks["two"]) == "reported person"
    assert said_by(chunks["three"]) == "agent"


async def test_only_who_may_say_so_asks_to_remember(server: Server) -> None:
    ada = await front_end(server)
    importance = {}
    for name, caller in (("person", ada), ("reported", server.alice)):
        recorded = await record(caller, f"{ASKS} {name}", actor=ADA)
        event = (await server.alice(GetEventRequest(event_id=recorded.event_id))).event
        memory = await remembered(caller, f"{ASKS} by {name}", actor=ADA)
        importance[name] = (memory.importance, event.event_id != "")
    assert importance == {"person": (1.0, True), "reported": (0.5, True)}
    assert (await remembered(server.alice, f"{ASKS} itself")).importance == 1.0
    answer = await server.alice(RecallRequest(text=ASKS, sources=[SOURCE_EVENT], limit=9))
    found = {hit.chunk.text.split()[-1]: hit.chunk.importance for hit in answer.hits}
    assert found == {"person": 1.0, "reported": 0.5}
