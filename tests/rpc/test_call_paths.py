"""A call stays at home: traced, it enters its own feature and the rooms below."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

import camillo_server
import pytest
from camillo.v1.context_pb2 import View
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import RecordDecisionRequest
from camillo.v1.event_service_pb2 import RecordEventRequest
from camillo.v1.memory_pb2 import NewMemory
from camillo.v1.memory_service_pb2 import ForgetMemoriesRequest, RecallRequest, RememberRequest
from camillo.v1.snapshot_service_pb2 import PutViewRequest
from camillo.v1.task_pb2 import NewTask
from camillo.v1.task_service_pb2 import ListTasksRequest, UpsertTaskRequest
from camillo_server.assembly import memory_service
from google.protobuf.message import Message

from tests.rpc.records import open_task, text_event
from tests.server_fixtures import Caller, Server
from tests.test_architecture import FEATURES, ROOT, room

PACKAGE = Path(camillo_server.__file__).parent


@contextmanager
def entered_files() -> Iterator[set[str]]:
    """The server's files of which the tasks of calls that begin in the block run a function; not those of background
    tasks, nor of watches that another test has left open on the same server."""
    files: set[str] = set()
    calls: set[asyncio.Task[Any] | None] = set()
    before = asyncio.all_tasks()
    prefix = f"{PACKAGE}/"

    def notice(frame: FrameType, event: str, argument: object) -> None:
        name = frame.f_code.co_filename
        if name.startswith(prefix):
            name, task = name.removeprefix(prefix), current_task()
            if name == "doors/rpc/pipeline.py" and task not in before:
                calls.add(task)
            if task in calls:
                files.add(name)

    sys.setprofile(notice)
    try:
        yield files
    finally:
        sys.setprofile(None)


def current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


async def remember(caller: Caller) -> Message:
    return RememberRequest(memory=NewMemory(content=f"Kettle 7 boils 茶 {uuid4()}"))


async def recall(caller: Caller) -> Message:
    await caller(await remember(caller))
    return RecallRequest(text="kettle")


async def forget(caller: Caller) -> Message:
    request = ForgetMemoriesRequest()
    request.memory_ids.ids.append((await caller(await remember(caller))).memory.memory_id)
    return request


async def record_event(caller: Caller) -> Message:
    return RecordEventRequest(event=text_event("The kettle boils 茶"))


async def decide(caller: Caller) -> Message:
    task = await open_task(caller, "boil it")
    return RecordDecisionRequest(decision=NewDecision(decision="boil", refs=[task.task_id]))


async def open_a_task(caller: Caller) -> Message:
    return UpsertTaskRequest(task=NewTask(title="boil it"))


async def list_tasks(caller: Caller) -> Message:
    await open_task(caller, "boil it")
    return ListTasksRequest()


async def put_view(caller: Caller) -> Message:
    return PutViewRequest(view=View(name=f"v{uuid4()}", text="text"))


# A function that makes a request, its own feature, and the others whose code the call runs. A commit also tells the
# caches of two features, which subscribe to changes (`storage/change_notifier.py`). A bundle and a run read what every
# feature has.
SUBSCRIBERS = {"search", "across.context", "features.slots"}
CALLS: Mapping[str, tuple[Callable[[Caller], Awaitable[Message]], str, set[str]]] = {
    "Remember": (remember, "features.memories", {"across.lifecycle"}),
    "Recall": (recall, "search", set()),
    "ForgetMemories": (forget, "across.forgetting", set()),
    "RecordEvent": (record_event, "features.events", set()),
    "RecordDecision": (decide, "features.decisions", set()),
    "UpsertTask": (open_a_task, "features.tasks", set()),
    "ListTasks": (list_tasks, "features.tasks", set()),
    "PutView": (put_view, "across.context", set()),
}


# Only texts with some characters are searched for secrets.
DIFFERENT_TEXTS = ("The kettle boils", "茶壶 7 开了", "Tea, 茶, at 5")


async def files_of_remember(caller: Caller, text: str) -> set[str]:
    with entered_files() as files:
        await caller(RememberRequest(memory=NewMemory(content=text)))
    return files


@pytest.mark.parametrize("name", CALLS)
async def test_a_call_enters_its_feature_and_at_most_two_others(server: Server, name: str) -> None:
    make_request, own, others = CALLS[name]
    # Once before: what is loaded and prepared by a first call is not the path of the next one.
    await server.alice(await make_request(server.alice))
    request = await make_request(server.alice)
    with entered_files() as files:
        await server.alice(request)
    rooms = {room(file.removesuffix(".py").replace("/", ".")) for file in files}
    assert {own, "doors.rpc", "kernel"} <= rooms
    assert (rooms & FEATURES) - {own} - SUBSCRIBERS == others - SUBSCRIBERS
    assert len(others) <= 2


async def test_the_path_of_remember_is_as_documented(server: Server) -> None:
    await server.alice(await remember(server.alice))
    files = set.intersection(*[await files_of_remember(server.alice, text) for text in DIFFERENT_TEXTS])
    told = set(re.findall(r"`([\w/]+\.py)`", memory_service.__doc__ or ""))
    assert files <= told
    # The others run for some texts, for many rows or for encrypted ones; search and forgetting have their own methods.
    assert len(files) > 40
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    table = guide[guide.index("| step |") : guide.index("Each room has the same parts")]
    named = {name for name in re.findall(r"`([\w/]+\.py)`", table) if "assembly" not in name}
    assert len(named) > 8
    assert named <= files
