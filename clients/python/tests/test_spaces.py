"""A client for one person, project or team, made from the one that has the connection."""

from __future__ import annotations

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.consistency_pb2 import SpaceRead
from camillo_client import SHARED, AsyncCamillo, Camillo, minimize_latency
from camillo_client.call_metadata import scope_digest


async def test_every_part_of_it_names_the_space(client: AsyncCamillo, server: FakeServer) -> None:
    ana = client.for_user("42")
    await ana.remember("tea 🍵")
    await ana.memories.recall("tea")
    await ana.artifacts.put(b"tea")
    await ana.slots.set_memory("/user/tea", {}, "chat")
    await ana.events.record("tea")
    await ana.context.views.list()
    await client.recall("tea")
    *of_ana, own = server.desk.calls
    assert len(of_ana) == 6
    assert {call.metadata["camillo-scope"] for call in of_ana} == {scope_digest("k-1", "users/42")}
    assert own.metadata["camillo-scope"] == scope_digest("k-1", "ada")
    assert [sent.agent_id for sent in server.desk.of("Recall")] == ["users/42", "ada"]


async def test_two_clients_of_a_space_see_each_others_writes(client: AsyncCamillo, server: FakeServer) -> None:
    await client.for_user("42").remember("tea")
    await client.for_user("42").recall("tea")
    await client.for_user("43").recall("tea")
    tokens = [sent.freshness.at_least_as_fresh.token for sent in server.desk.of("Recall")]
    assert tokens == ["db1/users/42/1", ""]


async def test_a_recall_of_spaces_sees_the_clients_own_writes_in_each(client: AsyncCamillo, server: FakeServer) -> None:
    await client.for_project("shop").remember("tea")
    await client.recall("tea", spaces=["users/42", "projects/shop"])
    mine = SpaceRead(space="projects/shop", freshness=minimize_latency())
    await client.recall("tea", spaces=[mine])
    (demanding, stated) = server.desk.of("Recall")
    assert [each.space for each in demanding.spaces] == ["users/42", "projects/shop"]
    tokens = [each.freshness.at_least_as_fresh.token for each in demanding.spaces]
    assert tokens == ["", "db1/projects/shop/1"]
    assert list(stated.spaces) == [mine]


def test_paths_are_those_of_the_server(sync_client: Camillo, thread_server: FakeServer) -> None:
    for bound in (
        sync_client.for_project("github.com/acme/shop"),
        sync_client.for_team("eu/ops"),
        sync_client.for_space(SHARED),
        sync_client.for_user("1").for_user("2"),
    ):
        bound.recall("tea")
    named = [sent.agent_id for sent in thread_server.desk.of("Recall")]
    assert named == ["projects/github.com/acme/shop", "teams/eu/ops", "@shared", "users/2"]
    with pytest.raises(ValueError, match="no slash"):
        sync_client.for_user("42/../43")
