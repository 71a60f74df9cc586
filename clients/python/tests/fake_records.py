"""Decisions and tasks in memory: small services that take every call."""

from __future__ import annotations

import grpc
from clients.python.tests.fake_service import Context, Desk, FakeMemories, abort, redactions_of, status
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped, unused-ignore]

from camillo.v1 import decision_service_pb2, task_service_pb2
from camillo.v1.decision_pb2 import Decision, DecisionStatus, NewDecision
from camillo.v1.decision_service_pb2_grpc import DecisionServiceServicer
from camillo.v1.task_pb2 import Task, TaskStatus
from camillo.v1.task_service_pb2_grpc import TaskServiceServicer


def not_found(noun: str, id_: str) -> Status:
    metadata = {f"{noun}_id": id_}
    return status(grpc.StatusCode.NOT_FOUND, f"{noun.upper()}_NOT_FOUND", message=f"no such {noun}", metadata=metadata)


class FakeDecisions(DecisionServiceServicer):
    """Decisions by id."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.decisions: dict[str, Decision] = {}

    async def _store(self, agent_id: str, stated: NewDecision, context: Context) -> Decision:
        if not stated.refs:
            await abort(
                context,
                status(
                    grpc.StatusCode.FAILED_PRECONDITION, "PROVENANCE_REQUIRED", message="a decision rests on something"
                ),
            )
        self.memories.counters[agent_id] += 1
        decision = Decision(
            decision_id=f"d{len(self.decisions)}",
            agent_id=agent_id,
            stated=stated,
            status=DecisionStatus.DECISION_STATUS_ACTIVE,
            version=1,
        )
        self.decisions[decision.decision_id] = decision
        return decision

    async def RecordDecision(
        self, request: decision_service_pb2.RecordDecisionRequest, context: Context
    ) -> decision_service_pb2.RecordDecisionResponse:
        await self.desk.enter("RecordDecision", request, context)
        decision = await self._store(request.agent_id, request.decision, context)
        return decision_service_pb2.RecordDecisionResponse(
            decision=decision,
            revision=self.memories.revision(request.agent_id),
            redactions=redactions_of(request.decision.decision),
        )

    async def SupersedeDecision(
        self, request: decision_service_pb2.SupersedeDecisionRequest, context: Context
    ) -> decision_service_pb2.SupersedeDecisionResponse:
        await self.desk.enter("SupersedeDecision", request, context)
        old = self.decisions[request.decision_id]
        if request.HasField("decision"):
            new = await self._store(request.agent_id, request.decision, context)
        else:
            self.memories.counters[request.agent_id] += 1
            new = self.decisions[request.successor_id]
        old.status, old.superseded_by = DecisionStatus.DECISION_STATUS_SUPERSEDED, new.decision_id
        old.version += 1
        new.supersedes.append(old.decision_id)
        return decision_service_pb2.SupersedeDecisionResponse(
            decision=new, superseded=old, revision=self.memories.revision(request.agent_id)
        )

    async def GetDecision(
        self, request: decision_service_pb2.GetDecisionRequest, context: Context
    ) -> decision_service_pb2.GetDecisionResponse:
        await self.desk.enter("GetDecision", request, context)
        if request.decision_id not in self.decisions:
            await abort(context, not_found("decision", request.decision_id))
        decision = self.decisions[request.decision_id]
        return decision_service_pb2.GetDecisionResponse(decision=decision)

    async def QueryDecisions(
        self, request: decision_service_pb2.QueryDecisionsRequest, context: Context
    ) -> decision_service_pb2.QueryDecisionsResponse:
        await self.desk.enter("QueryDecisions", request, context)
        wanted = list(request.filter.statuses) or [DecisionStatus.DECISION_STATUS_ACTIVE]
        found = [
            decision_service_pb2.FoundDecision(decision=each, score=0.5 if request.text else 0)
            for each in reversed(self.decisions.values())
            if each.status in wanted and request.text in each.stated.decision
        ]
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        more = end < len(found) and not request.text
        return decision_service_pb2.QueryDecisionsResponse(
            decisions=found[start:end], next_page_token=str(end) if more else ""
        )


class FakeTasks(TaskServiceServicer):
    """Tasks by id; versions are checked."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.tasks: dict[str, Task] = {}

    async def UpsertTask(
        self, request: task_service_pb2.UpsertTaskRequest, context: Context
    ) -> task_service_pb2.UpsertTaskResponse:
        await self.desk.enter("UpsertTask", request, context)
        self.memories.counters[request.agent_id] += 1
        if not request.task_id:
            task = Task(task_id=f"t{len(self.tasks)}", version=1, stated=request.task)
            task.stated.status = request.task.status or TaskStatus.TASK_STATUS_OPEN
            self.tasks[task.task_id] = task
        else:
            task = self.tasks[request.task_id]
            if task.version != request.expected_version:
                versions = {"expected_version": str(request.expected_version)}
                conflict = status(grpc.StatusCode.ABORTED, "VERSION_CONFLICT", message="moved on", metadata=versions)
                await abort(context, conflict)
            request.update_mask.MergeMessage(request.task, task.stated, True, True)
            task.version += 1
        return task_service_pb2.UpsertTaskResponse(
            task=task, revision=self.memories.revision(request.agent_id), redactions=redactions_of(request.task.title)
        )

    async def GetTask(
        self, request: task_service_pb2.GetTaskRequest, context: Context
    ) -> task_service_pb2.GetTaskResponse:
        await self.desk.enter("GetTask", request, context)
        if request.task_id not in self.tasks:
            await abort(context, not_found("task", request.task_id))
        return task_service_pb2.GetTaskResponse(task=self.tasks[request.task_id])

    async def ListTasks(
        self, request: task_service_pb2.ListTasksRequest, context: Context
    ) -> task_service_pb2.ListTasksResponse:
        await self.desk.enter("ListTasks", request, context)
        hidden = (TaskStatus.TASK_STATUS_DONE, TaskStatus.TASK_STATUS_CANCELLED)
        found = [
            task
            for task in self.tasks.values()
            if (task.stated.status in request.statuses if request.statuses else task.stated.status not in hidden)
        ]
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        return task_service_pb2.ListTasksResponse(
            tasks=found[start:end], next_page_token=str(end) if end < len(found) else ""
        )
