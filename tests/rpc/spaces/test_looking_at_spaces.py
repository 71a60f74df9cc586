"""ListSpaces and GetSpace: what each space holds, for whoever reaches it."""

from collections.abc import Iterable
from datetime import timedelta

import grpc
import pytest
from camillo.v1 import admin_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import space_service_pb2 as service
from camillo.v1.lifecycle_pb2 import StoreUsage

from tests.rpc.lifecycle.test_usage import usage
from tests.rpc.memories.calls import recall, remember
from tests.rpc.spaces.test_grants import granted
from tests.server_fixtures import Caller, Server, refused

PATHS = (
    "",
    "alice",
    "bob",
    "projects/shop",
    "teams/eu",
    "teams/eu/ops",
    "teams/europe",
    "users/42",
    "users/43",
    "users/9",
)


async def listed(caller: Caller, prefix: str = "", page_size: int = 0) -> list[str]:
    """The paths of all pages."""
    paths, token = list[str](), ""
    while True:
        request = service.ListSpacesRequest(prefix=prefix, page_size=page_size, page_token=token)
        answer = await caller(request)
        paths += [each.space for each in answer.spaces]
        assert len(answer.spaces) <= (page_size or 50)
        if not (token := answer.next_page_token):
            return paths


async def fill(server: Server) -> None:
    for path in PATHS:
        await remember(server.admin, f"安娜 trinkt Tee 🍵 in {path}", agent_id=path or "@shared")
    await remember(server.rival, "of another tenant", agent_id="users/42")


@pytest.mark.parametrize("page_size", [1, 3, 0])
async def test_spaces_are_listed_in_pages_in_the_order_of_their_paths(server: Server, page_size: int) -> None:
    await fill(server)
    for prefix, found in (
        ("", ["@shared", *PATHS[1:]]),
        ("users/", ["users/42", "users/43", "users/9"]),
        ("users", ["users/42", "users/43", "users/9"]),
        ("teams/eu", ["teams/eu", "teams/eu/ops"]),
        ("teams/eu/", ["teams/eu/ops"]),
        ("users/42", ["users/42"]),
        ("users/4", []),
        ("@shared", ["@shared"]),
        ("ali", []),
    ):
        assert await listed(server.admin, prefix, page_size) == found, prefix
    assert await listed(server.rival, "", page_size) == ["users/42"]


def written(stores: Iterable[StoreUsage]) -> list[StoreUsage]:
    """Without vectors, which come in the background."""
    return [each for each in stores if not each.store.endswith("_vectors")]


async def test_a_space_tells_what_it_holds_and_when_it_was_used(server: Server) -> None:
    async with server.client(server.keys.admin) as camillo:
        ana = camillo.for_user("42")
        await ana.remember("Ana drinks tea", kind="preference")
        event = await ana.events.record("I moved", session_id="s1", actor="human:guest")
        await ana.slots.set_memory("/user/name", {"name": "Ana"}, "chat")
        await ana.decisions.record("Letters go home", refs=[event.event_id])
        await ana.tasks.open("Write")
        first = await ana.spaces.get()
        assert not first.space.HasField("last_read_at")
        server.clock.move(3600)
        await ana.artifacts.put("a letter\n" * 500, description="letter")
        spaces = [each async for each in camillo.spaces.list("users/")]
        (space,) = spaces
        rows = {each.store: each.rows for each in space.usage.stores}
        assert {rows[store] for store in ("memories", "events", "slots", "decisions", "tasks", "artifacts")} == {1}
        assert space.bytes == sum(each.bytes for each in space.usage.stores) > 0
        moved = space.last_written_at.ToDatetime() - first.space.last_written_at.ToDatetime()
        assert moved >= timedelta(seconds=3600)
        told = (await usage(server.admin, agent_id="users/42"))[0].stores
        assert written(told) == written(space.usage.stores)
        view = await camillo.spaces.get("users/42")
        kinds = {each.kind: each for each in view.kinds}
        assert [kind for kind, each in kinds.items() if each.memories] == [pb.MEMORY_KIND_PREFERENCE]
        assert not kinds[pb.MEMORY_KIND_PREFERENCE].HasField("lifetime")
        assert kinds[pb.MEMORY_KIND_CONVERSATION].lifetime.seconds == 7 * 86_400
        assert (view.sessions, view.hidden_memories_stay.seconds) == (1, 365 * 86_400)
        assert view.oldest_at.ToDatetime() <= view.newest_at.ToDatetime() <= space.last_written_at.ToDatetime()


async def test_a_recall_is_the_last_use_of_a_space(server: Server) -> None:
    memory = await remember(server.admin, "Ana drinks tea", agent_id="users/42")
    assert (await recall(server.admin, "tea", agent_id="users/42")).hits
    while True:
        server.clock.move(60)
        space = (await server.admin(service.GetSpaceRequest(agent_id="users/42"))).space
        if space.HasField("last_read_at"):
            break
        await recall(server.admin, "tea", agent_id="users/42")
    assert space.last_read_at.ToDatetime() >= memory.created_at.ToDatetime()


async def test_a_key_of_one_agent_sees_its_own_and_what_it_was_granted(server: Server) -> None:
    await fill(server)
    key = await granted(server, "users/42:read", "teams/eu/*:write", role=admin_pb2.ROLE_READER)
    assert await listed(key, page_size=1) == ["alice", "teams/eu/ops", "users/42"]
    assert await listed(key, "users/") == ["users/42"]
    assert await listed(server.alice) == ["alice"]
    assert await listed(await granted(server, "teams/eu/*:read", "teams/eu/ops:write")) == ["alice", "teams/eu/ops"]
    view = await key(service.GetSpaceRequest(agent_id="users/42"))
    assert (view.space.space, len(view.readers)) == ("users/42", 0)
    for path in ("users/43", "teams/eu", "bob", "@shared"):
        refusal = await refused(key(service.GetSpaceRequest(agent_id=path)))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")


async def test_administrators_see_which_keys_reach_a_space(server: Server) -> None:
    async def key(description: str, **fields: object) -> str:
        request = admin.CreateKeyRequest(role=admin_pb2.ROLE_WRITER, description=description, **fields)  # type: ignore[arg-type]
        return str((await server.admin(request)).key.key_id)

    await key("of a person", agent_id="alice", spaces=["users/42:read", "teams/a:write"])
    await key("of all people", agent_id="alice", spaces=["users/*:write"])
    await key("of another", agent_id="alice", spaces=["users/43:write"])
    revoked = await key("revoked", agent_id="alice", spaces=["users/42:write"])
    await server.admin(admin.RevokeKeyRequest(key_id=revoked))
    await key("of any", any_agent=True)
    view = await server.admin(service.GetSpaceRequest(agent_id="users/42"))
    grants = {each.description: each.grant for each in view.readers if each.description}
    assert {"of a person": "users/42:read", "of all people": "users/*:write", "of any": ""}.items() <= grants.items()
    assert not {"of another", "revoked"} & grants.keys()
    own = await server.admin(service.GetSpaceRequest(agent_id="alice"))
    assert {"of a person", "of another"} <= {each.description for each in own.readers}


async def test_a_space_that_nobody_wrote_is_empty_and_not_listed(server: Server) -> None:
    view = await server.admin(service.GetSpaceRequest(agent_id="users/nobody"))
    assert (view.space.space, view.space.bytes, view.sessions, view.space.HasField("created_at")) == (
        "users/nobody",
        0,
        0,
        False,
    )
    assert await listed(server.admin, "users/") == []
    await remember(server.admin, "now", agent_id="users/nobody")
    await server.admin(admin.DeleteAgentRequest(agent_id="users/nobody", confirm_agent_id="users/nobody"))
    await remember(server.admin, "other", agent_id="users/other")
    assert await listed(server.admin, "users/") == ["users/other"]


@pytest.mark.parametrize("prefix", ["/", "users//", "*", "users/*", "us\ners", "users/安娜", "%", f"users/{'a' * 520}"])
async def test_what_begins_no_path_is_refused(server: Server, prefix: str) -> None:
    refusal = await refused(server.admin(service.ListSpacesRequest(prefix=prefix)))
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("prefix",))


async def test_a_page_token_belongs_to_its_prefix(server: Server) -> None:
    await fill(server)
    first = await server.admin(service.ListSpacesRequest(prefix="users/", page_size=1))
    assert first.next_page_token
    request = service.ListSpacesRequest(prefix="teams/", page_size=1, page_token=first.next_page_token)
    assert (await refused(server.admin(request))).reason == "INVALID_PAGE_TOKEN"
