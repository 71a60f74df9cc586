"""Two server processes on one database: a bundle that demands a revision shows all that the revision holds."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.consistency_pb2 import Freshness, Revision
from camillo.v1.context_pb2 import View
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.task_pb2 import NewTask
from google.protobuf.message import Message

from tests.faults.server_process import server_process
from tests.postgres_fixtures import TestDatabase
from tests.rpc.records import text_event
from tests.server_fixtures import Caller
from tests.tenant_keys import Keys

PAIRS = 200
AGENTS = 8

pytestmark = [pytest.mark.xdist_group("two_servers"), pytest.mark.timeout(110)]


async def test_what_was_written_on_one_is_in_the_next_bundle_of_the_other(
    database: TestDatabase, keys: Keys, tmp_path: Path
) -> None:
    with ExitStack() as processes:
        started = [
            processes.enter_context(server_process(tmp_path, database_url=database.server_url)) for _ in range(2)
        ]
        addresses = [await process.ready() for process in started]
        async with grpc.aio.insecure_channel(addresses[0]) as one, grpc.aio.insecure_channel(addresses[1]) as other:
            callers = [Caller(channel, keys.admin, 30) for channel in (one, other)]
            await asyncio.gather(*(write_and_build(callers, f"agent-{i}") for i in range(AGENTS)))
        for process in started:
            assert await process.terminate() == 0


async def write_and_build(callers: list[Caller], agent_id: str) -> None:
    """Writes on one server and builds on the other: events, and now and then a task, a decision, a text."""
    ref = ""
    for number in range(PAIRS // AGENTS):
        writer, builder = callers[number % 2], callers[1 - number % 2]
        word = f"word{number}x{agent_id[-1]}"
        written = await writer(new(number, agent_id, word, ref))
        ref = ref or written.recorded.event_id
        built = await build(builder, agent_id, word, written.revision)
        assert word in built, number
        # A word that nobody has written yet is absent, so the bundle does not echo the query.
        assert f"word{number + 1}x" not in await build(
            builder, agent_id, f"word{number + 1}x{agent_id[-1]}", written.revision
        )


def new(number: int, agent_id: str, word: str, ref: str) -> Message:
    if number % 5 == 1:
        return tasks.UpsertTaskRequest(agent_id=agent_id, task=NewTask(title=word))
    if number % 5 == 2:
        decision = NewDecision(decision=word, refs=[ref])
        return decisions.RecordDecisionRequest(agent_id=agent_id, decision=decision)
    if number % 5 == 3:
        view = View(name="rules", text=word)
        return snapshots.PutViewRequest(agent_id=agent_id, view=view)
    # In another session than the bundle's: found by its words alone.
    session = "s" if number % 2 else "other"
    return events.RecordEventRequest(agent_id=agent_id, event=text_event(word, session_id=session))


async def build(caller: Caller, agent_id: str, word: str, revision: Revision) -> str:
    request = snapshots.BuildBundleRequest(
        agent_id=agent_id, session_id="s", query_text=word, freshness=Freshness(at_least_as_fresh=revision)
    )
    prompt: str = (await caller(request)).bundle.prompt
    return prompt
