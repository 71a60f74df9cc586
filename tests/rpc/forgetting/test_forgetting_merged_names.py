"""Merged names are forgotten like anything that holds a value, and tell a forgetting by what else to look."""

from typing import Any

import psycopg
import pytest
from camillo.v1 import link_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1.forgetting_pb2 import ExcerptOptions
from camillo.v1.lifecycle_service_pb2 import ForgetRequest
from camillo.v1.link_service_pb2 import ListEntityChangesRequest

from tests.rpc.links.test_entities import ALIASES, NAME, TOLD, known, merge, revert
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Caller, Server, refused

KEPT = "安心 and ana@example.com"


async def filled(caller: Caller) -> None:
    for text in (*TOLD, KEPT):
        await remember(caller, text)
    await merge(caller, *ALIASES)


async def planned(caller: Caller, **fields: Any) -> memory_pb2.ForgetReceipt:
    answer = await caller(ForgetRequest(dry_run=True, excerpts=ExcerptOptions(per_store=50), **fields))
    receipt: memory_pb2.ForgetReceipt = answer.receipt
    return receipt


def rows(receipt: memory_pb2.ForgetReceipt) -> dict[str, int]:
    counted = ("memories", "entity_aliases")
    return {each.store: each.rows for each in receipt.stores if each.store in counted and each.rows}


async def changed_names(caller: Caller) -> list[str]:
    """The names of all changes, with those that were reverted."""
    answer = await caller(ListEntityChangesRequest())
    return [name.name for change in answer.changes for name in (change.into, *change.names)]


async def test_a_subject_is_forgotten_by_the_names_merged_with_one(server: Server) -> None:
    alice = server.alice
    await filled(alice)
    alone = await planned(alice, value="安娜")
    assert rows(alone) == {"memories": 1, "entity_aliases": 1}
    for given in ("安娜", "ANA LIMA", "ana.lima@example.com"):
        plan = await planned(alice, value=given, include_merged=True)
        assert rows(plan) == {"memories": 5, "entity_aliases": 4}
        merged = [each.merged_name for each in plan.matches]
        assert (len(merged), merged[0], "آنا ليما" in merged) == (5, "", True)
    failed = await refused(alice(ForgetRequest(value="安娜", include_merged=True)))
    assert failed.reason == "PLAN_REQUIRED"
    done = await alice(ForgetRequest(value="安娜", include_merged=True, plan_token=await token(alice)))
    assert (rows(done.receipt), done.receipt.blocked_values) == ({"memories": 5, "entity_aliases": 4}, 5)
    assert await listed(alice) == [KEPT]
    assert "ana lima" not in await known(alice)
    for name in ("Ana Lima", *(each.name for each in ALIASES)):
        assert (await refused(remember(alice, name))).reason == "VALUE_REJECTED"


async def token(caller: Caller) -> str:
    return (await planned(caller, value="安娜", include_merged=True)).plan_token


async def test_a_name_merged_since_the_plan_changes_it(server: Server) -> None:
    await filled(server.alice)
    of_plan = await token(server.alice)
    await merge(server.alice, pb.Entity(type=NAME, name="Anita"))
    failed = await refused(server.alice(ForgetRequest(value="安娜", include_merged=True, plan_token=of_plan)))
    assert failed.reason == "PLAN_CHANGED"


@pytest.mark.own_server
async def test_names_are_encrypted(server: Server) -> None:
    await merge(server.alice, *ALIASES)
    with psycopg.connect(server.database.superuser_url) as superuser:
        stored = superuser.execute(
            "select details, octet_length(sealed_details) from camillo.entity_aliases"
        ).fetchall()
    assert [details for details, _ in stored] == [None] * 4
    assert all(size > 20 for _, size in stored)


async def test_a_forgotten_name_stays_in_no_change_not_even_in_a_reverted_one(server: Server) -> None:
    alice = server.alice
    change = await merge(alice, *ALIASES)
    await revert(alice, change)
    await merge(alice, *ALIASES[1:])
    assert {"安娜", "آنا ليما"} <= set(await changed_names(alice))
    await alice(ForgetRequest(value="安娜"))
    # The others stay merged.
    assert "安娜" not in await changed_names(alice)
    assert "آنا ليما" in await changed_names(alice)
    assert len((await known(alice))["ana lima"]) == 3
    failed = await refused(merge(alice, ALIASES[0]))
    assert failed.reason == "VALUE_REJECTED"
    failed = await refused(merge(alice, pb.Entity(type=NAME, name="Li"), into=ALIASES[0]))
    assert failed.reason == "VALUE_REJECTED"


async def test_a_forgotten_entity_goes_with_all_that_was_merged_into_it(server: Server) -> None:
    await merge(server.alice, *ALIASES)
    await merge(server.alice, pb.Entity(type=NAME, name="Bobby"), into=pb.Entity(type=NAME, name="Bob Stone"))
    await server.alice(ForgetRequest(value="Ana Lima"))
    assert await known(server.alice) == {"bob stone": ["bobby"]}


async def test_one_name_is_removed_by_its_id(server: Server) -> None:
    await merge(server.alice, *ALIASES)
    plan = await planned(server.alice, value="آنا ليما")
    (alias_id,) = plan.records.alias_ids
    done = await server.alice(ForgetRequest(records={"alias_ids": [alias_id]}, allow_restating=True))
    assert rows(done.receipt) == {"entity_aliases": 1}
    assert len((await known(server.alice))["ana lima"]) == 3


async def test_every_scope_is_searched_by_the_names_of_the_one(server: Server) -> None:
    await filled(server.alice)
    await remember(server.admin, TOLD[1], agent_id="bob")
    await remember(server.admin, KEPT, agent_id="bob")
    request: dict[str, Any] = {"value": "Ana Lima", "agent_id": "alice", "include_merged": True, "all_scopes": True}
    plan = await planned(server.admin, **request)
    assert rows(plan) == {"memories": 6, "entity_aliases": 4}
    await server.admin(ForgetRequest(**request))
    assert await listed(server.admin, agent_id="bob") == [KEPT]
    assert await listed(server.alice) == [KEPT]
