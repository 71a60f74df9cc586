"""SIGKILL of a server that does everything at once, maintenance beside it: no acknowledged write is lost or done twice,
every invariant holds, and what was forgotten stays forgotten."""

from pathlib import Path

import grpc
import psycopg
import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo_server.across.admin.store.invariants import violations

from bench.lifecycle.ledger import Fate
from bench.lifecycle.load import LifecycleLoad
from bench.measure.client import Client
from tests.faults.server_process import server_process
from tests.postgres_fixtures import TestDatabase
from tests.server_fixtures import refused
from tests.tenant_keys import Keys

WRITERS, AGENTS = 4, 2
# After so many in each life it is killed, in the midst of others.
ANSWERS = (61, 88, 73, 97)
ASKED = 10

pytestmark = [pytest.mark.xdist_group("lifecycle_kill"), pytest.mark.timeout(180)]


async def test_nothing_is_lost_or_done_twice_and_what_was_forgotten_stays_so(
    database: TestDatabase, keys: Keys, tmp_path: Path
) -> None:
    load = LifecycleLoad(WRITERS, AGENTS)
    for answers in ANSWERS:
        with server_process(tmp_path, database_url=database.server_url) as process:
            async with grpc.aio.insecure_channel(await process.ready()) as channel:
                calls = Client(channel, keys.admin)
                await load.live(calls, answers, process.kill)
    with server_process(tmp_path, database_url=database.server_url) as process:
        async with grpc.aio.insecure_channel(await process.ready()) as channel:
            calls = Client(channel, keys.admin)
            await load.finish(calls)
            verdict = await load.verdict(calls)
            assert (verdict.lost, verdict.doubled) == ([], [])
            everything_was_done(load)
            await nothing_forgotten_comes_back(load, calls)
        assert await process.terminate() == 0
    with psycopg.connect(database.server_url, autocommit=True) as connection:
        assert [*violations(connection)] == []


def everything_was_done(load: LifecycleLoad) -> None:
    """The control of the verdict: there was something of each kind to lose."""
    assert all(load.contents(fate) for fate in Fate)
    ledgers = [writer.ledger for writer in load.writers]
    assert all(ledger.events for ledger in ledgers)
    assert any(count for ledger in ledgers for count in ledger.rounds.values())
    assert any(known.stated > 1 for ledger in ledgers for known in ledger.statements.values())


async def nothing_forgotten_comes_back(load: LifecycleLoad, calls: Client) -> None:
    """Nor is it taken back; what was kept is found and taken, by the same questions."""
    for agent_id, content in load.contents(Fate.FORGOTTEN)[:ASKED]:
        assert content not in await recalled(calls, agent_id, content)
        refusal = await refused(calls.remember(agent_id, content.upper()))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "VALUE_REJECTED")
    for agent_id, content in load.contents(Fate.KEPT)[:ASKED]:
        assert content in await recalled(calls, agent_id, content)
        await calls.remember(agent_id, content.upper())


async def recalled(calls: Client, agent_id: str, text: str) -> list[str]:
    answer = await calls(service.RecallRequest(agent_id=agent_id, text=text, limit=200))
    return [hit.memory.content for hit in answer.hits]
