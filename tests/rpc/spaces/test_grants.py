"""A key of one agent reaches the spaces that it was granted, for what it was granted, and no others."""

from contextlib import suppress

import grpc
import pytest
from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1 import slot_service_pb2 as slots
from camillo.v1 import space_service_pb2 as spaces_service
from google.protobuf.message import Message

from tests.server_fixtures import Caller, Server, refused

FORBIDDEN = (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
TEA = memory_pb2.NewMemory(content="tea 🍵")


async def granted(server: Server, *spaces: str, role: pb.Role = pb.ROLE_WRITER) -> Caller:
    """A key of the agent `alice` with these grants."""
    made = await server.admin(admin.CreateKeyRequest(agent_id="alice", role=role, spaces=spaces))
    assert list(made.key.spaces) == sorted(spaces)
    return server.caller(made.secret)


async def allows(caller: Caller, space: str) -> str:
    """The letters of what a caller may do in a space: r to read, w to write, f to forget all of it."""
    allowed = ""
    for letter, request in (
        ("r", memories.RecallRequest(agent_id=space, text="tea")),
        ("w", memories.RememberRequest(agent_id=space, memory=TEA)),
        ("f", spaces_service.ForgetSpaceRequest(agent_id=space, confirm_agent_id=space)),
    ):
        with suppress(grpc.aio.AioRpcError):
            await caller(request)
            allowed += letter
    return allowed


@pytest.mark.parametrize(
    ("grant", "space", "allowed"),
    [
        ("users/42:write", "users/42", "rw"),
        ("users/42:read", "users/42", "r"),
        ("users/42:forget", "users/42", "rwf"),
        ("users/42:forget", "users/43", ""),
        ("users/*:forget", "users/42", "rwf"),
        ("teams/eu/*:forget", "teams/eu", ""),
        ("users/*:forget", "bob", ""),
        ("users/42:write", "users/43", ""),
        ("users/42:write", "users/4", ""),
        ("users/42:write", "users/42/notes", ""),
        ("users/42:write", "projects/42", ""),
        ("teams/eu/*:read", "teams/eu/ops", "r"),
        ("teams/eu/*:write", "teams/eu/ops/night", "rw"),
        ("teams/eu/*:write", "teams/eu", ""),
        ("teams/eu/*:write", "teams/europe", ""),
        ("users/*:write", "users/42", "rw"),
        ("users/*:write", "bob", ""),
        ("users/*:write", "@shared", ""),
    ],
)
async def test_a_grant_covers_its_path_or_what_is_below_its_star(
    server: Server, grant: str, space: str, allowed: str
) -> None:
    caller = await granted(server, grant)
    assert await allows(caller, space) == allowed
    # The agent's own space is as it was.
    assert await allows(caller, "alice") == "rw"
    assert await allows(server.alice, space) == ""


async def test_a_role_bounds_every_grant(server: Server) -> None:
    for verb in ("write", "forget"):
        assert await allows(await granted(server, f"users/42:{verb}", role=pb.ROLE_READER), "users/42") == "r"


async def test_every_store_of_a_space_is_reached_and_that_of_no_other(server: Server) -> None:
    caller = await granted(server, "users/42:read", "users/43:write")
    for space in ("users/42", "users/43"):
        request = slots.SetMemoryRequest(agent_id=space, key="/user/tea", json_content="{}", source={"text": "chat"})
        await server.admin(request)
    assert [(await caller(slots.GetSlotRequest(agent_id="users/42", key="/user/tea"))).slot.agent_id] == ["users/42"]
    listed = await caller(slots.ListSlotsRequest(agent_id="users/43"))
    assert [entry.slot.agent_id for entry in listed.entries] == ["users/43"]
    assert not (await caller(events.ListEventsRequest(agent_id="users/42"))).events
    forbidden: tuple[Message, ...] = (
        slots.ListSlotsRequest(agent_id="users/44"),
        events.ListEventsRequest(agent_id="users"),
        slots.SetMemoryRequest(agent_id="users/42", key="/user/tea", json_content="{}", source={"text": "chat"}),
    )
    for each in forbidden:
        failed = await refused(caller(each))
        assert (failed.code, failed.reason) == FORBIDDEN


async def test_a_caller_sees_its_grants(server: Server) -> None:
    caller = await granted(server, "users/42:write", "teams/eu/*:read")
    assert list((await caller(admin.WhoAmIRequest())).spaces) == ["teams/eu/*:read", "users/42:write"]
    assert not (await server.alice(admin.WhoAmIRequest())).spaces


async def test_what_is_no_grant_is_refused(server: Server) -> None:
    wrong = (["users/42"], ["users/42:delete"], ["*:write"], ["*:forget"], ["users/4*:read"], ["@shared:write"])
    for spaces in (*wrong, ["users/1:read"] * 65):
        request = admin.CreateKeyRequest(agent_id="alice", role=pb.ROLE_WRITER, spaces=spaces)
        failed = await refused(server.admin(request))
        assert failed.code == grpc.StatusCode.INVALID_ARGUMENT
        assert failed.fields[0].startswith("spaces")
    # A key for any agent reaches every space, which a grant would seem to bound.
    request = admin.CreateKeyRequest(any_agent=True, role=pb.ROLE_WRITER, spaces=["users/42:write"])
    assert (await refused(server.admin(request))).fields == ("spaces",)


@pytest.mark.parametrize(
    ("grant", "is_made"),
    [
        ("users/42:write", True),
        ("users/42:read", True),
        ("users/42:forget", False),
        ("teams/eu/ops:read", True),
        ("teams/eu/*:read", True),
        ("teams/eu/*:write", False),
        ("teams/*:read", False),
        ("users/43:read", False),
        ("users/*:read", False),
    ],
)
async def test_a_key_grants_no_more_than_its_makers(server: Server, grant: str, is_made: bool) -> None:
    maker = await granted(server, "users/42:write", "teams/eu/*:read", role=pb.ROLE_TENANT_ADMIN)
    request = admin.CreateKeyRequest(agent_id="alice", role=pb.ROLE_WRITER, spaces=[grant])
    if is_made:
        assert list((await maker(request)).key.spaces) == [grant]
    else:
        failed = await refused(maker(request))
        assert (failed.code, failed.reason) == FORBIDDEN
