"""Spaces beside those of agents: a person's, a project's, a team's, under a path."""

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.server_fixtures import Server, refused

PATHS = ("users/42", "users/auth0|7f~a", "projects/github.com/acme/shop", "teams/eu/ops", "users/ana@example.org")
NO_PATHS = (
    "users/",
    "users//42",
    "users/../shared",
    "users/42/",
    "/users/42",
    "Users/42",
    "customers/42",
    "users/安娜",
    "users/4\n2",
    "users/a/b/c/d",
    f"users/{'a' * 129}",
    "@shared/42",
    "agents/alice",
    "*",
)


async def test_two_people_of_one_bot_never_see_each_other(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        ana, ben = camillo.for_user("42"), camillo.for_user("43")
        await ana.remember("Ana prefers tea 🍵")
        await ben.remember("Ben prefers coffee")
        await camillo.remember("Customers prefer short answers", agent_id="support")
        for person, own in ((ana, "Ana prefers tea 🍵"), (ben, "Ben prefers coffee")):
            recalled = await person.recall("what do they prefer")
            assert [hit.memory.content for hit in recalled.hits] == [own]
        agents = [agent.agent_id async for agent in camillo.admin.list_agents()]
        assert agents == ["support", "users/42", "users/43"]


async def test_every_store_of_a_person_is_their_own_and_goes_with_them(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        ana, ben = camillo.for_user("42"), camillo.for_user("43")
        for person, home in ((ana, "Hafenweg 12"), (ben, "Rue de la Paix 5")):
            event = await person.events.record(f"I moved to {home}", session_id="s1", actor="human:guest")
            await person.slots.set_memory("/user/address", {"home": home}, "chat")
            await person.decisions.record(f"Letters go to {home}", refs=[event.event_id])
            await person.tasks.open(f"Write to {home}")
            await person.artifacts.put(f"{home}: a letter\n" * 500, description="letter")
        assert "Hafenweg 12" in (await ana.context.bundle("new home", session_id="s1")).prompt
        assert "Hafenweg 12" in (await ana.slots.get("/user/address")).json_content
        planned = await camillo.admin.erase_agent("users/42", confirm_agent_id="users/42", dry_run=True)
        receipt = await camillo.admin.erase_agent("users/42", confirm_agent_id="users/42")
        assert {"artifacts", "decisions", "events", "slots", "tasks"} <= {each.store for each in receipt.stores}
        # Vectors may come between the two.
        counts = [
            [(each.store, each.rows) for each in found.stores if each.store != "memory_vectors"]
            for found in (planned, receipt)
        ]
        assert counts[0] == counts[1]
        for person, left in ((ana, 0), (ben, 1)):
            lists = (person.slots.list(), person.decisions.list(), person.tasks.list(), person.artifacts.list())
            assert [len([each async for each in records]) for records in lists] == [left] * len(lists)
        assert "Hafenweg" not in (await ana.context.bundle("new home", session_id="s1")).prompt
        assert "Rue de la Paix" in (await ben.context.bundle("new home", session_id="s1")).prompt


@pytest.mark.parametrize("path", PATHS)
async def test_a_path_names_a_space(server: Server, path: str) -> None:
    stored = await server.admin(service.RememberRequest(agent_id=path, memory=pb.NewMemory(content="tea")))
    assert stored.memory.agent_id == path
    found = await server.admin(service.RecallRequest(agent_id=path, text="tea"))
    assert [hit.memory.memory_id for hit in found.hits] == [stored.memory.memory_id]


@pytest.mark.parametrize("path", NO_PATHS)
async def test_nothing_else_does(server: Server, path: str) -> None:
    request = service.RememberRequest(agent_id=path, memory=pb.NewMemory(content="tea"))
    refusal = await refused(server.admin(request))
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("agent_id",))
    assert "users/42" in refusal.message


async def test_a_key_of_one_agent_reaches_no_space(server: Server) -> None:
    request = service.RecallRequest(agent_id="users/42", text="tea")
    assert not (await server.admin(request)).hits
    refusal = await refused(server.alice(request))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")


async def test_one_request_id_in_two_spaces_is_two_requests(server: Server) -> None:
    ids = set()
    for space in ("users/42", "users/43", "users/42"):
        memory = pb.NewMemory(content="tea")
        stored = await server.admin(service.RememberRequest(agent_id=space, request_id="r1", memory=memory))
        ids.add(stored.memory.memory_id)
    assert len(ids) == 2
