"""Runs as a list: the agent's own that have not ended, the last started first, in pages."""

from collections.abc import Sequence
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2
from camillo.v1 import run_service_pb2 as service
from camillo_server.storage.statements import statements

from tests.rpc.runs.calls import answer, append, end, inject, start, starting, trigger
from tests.server_fixtures import Caller, Server, refused


async def listed(caller: Caller, **fields: Any) -> Sequence[str]:
    """The ids of all pages."""
    request, found = service.ListRunsRequest(**fields), []
    while True:
        page = await caller(request)
        found += [run.run_id for run in page.runs]
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def start_several(server: Server, count: int) -> list[str]:
    """The last started first."""
    started: list[str] = []
    for number in range(count):
        started.insert(0, await start(server.alice, session_id=f"s{number % 2}"))
        server.clock.move(1)
    return started


async def test_runs_are_listed_the_last_started_first_in_pages(server: Server) -> None:
    runs = await start_several(server, 5)
    # Steps that are appended to a run do not change its place.
    await append(server.alice, runs[4], answer("x"))
    for page_size in (0, 1, 2, 5):
        assert await listed(server.reader, page_size=page_size) == runs
    assert await listed(server.alice, session_id="s1", page_size=1) == [runs[1], runs[3]]
    assert await listed(server.alice, session_id="s2") == []


async def test_pages_go_on_where_runs_come_and_go_meanwhile(server: Server) -> None:
    runs = await start_several(server, 4)
    request = service.ListRunsRequest(page_size=2)
    first = await server.alice(request)
    assert [run.run_id for run in first.runs] == runs[:2]
    await start_several(server, 1)
    await end(server.alice, runs[1])
    request.page_token = first.next_page_token
    second = await server.alice(request)
    assert [run.run_id for run in second.runs] == runs[2:]
    request.session_id = "s1"
    assert (await refused(server.alice(request))).reason == "INVALID_PAGE_TOKEN"


async def test_a_listed_run_is_as_it_is_now(server: Server) -> None:
    for level in (memory_pb2.SENSITIVITY_PUBLIC, memory_pb2.SENSITIVITY_RESTRICTED):
        stated = trigger("webhook", text="订单迟到了 🚢", nested={"a": [1, None, "é"]})
        run_id = await start(server.alice, trigger=stated, focus="أين", sensitivity=level)
        server.clock.move(60)
        await append(server.alice, run_id, answer("x"))
        run = await inject(server.alice, run_id, "be brief")
        page = await server.alice(service.ListRunsRequest(page_size=1))
        assert list(page.runs) == [run]
        assert (run.trigger, run.focus, run.rounds, run.instructions) == (stated, "أين", 1, 1)


async def test_what_has_ended_is_not_listed(server: Server) -> None:
    runs = await start_several(server, 2)
    short = await start(server.alice, idle_seconds=60)
    assert await listed(server.alice) == [short, *runs]
    await end(server.alice, runs[0])
    assert await listed(server.alice) == [short, runs[1]]
    server.clock.move(60)
    # Its row is still there; a list keeps no run from ending.
    assert await listed(server.alice) == [runs[1]]


@pytest.mark.own_server
async def test_the_runs_of_others_are_not_listed(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    await server.root(admin.CreateAgentRequest(tenant_id="rival", agent_id="alice"))
    own = await start(server.alice)
    bobs = await start(server.admin, agent_id="bob")
    shared = await start(server.admin, agent_id="")
    rivals = await start(server.rival, agent_id="alice")
    expected: list[tuple[Caller, dict[str, str], str]] = [
        (server.alice, {}, own),
        (server.reader, {}, own),
        (server.admin, {"agent_id": "alice"}, own),
        (server.admin, {"agent_id": "bob"}, bobs),
        (server.admin, {}, shared),
        (server.rival, {"agent_id": "alice"}, rivals),
    ]
    for caller, fields, run_id in expected:
        assert await listed(caller, **fields) == [run_id]
    told = await refused(listed(server.alice, agent_id="bob"))
    assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    foreign = await server.admin(service.ListRunsRequest(agent_id="bob", page_size=1))
    assert not foreign.next_page_token


async def test_a_token_holds_for_its_own_scope_alone(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    runs = await start_several(server, 2)
    page = await server.alice(service.ListRunsRequest(page_size=1))
    own = service.ListRunsRequest(agent_id="alice", page_token=page.next_page_token)
    assert [run.run_id for run in (await server.admin(own)).runs] == runs[1:]
    own.agent_id = "bob"
    assert (await refused(server.admin(own))).reason == "INVALID_PAGE_TOKEN"


async def test_a_page_of_large_triggers_fits_in_a_message(server: Server) -> None:
    large = trigger("webhook", text="茶" * 5_400)
    runs = [(await server.alice(starting(trigger=large))).run.run_id for _ in range(200)]
    page = await server.alice(service.ListRunsRequest(page_size=200))
    assert page.ByteSize() < 4 * 1024 * 1024
    assert 1 < len(page.runs) < 200
    assert sorted(await listed(server.alice, page_size=200)) == sorted(runs)


@pytest.mark.parametrize(
    ("fields", "field"),
    [({"page_size": -1}, "page_size"), ({"page_size": 201}, "page_size"), ({"session_id": "x" * 129}, "session_id")],
)
async def test_a_bad_list_is_refused_with_its_field(server: Server, fields: dict[str, Any], field: str) -> None:
    told = await refused(listed(server.alice, **fields))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))
    told = await refused(listed(server.alice, page_token="x"))  # noqa: S106
    assert told.reason == "INVALID_PAGE_TOKEN"


@pytest.mark.own_server
async def test_a_page_is_read_along_the_primary_key(server: Server) -> None:
    """No sort, and none but the rows of the scope."""
    await start_several(server, 3)
    parameters = {
        "tenant_id": "acme",
        "agent_id": "alice",
        "after_id": "f" * 32,
        "now": server.clock.now(),
        "session_id": None,
        "size": 2,
    }
    with psycopg.connect(server.database.superuser_url) as connection:
        connection.execute("set search_path to camillo")
        connection.execute("set enable_seqscan to off")
        query = statements("across/runs/store/runs")["page"]
        rows = connection.execute(f"explain (costs off) {query}", parameters).fetchall()
    plan = "\n".join(line for (line,) in rows)
    assert "Index Scan Backward using runs_pkey" in plan
    assert "Sort" not in plan
