"""All that a space holds, collected to be taken elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grpc.aio import Channel

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.decision_pb2 import Decision, DecisionStatus, NewDecision
from camillo.v1.decision_service_pb2 import RecordDecisionRequest
from camillo.v1.decision_service_pb2_grpc import DecisionServiceStub
from camillo.v1.memory_pb2 import ArchivedFilter, Memory, MemoryFilter
from camillo.v1.space_service_pb2 import GetSpaceResponse
from camillo.v1.task_pb2 import NewTask, Task
from camillo.v1.task_service_pb2 import UpsertTaskRequest
from camillo.v1.task_service_pb2_grpc import TaskServiceStub
from camillo_client._async.artifacts import AsyncArtifacts
from camillo_client._async.caller import Caller
from camillo_client._async.calls import Calls
from camillo_client._async.context import AsyncViews
from camillo_client._async.decisions import AsyncDecisions
from camillo_client._async.events import AsyncEvents
from camillo_client._async.memories import AsyncMemories
from camillo_client._async.slots import AsyncSlots
from camillo_client._async.tasks import AsyncTasks
from camillo_client.call_metadata import SHARED
from camillo_client.errors import NotFound
from camillo_client.revisions import WrittenRevisions
from camillo_client.space_files import SpaceDraft
from camillo_client.task_fields import TaskStatusName

ALL_MEMORIES = MemoryFilter(archived=ArchivedFilter.ARCHIVED_FILTER_INCLUDE)
ALL_DECISIONS = (DecisionStatus.DECISION_STATUS_ACTIVE, DecisionStatus.DECISION_STATUS_SUPERSEDED)
ALL_TASKS: tuple[TaskStatusName, ...] = ("open", "doing", "blocked", "done", "cancelled")
# Made anew from other rows, or counted by their versions.
DERIVED = frozenset(("chunks", "memory_vectors", "slots"))


class SpaceParts(Caller):
    """The parts of a client through which one space is read and written."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, space: str) -> None:
        super().__init__(calls, written, space)
        self._decisions = DecisionServiceStub(channel)
        self._tasks = TaskServiceStub(channel)
        self.agent_id = "" if space == SHARED else space
        self.memories = AsyncMemories(channel, calls, written, space)
        self.events = AsyncEvents(channel, calls, written, space)
        self.artifacts = AsyncArtifacts(channel, calls, written, space)
        self.slots = AsyncSlots(channel, calls, written, space)
        self.decisions = AsyncDecisions(channel, calls, written, space)
        self.tasks = AsyncTasks(channel, calls, written, space)
        self.views = AsyncViews(channel, calls, written, space)

    async def record_decision(self, stated: NewDecision, request_id: str) -> Decision:
        request = RecordDecisionRequest(agent_id=self._agent_id, decision=stated)
        return (await self._write(self._decisions.RecordDecision, request, request_id, None)).decision

    async def open_task(self, stated: NewTask, request_id: str) -> Task:
        request = UpsertTaskRequest(agent_id=self._agent_id, task=stated)
        return (await self._write(self._tasks.UpsertTask, request, request_id, None)).task


class SpaceExport:
    """Fills a draft with the records of a space, store by store."""

    def __init__(self, parts: SpaceParts, draft: SpaceDraft, *, include_vectors: bool) -> None:
        self._parts = parts
        self._draft = draft
        self._include_vectors = include_vectors
        self._rows: Counter[str] = Counter()

    async def collect(self, before: GetSpaceResponse) -> Mapping[str, int]:
        """Returns the rows by store, of those that were there before, which are left out."""
        parts, draft = self._parts, self._draft
        # Lists that begin with the newest are turned round.
        async for artifact in parts.artifacts.list(page_size=200):
            await self._add_artifact(artifact)
        async for event in parts.events.list(page_size=1_000):
            draft.add("events", event.recorded_at, event)
        async for memory in parts.memories.export(ALL_MEMORIES, include_vectors=self._include_vectors):
            await self._add_memory(memory)
        async for slot in parts.slots.export():
            draft.add("slots", slot.updated_at, slot)
        async for decision in parts.decisions.list(statuses=ALL_DECISIONS, page_size=200):
            draft.add("decisions", decision.created_at, decision, -draft.counts["decisions"])
        async for task in parts.tasks.list(statuses=ALL_TASKS, page_size=200):
            draft.add("tasks", task.updated_at, task, -draft.counts["tasks"])
        for view in await parts.views.list():
            # Texts of the tenant are listed with the space's own.
            if view.agent_id == parts.agent_id:
                draft.add("views", view.updated_at, view)
        self._rows.update(
            {store: draft.counts[store] for store in ("artifacts", "events", "decisions", "tasks", "views")}
        )
        self._rows["slot_versions"] = draft.counts["slots"]
        rows = {each.store: each.rows - self._rows[each.store] for each in before.space.usage.stores}
        return {store: count for store, count in rows.items() if count > 0 and store not in DERIVED}

    async def _add_artifact(self, artifact: Artifact) -> None:
        self._draft.add("artifacts", artifact.created_at, artifact, -self._draft.counts["artifacts"])
        try:
            async for part in self._parts.artifacts.stream(artifact.artifact_id):
                if part.data:
                    self._draft.add_part(part.data)
        except NotFound:
            # It went while it was read.
            self._draft.take_back("artifacts")

    async def _add_memory(self, memory: Memory) -> None:
        """The memory in each of its versions."""
        self._draft.add("memories", memory.updated_at, memory, memory.version)
        self._rows["memories"] += 1
        if memory.version == 1:
            return
        try:
            async for revision in self._parts.memories.history(memory.memory_id, page_size=200):
                if revision.memory.version < memory.version:
                    version = revision.memory.version
                    self._draft.add("memories", revision.memory.updated_at, revision.memory, version)
                    self._rows["memory_history"] += 1
        except NotFound:
            # Forgotten since it was read: it has no earlier versions any more.
            return
