"""Workers that are killed amid a distillation: another does it, and nothing is lost or doubled."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import psycopg
import pytest
from camillo.v1 import distillation_pb2 as pb

from tests.chat_server import ChatServer, chat_server, never
from tests.distilling_model import repeated, states
from tests.faults.worker_process import worker_process
from tests.patience import PATIENCE_SECONDS, until
from tests.postgres_fixtures import TestDatabase
from tests.rpc.distillation.distilling import distillations, proposals, with_model
from tests.rpc.memories.calls import listed
from tests.rpc.records import record
from tests.server_fixtures import Server, StartServer
from tests.storage.lifecycle.job_rows import let_pass
from tests.storage.locking import scope_held, until_waiting

pytestmark = [pytest.mark.xdist_group("litellm"), pytest.mark.timeout(110)]

SAID = ["The standup moved to 9:30 in room Ostsee.", "The shop runs on port 8443."]


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = states(repeated)
        yield running


async def until_listed(server: Server, count: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(await listed(server.alice)) < count:
            pass


def let_lease_pass(database: TestDatabase) -> None:
    with psycopg.connect(database.superuser_url) as superuser:
        ended = superuser.execute(
            "update camillo.distillation_cursors set leased_until = 'epoch' where leased_until > now()"
        )
    assert ended.rowcount == 1


@pytest.mark.parametrize("amid", ["the model's answer", "the commit"])
async def test_a_distillation_of_a_killed_worker_is_done_once_by_another(
    start_server: StartServer, provider: ChatServer, tmp_path: Path, amid: str
) -> None:
    settings = with_model(provider, every_turns=1, review="auto")
    server = await start_server(**settings, jobs={"enabled": False})
    for text in SAID:
        await record(server.alice, text)
    database, is_asking = server.database, amid == "the model's answer"
    if is_asking:
        provider.orders.append(never)
    held = nullcontext() if is_asking else scope_held(database, "acme", "alice")
    with held, worker_process(tmp_path, database.server_url, **settings) as first:
        await first.ready()
        await until(lambda: bool(provider.bodies))
        if not is_asking:
            await until_waiting(database, 1)
        await first.kill()
    assert await distillations(server.alice) == []
    assert await proposals(server.alice) == []

    let_pass(database, 31.0)
    let_lease_pass(database)
    with worker_process(tmp_path, database.server_url, **settings) as second:
        await second.ready()
        let_pass(database, 31.0)
        await until_listed(server, len(SAID))
        assert await second.terminate() == 0
    assert sorted(await listed(server.alice)) == sorted(SAID)
    (done,) = await distillations(server.alice)
    assert (done.turns, done.requests) == (2, 1)
    assert [each.state for each in await proposals(server.alice)] == 2 * [pb.PROPOSAL_STATE_ACCEPTED]
    assert len(provider.bodies) == 2
