"""The synchronous client does what the asynchronous one does, in plain threads."""

from __future__ import annotations

import inspect
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from clients.python.tests.fake_server import FakeServer, Pauses
from clients.python.tests.fake_service import UNAVAILABLE

from camillo_client import (
    Admin,
    Artifacts,
    AsyncAdmin,
    AsyncArtifacts,
    AsyncCamillo,
    AsyncContext,
    AsyncDecisions,
    AsyncEvents,
    AsyncLifecycle,
    AsyncMemories,
    AsyncRecipes,
    AsyncRuns,
    AsyncSlots,
    AsyncSpool,
    AsyncTasks,
    AsyncViews,
    Camillo,
    Context,
    Decisions,
    Events,
    Lifecycle,
    Memories,
    Recipes,
    Runs,
    Slots,
    Spool,
    Tasks,
    Views,
    errors,
)
from camillo_client.errors import CamilloError

GENERATOR = Path(__file__).parent.parent / "tools" / "generate_sync.py"


def test_the_generated_files_are_up_to_date() -> None:
    check = subprocess.run(  # noqa: S603
        [sys.executable, str(GENERATOR), "--check"], capture_output=True, text=True, check=False
    )
    assert (check.returncode, check.stderr) == (0, "")


@pytest.mark.parametrize(
    ("twin", "source", "count"),
    [
        (Camillo, AsyncCamillo, 14),
        (Memories, AsyncMemories, 13),
        (Admin, AsyncAdmin, 10),
        (Artifacts, AsyncArtifacts, 10),
        (Events, AsyncEvents, 7),
        (Decisions, AsyncDecisions, 5),
        (Tasks, AsyncTasks, 5),
        (Context, AsyncContext, 5),
        (Views, AsyncViews, 4),
        (Recipes, AsyncRecipes, 3),
        (Lifecycle, AsyncLifecycle, 15),
        (Runs, AsyncRuns, 5),
        (Slots, AsyncSlots, 5),
        (Spool, AsyncSpool, 5),
    ],
)
def test_both_have_the_same_methods_with_the_same_parameters(twin: type, source: type, count: int) -> None:
    def parameters(kind: type) -> dict[str, list[str]]:
        methods = inspect.getmembers(kind, callable)
        public = ((name, method) for name, method in methods if not name.startswith("_"))
        return {name: list(inspect.signature(method).parameters) for name, method in public}

    assert parameters(twin) == parameters(source)
    assert len(parameters(source)) >= count


def test_a_mutation_is_retried_under_one_request_id(sync_client: Camillo, thread_server: FakeServer) -> None:
    thread_server.desk.refuse("Remember", UNAVAILABLE, UNAVAILABLE)
    assert sync_client.remember("tea", kind="preference").content == "tea"
    assert len({r.request_id for r in thread_server.desk.of("Remember")}) == 1
    assert len(thread_server.desk.of("Remember")) == 3


def test_reads_see_the_last_write(sync_client: Camillo, thread_server: FakeServer) -> None:
    sync_client.remember("tea")
    assert len(sync_client.recall("tea").hits) == 1
    (answer,) = sync_client.recall_many(["tea"])
    assert not isinstance(answer, CamilloError)
    assert thread_server.desk.of("Recall")[0].freshness.at_least_as_fresh.token == "db1/ada/1"  # noqa: S105


def test_errors_are_typed(sync_client: Camillo) -> None:
    with pytest.raises(errors.MemoryNotFound) as raised:
        sync_client.get("nobody")
    assert raised.value.metadata == {"memory_id": "nobody"}


def test_lists_and_exports_are_plain_iterators(sync_client: Camillo) -> None:
    sync_client.remember_many(["a", "b", "c"])
    assert [memory.content for memory in sync_client.list_memories(page_size=2)] == ["a", "b", "c"]
    assert [memory.content for memory in sync_client.export()] == ["a", "b", "c"]
    assert [tenant.tenant_id for tenant in sync_client.admin.list_tenants()] == ["tenant", "tenant2"]


def test_a_watch_resumes_where_it_broke(sync_client: Camillo, thread_server: FakeServer, pauses: Pauses) -> None:
    for number in (1, 2, 3):
        thread_server.memories.change(number)
    thread_server.memories.breaks = [2]
    changes = sync_client.watch(from_beginning=True)
    taken = [next(changes).forgotten_memory_id for _ in range(3)]
    changes.close()
    assert taken == ["m1", "m2", "m3"]
    assert len(pauses) == 1


def test_threads_share_a_client(sync_client: Camillo, thread_server: FakeServer) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: sync_client.remember(f"memory {number}"), range(50)))
        answers = list(pool.map(lambda _: sync_client.recall("memory"), range(8)))
    assert [len(answer.hits) for answer in answers] == [50] * 8
    assert len({r.request_id for r in thread_server.desk.of("Remember")}) == 50
