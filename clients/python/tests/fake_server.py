"""The fake services behind a port, in the test's own loop or in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import grpc.aio
from clients.python.tests.fake_admin import FakeAdmin
from clients.python.tests.fake_artifacts import FakeArtifacts
from clients.python.tests.fake_events import FakeEvents
from clients.python.tests.fake_knowledge import FakeAudit, FakeKnowledge
from clients.python.tests.fake_lifecycle import FakeLifecycle
from clients.python.tests.fake_records import FakeDecisions, FakeTasks
from clients.python.tests.fake_runs import FakeRuns
from clients.python.tests.fake_service import Desk, FakeMemories
from clients.python.tests.fake_slots import FakeSlots
from clients.python.tests.fake_snapshots import FakeSnapshots
from clients.python.tests.fake_spool import FakeSpool

from camillo.v1.admin_service_pb2_grpc import add_AdminServiceServicer_to_server
from camillo.v1.artifact_service_pb2_grpc import add_ArtifactServiceServicer_to_server
from camillo.v1.audit_service_pb2_grpc import add_AuditServiceServicer_to_server
from camillo.v1.decision_service_pb2_grpc import add_DecisionServiceServicer_to_server
from camillo.v1.event_service_pb2_grpc import add_EventServiceServicer_to_server
from camillo.v1.knowledge_service_pb2_grpc import add_KnowledgeServiceServicer_to_server
from camillo.v1.lifecycle_service_pb2_grpc import add_LifecycleServiceServicer_to_server
from camillo.v1.memory_service_pb2_grpc import add_MemoryServiceServicer_to_server
from camillo.v1.run_service_pb2_grpc import add_RunServiceServicer_to_server
from camillo.v1.slot_service_pb2_grpc import add_SlotServiceServicer_to_server
from camillo.v1.snapshot_service_pb2_grpc import add_SnapshotServiceServicer_to_server
from camillo.v1.spool_service_pb2_grpc import add_SpoolServiceServicer_to_server
from camillo.v1.task_service_pb2_grpc import add_TaskServiceServicer_to_server


class Pauses(list[float]):
    """The pauses a client would have made."""

    async def wait(self, seconds: float) -> None:
        self.append(seconds)


@dataclass
class FakeServer:
    """A running server and what stands behind it."""

    address: str
    desk: Desk
    memories: FakeMemories
    artifacts: FakeArtifacts
    events: FakeEvents
    decisions: FakeDecisions
    tasks: FakeTasks
    slots: FakeSlots
    snapshots: FakeSnapshots
    knowledge: FakeKnowledge


@asynccontextmanager
async def running() -> AsyncIterator[FakeServer]:
    """A server in the current loop."""
    desk = Desk()
    memories = FakeMemories(desk)  # type: ignore[abstract]
    artifacts = FakeArtifacts(desk)
    events, decisions = FakeEvents(desk, memories), FakeDecisions(desk, memories)
    tasks, snapshots = FakeTasks(desk, memories), FakeSnapshots(desk, memories)
    slots = FakeSlots(desk, memories)
    # Methods that tests do not call are unimplemented.
    knowledge = FakeKnowledge(desk, memories)  # type: ignore[abstract]
    trail = FakeAudit(desk, memories)  # type: ignore[abstract]
    server = grpc.aio.server(options=[("grpc.max_receive_message_length", 16 * 1024 * 1024)])
    add_MemoryServiceServicer_to_server(memories, server)
    add_AdminServiceServicer_to_server(FakeAdmin(desk), server)
    add_ArtifactServiceServicer_to_server(artifacts, server)
    add_EventServiceServicer_to_server(events, server)
    add_DecisionServiceServicer_to_server(decisions, server)
    add_TaskServiceServicer_to_server(tasks, server)
    add_SlotServiceServicer_to_server(slots, server)
    add_SnapshotServiceServicer_to_server(snapshots, server)
    add_LifecycleServiceServicer_to_server(FakeLifecycle(desk, memories), server)
    add_RunServiceServicer_to_server(FakeRuns(desk, memories), server)
    add_KnowledgeServiceServicer_to_server(knowledge, server)
    add_AuditServiceServicer_to_server(trail, server)
    add_SpoolServiceServicer_to_server(FakeSpool(desk), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield FakeServer(
            f"127.0.0.1:{port}", desk, memories, artifacts, events, decisions, tasks, slots, snapshots, knowledge
        )
    finally:
        await server.stop(None)


@contextmanager
def running_in_thread() -> Iterator[FakeServer]:
    """A server in a loop of its own, for callers that block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    context = running()
    try:
        yield asyncio.run_coroutine_threadsafe(context.__aenter__(), loop).result(10)
    finally:
        asyncio.run_coroutine_threadsafe(context.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
