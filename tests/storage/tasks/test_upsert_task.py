"""Tasks: opened, changed by version and by field, and requests that come twice."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from camillo_server.features.events.event import EventId
from camillo_server.features.tasks.task import Task, TaskChange, TaskDraft, TaskFilter, TaskId, TaskStatus
from camillo_server.features.tasks.tasks import Tasks
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import NotFound, RefNotFound, VersionConflict
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redactor

from tests.postgres_fixtures import TestDatabase
from tests.secret_samples import samples
from tests.storage.context.ground_store import (
    ALICE,
    NOW,
    SHARED,
    GroundStore,
    event,
    ground_store,
)

PAT = samples(5)["github-pat"]
KNOWN = EventId(UUID(int=7))
UNKNOWN = TaskId(UUID(int=1))
TEA = TaskDraft(title="Buy tea 茶", details="green", refs=(str(KNOWN),), tags=("shop",))


class Planning:
    """The use cases over Postgres, with a clock that goes on by a minute each time."""

    def __init__(self, store: GroundStore) -> None:
        self.store = store
        self.tasks = Tasks(store.tasks, store.refs, Redactor(), ChannelPolicy(), self)
        self.at = NOW

    def now(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at

    async def open(self, draft: TaskDraft = TEA, request_id: str = "", scope: Scope = ALICE) -> Task:
        return await self.change(TaskChange(None, 0, None, draft), request_id, scope)

    async def change(self, change: TaskChange, request_id: str = "", scope: Scope = ALICE) -> Task:
        request = RequestKey(request_id, bytes(32)) if request_id else None
        task, _, _ = await self.tasks.upsert(scope, change, request)
        return task

    async def stored(self, *task_ids: TaskId) -> dict[TaskId, Task]:
        return await self.store.tasks.get(ALICE, task_ids)


@pytest.fixture
async def planning(database: TestDatabase) -> AsyncIterator[Planning]:
    """The use case with an event that a task may cite."""
    async with ground_store(database) as store:
        await store.record(event(event_id=KNOWN), chunks=())
        yield Planning(store)


async def test_a_task_is_opened_and_changed_in_the_fields_that_are_named(
    planning: Planning,
) -> None:
    task = await planning.open()
    assert (task.version, task.stated, task.created_at) == (1, TEA, task.updated_at)
    doing = TaskDraft(title="not taken", status=TaskStatus.DOING, plan_step="at the shop")
    changed = await planning.change(TaskChange(task.task_id, 1, ["status", "plan_step"], doing))
    assert changed.stated == replace(TEA, status=TaskStatus.DOING, plan_step="at the shop")
    assert (changed.version, changed.created_at) == (2, task.created_at)
    assert changed.updated_at > task.updated_at
    whole = await planning.change(TaskChange(task.task_id, 2, None, doing))
    assert whole.stated == doing
    assert await planning.stored(task.task_id) == {task.task_id: whole}


async def test_only_the_version_that_was_seen_is_changed(planning: Planning) -> None:
    task = await planning.open()
    await planning.change(TaskChange(task.task_id, 1, ["details"], TEA))
    for seen in (1, 3):
        with pytest.raises(VersionConflict):
            await planning.change(TaskChange(task.task_id, seen, ["details"], TEA))
    with pytest.raises(NotFound):
        await planning.change(TaskChange(UNKNOWN, 1, None, TEA))
    assert (await planning.stored(task.task_id))[task.task_id].version == 2


async def test_a_shared_task_is_changed_in_the_shared_scope_alone(planning: Planning) -> None:
    shared = await planning.open(replace(TEA, refs=()), scope=SHARED)
    with pytest.raises(NotFound):
        await planning.change(TaskChange(shared.task_id, 1, None, TEA))
    assert await planning.tasks.get(ALICE, shared.task_id, Channel.TEAM) == shared


async def test_a_repeat_is_told_the_first_answer(planning: Planning) -> None:
    task = await planning.open(request_id="r1")
    assert await planning.open(request_id="r1") == task
    change = TaskChange(task.task_id, 1, ["details"], replace(TEA, details="black"))
    changed = await planning.change(change, "r2")
    await planning.change(TaskChange(task.task_id, 2, ["details"], TEA), "r3")
    assert await planning.change(change, "r2") == changed
    assert (await planning.stored(task.task_id))[task.task_id].version == 3
    assert planning.store.count("tasks") == 1


async def test_refs_are_looked_for_where_they_are_taken(planning: Planning) -> None:
    lost = replace(TEA, refs=(str(UNKNOWN),))
    with pytest.raises(RefNotFound):
        await planning.open(lost)
    task = await planning.open()
    await planning.change(TaskChange(task.task_id, 1, ["details"], lost))
    with pytest.raises(RefNotFound):
        await planning.change(TaskChange(task.task_id, 2, ["details", "refs"], lost))


async def test_secrets_are_taken_out(planning: Planning) -> None:
    draft = replace(TEA, title=f"use {PAT}", constraints=("plain", PAT))
    task, _, redactions = await planning.tasks.upsert(ALICE, TaskChange(None, 0, None, draft), None)
    assert [each.field for each in redactions] == ["title", "constraints[1]"]
    assert PAT not in repr(await planning.stored(task.task_id))
    assert task.stated.constraints[0] == "plain"


async def test_a_page_holds_what_the_channel_may_load(planning: Planning) -> None:
    secret = await planning.open(replace(TEA, sensitivity=Sensitivity.RESTRICTED))
    inner = await planning.open()
    shown = await planning.open(replace(TEA, sensitivity=Sensitivity.PUBLIC, channel=Channel.PUBLIC))
    for channel, expected in (
        (Channel.PRIVATE, [shown, inner, secret]),
        (Channel.TEAM, [shown, inner]),
        (Channel.PUBLIC, [shown]),
    ):
        page = await planning.tasks.list(ALICE, TaskFilter(), channel, None, 10)
        assert list(page) == expected
        for task in (secret, inner, shown):
            found = planning.tasks.get(ALICE, task.task_id, channel)
            if task in expected:
                assert await found == task
            else:
                with pytest.raises(NotFound):
                    await found


async def test_pages_of_tasks_follow_each_other_to_the_end(planning: Planning) -> None:
    opened = [await planning.open() for _ in range(5)]
    first = await planning.tasks.list(ALICE, TaskFilter(), Channel.PRIVATE, None, 3)
    after = PageCursor(first[2].updated_at, first[2].task_id)
    second = await planning.tasks.list(ALICE, TaskFilter(), Channel.PRIVATE, after, 3)
    assert (len(first), len(second)) == (4, 2)
    assert [*first[:3], *second] == opened[::-1]
