"""Filters by workflow, step, status and tool find chunks that say so, and no memory, whatever its metadata says."""

from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import actor_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ChunkKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.records import record_all, tool_event
from tests.server_fixtures import Server

ALICE = Scope(TenantId("acme"), AgentId("alice"))
FRESH: dict[str, Any] = {"freshness": {"fully_consistent": True}}
SOURCES = (pb.SOURCE_MEMORY, pb.SOURCE_EVENT, pb.SOURCE_WORKFLOW_STEP)
SUCCEEDED, FAILED = actor_pb2.WORKFLOW_STATUS_SUCCEEDED, actor_pb2.WORKFLOW_STATUS_FAILED
STEPS = {
    "walrus paid": {"workflow": "請求 🧾", "step": "pay", "status": "succeeded"},
    "walrus not paid": {"workflow": "請求 🧾", "step": "pay", "status": "failed"},
    "walrus sent": {"workflow": "請求 🧾", "step": "send", "status": "succeeded"},
    "walrus fed": {"workflow": "zoo", "step": "pay", "status": "succeeded"},
}
FINDS: tuple[tuple[dict[str, Any], set[str]], ...] = (
    ({"workflow": "請求 🧾"}, {"walrus paid", "walrus not paid", "walrus sent"}),
    ({"workflow_step": "pay"}, {"walrus paid", "walrus not paid", "walrus fed"}),
    ({"workflow_status": FAILED}, {"walrus not paid"}),
    ({"workflow": "zoo", "workflow_status": FAILED}, set()),
    ({"workflow": "請求 🧾", "workflow_step": "pay", "workflow_status": SUCCEEDED}, {"walrus paid"}),
    ({"metadata": {"step": "send"}, "workflow": "請求 🧾"}, {"walrus sent"}),
    ({"metadata": {"step": "pay"}, "workflow_step": "pay", "workflow": "zoo"}, {"walrus fed"}),
)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


async def store_steps(server: Server, **fields: Any) -> None:
    """A chunk of each step, and a memory with the same metadata."""
    now = server.clock.now()
    rows = []
    for number, (text, metadata) in enumerate(STEPS.items(), 1):
        draft = MemoryDraft(content=text, metadata={**metadata, "place": 0}, **fields)
        memory = draft.memory(ALICE.agent_id, MemoryId(UUID(int=number)), now)
        rows.append(NewRow(memory._replace(kind=ChunkKind.WORKFLOW_STEP), None))
        await remember(server.alice, f"a memory of: {text}", metadata=metadata)
    database, notifier = server.app.kernel.database, ChangeNotifier(server.database.server_url)
    writer = MemoryWriter(ScopeWrites(database, notifier), server.app.kernel.keyring)
    await writer.import_rows(ALICE, rows, replace=False, after=None, now=now)


async def found(server: Server, **condition: Any) -> set[str]:
    wanted = pb.MemoryFilter(**condition)
    answer = await recall(server.alice, "walrus", sources=SOURCES, filter=wanted, **FRESH)
    return {hit.memory.content or hit.chunk.text for hit in answer.hits}


@pytest.mark.own_server
async def test_steps_are_found_by_workflow_step_and_status(server: Server) -> None:
    await store_steps(server)
    assert len(await found(server)) == 2 * len(STEPS)
    for condition, expected in FINDS:
        assert await found(server, **condition) == expected, condition


@pytest.mark.own_server
async def test_steps_that_are_encrypted_are_found_in_memory(server: Server) -> None:
    await store_steps(server, sensitivity=Sensitivity.RESTRICTED)
    in_memory = server.answered_from == "memory"
    for condition, expected in FINDS:
        assert await found(server, **condition) == (expected if in_memory else set()), condition


async def test_calls_and_results_are_found_by_their_tool(server: Server) -> None:
    events = [tool_event(f"walrus by {tool}", tool=tool) for tool in ("grep", "搜索")]
    await record_all(server.alice, events)
    await remember(server.alice, "walrus in a memory", metadata={"tool": "grep"})
    assert len(await found(server)) == 3
    for tool in ("grep", "搜索"):
        [text] = await found(server, tool=tool)
        assert f"walrus by {tool}" in text
    assert await found(server, tool="sed") == set()


@pytest.mark.own_server
async def test_no_memory_is_listed_exported_or_forgotten_by_what_chunks_say(server: Server) -> None:
    await store_steps(server)
    for condition in ({"workflow": "zoo"}, {"workflow_step": "pay"}, {"workflow_status": FAILED}, {"tool": "grep"}):
        wanted = pb.MemoryFilter(**condition)
        assert await listed(server.alice, wanted) == []
        parts = server.alice.begin(service.ExportMemoriesRequest(filter=wanted))
        assert [each async for part in parts for each in part.memories] == []
        forgotten = await server.alice(service.ForgetMemoriesRequest(filter=wanted))
        assert forgotten.forgotten == 0
    by_metadata = pb.MemoryFilter(metadata={"workflow": "zoo"})
    assert await listed(server.alice, by_metadata) == ["a memory of: walrus fed"]
    assert len(await found(server)) == 2 * len(STEPS)
