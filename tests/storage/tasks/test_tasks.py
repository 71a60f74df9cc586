"""Tasks in Postgres: versioned, found with those of the tenant."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from camillo_server.features.tasks.task import Task, TaskDraft, TaskFilter, TaskId, TaskStatus
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    MANY_SCRIPTS,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    ground_store,
    later,
    request,
)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


def task(scope: Scope = ALICE, title: str = "mend it", **stated: Any) -> Task:
    """A new one."""
    at = stated.pop("at", NOW)
    draft = TaskDraft(title, **stated)
    return Task(TaskId(uuid4()), scope.agent_id, draft, 1, at, at)


async def opened(store: GroundStore, made: Task, scope: Scope = ALICE) -> Task:
    await store.tasks.put(scope, made, None, None, texts={}, now=NOW)
    return made


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_a_task_is_read_as_it_was_written(store: GroundStore, level: Sensitivity) -> None:
    made = task(
        title=MANY_SCRIPTS,
        details=MANY_SCRIPTS,
        status=TaskStatus.BLOCKED,
        goal="g",
        plan_step="p",
        constraints=("c", MANY_SCRIPTS),
        refs=("log_1",),
        session_id="s1",
        sensitivity=level,
        channel=Channel.TEAM,
        tags=("t",),
    )
    await opened(store, made)
    assert await store.tasks.get(ALICE, [made.task_id]) == {made.task_id: made}
    assert ("会议" in str(store.rows("select * from tasks"))) is (level < Sensitivity.CONFIDENTIAL)
    assert await store.refs.missing(ALICE, [str(made.task_id)]) == []


async def test_a_change_takes_the_place_of_the_version_that_was_seen(store: GroundStore) -> None:
    made = await opened(store, task())
    done = replace(made, stated=TaskDraft("done", status=TaskStatus.DONE), updated_at=later(9))
    first = await store.tasks.put(ALICE, done, 1, None, texts={}, now=NOW)
    assert (await store.tasks.get(ALICE, [made.task_id]))[made.task_id] == replace(done, version=2)
    with pytest.raises(VersionConflict) as refused:
        await store.tasks.put(ALICE, made, 1, None, texts={}, now=NOW)
    assert refused.value.details == {"expected_version": 1, "actual_version": 2}
    for other in (BOB, SHARED, RIVAL):
        with pytest.raises(NotFound):
            await store.tasks.put(other, made, 2, None, texts={}, now=NOW)
    # The refused writes left no trace, not even a revision.
    again = await store.tasks.put(ALICE, done, 2, None, texts={}, now=NOW)
    assert again.revision == first.revision + 1


async def test_a_repeat_stores_nothing(store: GroundStore) -> None:
    first = await store.tasks.put(ALICE, task(), None, request(), texts={}, now=NOW)
    again = await store.tasks.put(ALICE, task(), None, request(), texts={}, now=NOW)
    assert again == first
    assert await store.tasks.first_answer(ALICE, request(), now=NOW) == first
    assert store.count("tasks") == 1


async def test_pages_go_through_own_and_shared_ones_the_last_changed_first(
    store: GroundStore,
) -> None:
    made = [
        await opened(store, task(scope, str(n), at=later(n % 3)), scope)
        for n, scope in enumerate((ALICE, SHARED, ALICE, BOB, SHARED, ALICE, RIVAL))
    ]
    reach = [made[n] for n in (0, 1, 2, 4, 5)]
    expected = sorted(reach, key=lambda each: (each.updated_at, each.task_id), reverse=True)
    seen: list[Task] = []
    after = None
    while page := await store.tasks.page(ALICE, TaskFilter(), after, 2):
        seen += page
        after = PageCursor(page[-1].updated_at, page[-1].task_id)
    assert seen == expected
    assert len(await store.tasks.page(SHARED, TaskFilter(), None, 9)) == 2


async def test_a_filter_lets_through_what_it_says(store: GroundStore) -> None:
    await opened(store, task(title="open", session_id="s2"))
    await opened(store, task(title="done", status=TaskStatus.DONE))
    await opened(store, task(title="public", channel=Channel.PUBLIC))
    await opened(store, task(title="secret", sensitivity=Sensitivity.CONFIDENTIAL))
    for wanted, expected in (
        (TaskFilter(), {"open", "public", "secret"}),
        (TaskFilter(statuses=(TaskStatus.DONE,)), {"done"}),
        (TaskFilter(session_id="s2"), {"open"}),
        (TaskFilter(is_public=True), {"public"}),
        (TaskFilter(sensitivities=(Sensitivity.CONFIDENTIAL,)), {"secret"}),
    ):
        found = await store.tasks.page(ALICE, wanted, None, 9)
        assert {each.stated.title for each in found} == expected, wanted
