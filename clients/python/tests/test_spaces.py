"""A client for one person, project or team, made from the one that has the connection."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import pytest
from clients.python.tests.fake_server import FakeServer

from camillo.v1.consistency_pb2 import Revision, SpaceRead, SpaceRevision
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_client import SHARED, AsyncCamillo, Camillo, minimize_latency, recall_request
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


async def test_a_bundle_of_spaces_sees_the_clients_own_writes_in_each(client: AsyncCamillo, server: FakeServer) -> None:
    shop = client.with_spaces(read=["projects/shop", SHARED])
    await client.for_project("shop").remember("tea")
    await client.context.bundle("tea", spaces=["users/42", "projects/shop"])
    await shop.context.bundle("tea")
    await shop.context.bundle("tea", agent_id="users/43")
    await client.context.bundle("tea")
    sent = [
        [(each.space, each.freshness.at_least_as_fresh.token) for each in one.spaces]
        for one in server.desk.of("BuildBundle")
    ]
    written = ("projects/shop", "db1/projects/shop/1")
    assert sent == [[("users/42", ""), written], [written], [], []]
    await shop.context.snapshot("tea")
    await shop.context.working_memory("", [("user", "tea")])
    await shop.context.digest()
    for method in ("BuildSnapshot", "BuildWorkingMemory", "BuildDigest"):
        (one,) = server.desk.of(method)
        assert [each.space for each in one.spaces] == ["projects/shop"]
    with pytest.raises(TypeError, match="spaces takes"):
        await client.context.bundle("tea", spaces="users/42")


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


def test_a_name_that_no_space_has_is_refused_before_a_call(sync_client: Camillo, thread_server: FakeServer) -> None:
    for bind in (sync_client.for_user, sync_client.for_project, sync_client.for_team, sync_client.for_space):
        for name in ("", " ", "a/", "/a", "a//b", "-a", "a b", "a\n", "..", "a" * 129, "a/b/c/d", "日本"):
            with pytest.raises(ValueError, match=r"no slash|a space is @shared, an agent's id"):
                bind(name)
    with pytest.raises(ValueError, match="a space is"):
        sync_client.with_spaces(read=["users/42", "users/"])
    with pytest.raises(ValueError, match="a space is"):
        sync_client.with_spaces(read=[], write="users/")
    with pytest.raises(TypeError, match="read takes a list of texts"):
        sync_client.with_spaces(read="users/42")
    with pytest.raises(ValueError, match="up to 7 spaces"):
        sync_client.with_spaces(read=[f"users/{number}" for number in range(8)])
    sync_client.with_spaces(read=[*(f"users/{number % 7}" for number in range(99)), SHARED]).recall("tea")
    (sent,) = thread_server.desk.of("Recall")
    assert len(sent.spaces) == 7


async def test_what_a_client_reads_beside_its_own_is_in_each_recall(client: AsyncCamillo, server: FakeServer) -> None:
    shop = client.with_spaces(read=["users/42", "projects/shop", SHARED], write="users/42")
    await client.for_project("shop").remember("tea")
    await shop.remember("茶")
    await shop.recall("tea")
    await shop.search_my_memories("tea")
    await shop.call("camillo.v1.MemoryService/Recall", recall_request("tea"))
    for sent in server.desk.of("Recall"):
        assert sent.agent_id == "users/42"
        assert sent.freshness.at_least_as_fresh == Revision(token="db1/users/42/1")
        assert [(each.space, each.freshness.at_least_as_fresh.token) for each in sent.spaces] == [
            ("projects/shop", "db1/projects/shop/1")
        ]
        assert sent.include_shared
    assert len(server.desk.of("Recall")) == 3
    assert [sent.agent_id for sent in server.desk.of("Remember")] == ["projects/shop", "users/42"]


async def test_recalls_of_a_batch_read_them_too(client: AsyncCamillo, server: FakeServer) -> None:
    shop = client.with_spaces(read=["projects/shop"])
    others = recall_request("tea", agent_id="users/43")
    await shop.recall_many(["tea", recall_request("茶"), others])
    (batch,) = server.desk.of("BatchRecall")
    named = [(sent.agent_id, [each.space for each in sent.spaces]) for sent in batch.requests]
    assert named == [("ada", ["projects/shop"]), ("ada", ["projects/shop"]), ("users/43", [])]


async def test_a_call_that_says_what_it_reads_reads_that_alone(client: AsyncCamillo, server: FakeServer) -> None:
    shop = client.with_spaces(read=["projects/shop", SHARED])
    await shop.recall("tea")
    await shop.recall("tea", agent_id="users/43")
    await shop.recall("tea", spaces=["teams/eu"])
    await shop.for_user("42").recall("tea")
    told = [(sent.agent_id, [each.space for each in sent.spaces], sent.include_shared) for sent in _recalls(server)]
    assert told == [
        ("ada", ["projects/shop"], True),
        ("users/43", [], False),
        ("ada", ["teams/eu"], False),
        ("users/42", [], False),
    ]


def _recalls(server: FakeServer) -> list[RecallRequest]:
    return server.desk.of("Recall")


async def test_lists_and_watches_read_the_spaces_that_they_name(client: AsyncCamillo, server: FakeServer) -> None:
    shop = client.with_spaces(read=["projects/shop"])
    _ = [memory async for memory in shop.list_memories()]
    _ = [memory async for memory in shop.list_memories(spaces=["teams/eu", SpaceRead(space="users/42")])]
    assert [[each.space for each in sent.spaces] for sent in server.desk.of("ListMemories")] == [
        [],
        ["teams/eu", "users/42"],
    ]
    known = SpaceRevision(space="users/42", revision=Revision(token="r"))
    server.memories.change(1)
    named: list[list[Any]] = [[], [known], ["teams/eu"]]
    for spaces in named:
        async with aclosing(shop.watch(from_beginning=True, spaces=spaces)) as watch:
            await anext(watch)
    assert [list(sent.spaces) for sent in server.desk.of("WatchMemories")] == [
        [],
        [known],
        [SpaceRevision(space="teams/eu")],
    ]
    with pytest.raises(TypeError):
        client.watch(from_beginning=True, spaces="teams/eu")
