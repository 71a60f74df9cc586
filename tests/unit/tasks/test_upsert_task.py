"""Tasks: opened, changed by version and by field, and requests that come twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import NotFound, RefNotFound, VersionConflict
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.tasks.task import (
    Task,
    TaskCursor,
    TaskDraft,
    TaskFilter,
    TaskId,
    TaskReplay,
    TaskStatus,
)
from camillo_server.tasks.tasks import GetTask, ListTasks, TaskChange, UpsertTask

from tests.secret_samples import samples
from tests.unit.events.events_in_memory import KnownRefs
from tests.unit.events.samples import MOMENT, SCOPE

PAT = samples(5)["github-pat"]
TEA = TaskDraft(title="Buy tea 茶", details="green", refs=("known",), tags=("shop",))
POLICY = ChannelPolicy()


@dataclass
class TasksInMemory:
    """`TaskStore` of one scope and the shared one; repeats are known by their id."""

    tasks: dict[TaskId, Task] = field(default_factory=dict)
    answers: dict[str, Written[TaskReplay]] = field(default_factory=dict)
    revision: int = 0
    stated: Mapping[str, str] = field(default_factory=dict)

    async def put(
        self,
        scope: Scope,
        task: Task,
        expected_version: int | None,
        replay: TaskReplay,
        request: RequestKey | None,
        *,
        stated: Mapping[str, str],
        now: datetime,
    ) -> Written[TaskReplay]:
        self.stated = stated
        if first := await self.first_answer(scope, request, now=now):
            return first
        if expected_version is not None:
            assert self.tasks[task.task_id].version == expected_version
        self.tasks[task.task_id] = task
        self.revision += 1
        if request is not None:
            self.answers[request.request_id] = Written(self.revision, replay, is_repeat=True)
        return Written(self.revision, replay)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[TaskReplay] | None:
        return None if request is None else self.answers.get(request.request_id)

    async def get(self, scope: Scope, task_ids: Sequence[TaskId]) -> dict[TaskId, Task]:
        return {each: self.tasks[each] for each in task_ids if each in self.tasks}

    async def page(
        self, scope: Scope, wanted: TaskFilter, after: TaskCursor | None, size: int
    ) -> Sequence[Task]:
        found = [
            task
            for task in self.tasks.values()
            if task.stated.sensitivity in wanted.sensitivities
            and task.stated.status in wanted.statuses
            and (not wanted.is_public or task.stated.channel is Channel.PUBLIC)
        ]
        found.sort(key=lambda task: (task.updated_at, task.task_id), reverse=True)
        places = [TaskCursor(task.updated_at, task.task_id) for task in found]
        return found[places.index(after) + 1 if after else 0 :][:size]


class Planning:
    """The use case over tasks in memory, with a clock that goes on by a minute each time."""

    def __init__(self) -> None:
        self.store = TasksInMemory()
        self.upsert = UpsertTask(self.store, KnownRefs({"known"}), SecretRedactor(), self)
        self.at = MOMENT

    def now(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at

    async def open(self, draft: TaskDraft = TEA, request_id: str = "") -> Task:
        return await self.change(TaskChange(None, 0, None, draft), request_id)

    async def change(self, change: TaskChange, request_id: str = "") -> Task:
        request = RequestKey(request_id, bytes(32)) if request_id else None
        task, _, _ = await self.upsert(SCOPE, change, request)
        return task


async def test_a_task_is_opened_and_changed_in_the_fields_that_are_named() -> None:
    planning = Planning()
    task = await planning.open()
    assert (task.version, task.stated, task.created_at) == (1, TEA, task.updated_at)
    doing = TaskDraft(title="not taken", status=TaskStatus.DOING, plan_step="at the shop")
    changed = await planning.change(TaskChange(task.task_id, 1, ["status", "plan_step"], doing))
    assert changed.stated == replace(TEA, status=TaskStatus.DOING, plan_step="at the shop")
    assert (changed.version, changed.created_at) == (2, task.created_at)
    assert changed.updated_at > task.updated_at
    whole = await planning.change(TaskChange(task.task_id, 2, None, doing))
    assert whole.stated == doing
    assert planning.store.tasks == {task.task_id: whole}


async def test_only_the_version_that_was_seen_is_changed() -> None:
    planning = Planning()
    task = await planning.open()
    await planning.change(TaskChange(task.task_id, 1, ["details"], TEA))
    for seen in (1, 3):
        with pytest.raises(VersionConflict):
            await planning.change(TaskChange(task.task_id, seen, ["details"], TEA))
    with pytest.raises(NotFound):
        await planning.change(TaskChange(TaskId(UUID(int=1)), 1, None, TEA))
    assert planning.store.tasks[task.task_id].version == 2


async def test_a_shared_task_is_changed_in_the_shared_scope_alone() -> None:
    planning = Planning()
    task = await planning.open()
    shared = replace(task, agent_id=AgentId(""))
    planning.store.tasks[task.task_id] = shared
    with pytest.raises(NotFound):
        await planning.change(TaskChange(task.task_id, 1, None, TEA))
    assert await GetTask(planning.store, POLICY)(SCOPE, task.task_id, Channel.TEAM) == shared


async def test_a_repeat_is_told_the_first_answer() -> None:
    planning = Planning()
    task = await planning.open(request_id="r1")
    assert await planning.open(request_id="r1") == task
    change = TaskChange(task.task_id, 1, ["details"], replace(TEA, details="black"))
    changed = await planning.change(change, "r2")
    await planning.change(TaskChange(task.task_id, 2, ["details"], TEA), "r3")
    assert await planning.change(change, "r2") == changed
    assert planning.store.tasks[task.task_id].version == 3
    assert len(planning.store.tasks) == 1


async def test_refs_are_looked_for_where_they_are_taken() -> None:
    planning = Planning()
    lost = replace(TEA, refs=("gone",))
    with pytest.raises(RefNotFound):
        await planning.open(lost)
    task = await planning.open()
    await planning.change(TaskChange(task.task_id, 1, ["details"], lost))
    with pytest.raises(RefNotFound):
        await planning.change(TaskChange(task.task_id, 2, ["details", "refs"], lost))


async def test_secrets_are_taken_out() -> None:
    planning = Planning()
    draft = replace(TEA, title=f"use {PAT}", constraints=("plain", PAT))
    task, _, redactions = await planning.upsert(SCOPE, TaskChange(None, 0, None, draft), None)
    assert [each.field for each in redactions] == ["title", "constraints[1]"]
    assert PAT not in repr(planning.store.tasks)
    assert task.stated.constraints[0] == "plain"


async def test_a_page_holds_what_the_channel_may_load() -> None:
    planning = Planning()
    secret = await planning.open(replace(TEA, sensitivity=Sensitivity.RESTRICTED))
    inner = await planning.open()
    shown = await planning.open(
        replace(TEA, sensitivity=Sensitivity.PUBLIC, channel=Channel.PUBLIC)
    )
    listing = ListTasks(planning.store, POLICY)
    for channel, expected in (
        (Channel.PRIVATE, [shown, inner, secret]),
        (Channel.TEAM, [shown, inner]),
        (Channel.PUBLIC, [shown]),
    ):
        page = await listing(SCOPE, TaskFilter(), channel, None, 10)
        assert list(page.tasks) == expected
        for task in (secret, inner, shown):
            found = GetTask(planning.store, POLICY)(SCOPE, task.task_id, channel)
            if task in expected:
                assert await found == task
            else:
                with pytest.raises(NotFound):
                    await found


async def test_pages_of_tasks_follow_each_other_to_the_end() -> None:
    planning = Planning()
    opened = [await planning.open() for _ in range(5)]
    listing = ListTasks(planning.store, POLICY)
    first = await listing(SCOPE, TaskFilter(), Channel.PRIVATE, None, 3)
    second = await listing(SCOPE, TaskFilter(), Channel.PRIVATE, first.next_cursor, 3)
    assert [*first.tasks, *second.tasks] == opened[::-1]
    assert first.next_cursor is not None
    assert second.next_cursor is None
