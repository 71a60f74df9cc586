"""Tasks: the work of an agent, across sessions."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Unpack

from grpc.aio import Channel

from camillo.v1.task_pb2 import Task
from camillo.v1.task_service_pb2 import GetTaskRequest, ListTasksRequest, UpsertTaskRequest
from camillo.v1.task_service_pb2_grpc import TaskServiceStub
from camillo_client._async.caller import Caller
from camillo_client._async.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions
from camillo_client.task_fields import (
    ChangedTaskFields,
    TaskFields,
    TaskStatusLike,
    changed_task,
    new_task,
    task_statuses,
)


class AsyncTasks(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel
    in which the answer will be shown. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._tasks = TaskServiceStub(channel)

    async def open(
        self,
        title: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[TaskFields],
    ) -> Task:
        """Opens a task; see TaskFields for the rest."""
        request = UpsertTaskRequest(agent_id=self._agent(agent_id), task=new_task(title, **fields))
        return await self._upsert(request, request_id, timeout)

    async def update(
        self,
        task_id: str,
        expected_version: int,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[ChangedTaskFields],
    ) -> Task:
        """Changes the fields given; VersionConflict if the task is no longer at `expected_version`."""
        task, update_mask = changed_task(**fields)
        request = UpsertTaskRequest(
            agent_id=self._agent(agent_id),
            task_id=task_id,
            expected_version=expected_version,
            update_mask=update_mask,
            task=task,
        )
        return await self._upsert(request, request_id, timeout)

    async def move(
        self,
        task_id: str,
        expected_version: int,
        status: TaskStatusLike,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Task:
        """Changes the status of a task; VersionConflict if it is no longer at `expected_version`."""
        return await self.update(
            task_id,
            expected_version,
            agent_id=agent_id,
            request_id=request_id,
            timeout=timeout,
            status=status,
        )

    async def get(
        self,
        task_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Task:
        """One task; TaskNotFound if there is none."""
        request = GetTaskRequest(agent_id=self._agent(agent_id), task_id=task_id, channel=to_channel(channel))
        return (await self._calls.unary(self._tasks.GetTask, request, timeout)).task

    async def list(
        self,
        *,
        statuses: Iterable[TaskStatusLike] = (),
        session_id: str = "",
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Task]:
        """Tasks, the last changed first; without `statuses` those that are neither done nor cancelled. The timeout
        applies to each page."""
        request = ListTasksRequest(
            agent_id=self._agent(agent_id),
            statuses=task_statuses(statuses),
            session_id=session_id,
            channel=to_channel(channel),
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._tasks.ListTasks, page, timeout), request)
        async for page in pages:
            for task in page.tasks:
                yield task

    async def _upsert(self, request: UpsertTaskRequest, request_id: str | None, timeout: float | None) -> Task:
        answer = await self._write(self._tasks.UpsertTask, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.task
