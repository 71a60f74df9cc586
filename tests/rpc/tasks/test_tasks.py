"""Tasks: opened, changed by who has seen them, and listed the last changed first."""

from typing import Any

import grpc
import pytest
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import memory_pb2
from camillo.v1 import task_pb2 as pb
from camillo.v1 import task_service_pb2 as service

from tests.rpc.memories.calls import UNKNOWN_ID
from tests.rpc.records import open_task, record, tasks
from tests.secret_samples import samples
from tests.server_fixtures import Server, refused


def change(task: pb.Task, *paths: str, **values: Any) -> service.UpsertTaskRequest:
    """An update of the fields named, or with none of all."""
    request = service.UpsertTaskRequest(task_id=task.task_id, expected_version=task.version, task=pb.NewTask(**values))
    if paths:
        request.update_mask.paths.extend(paths)
    return request


async def test_a_task_is_read_as_it_was_stated(server: Server) -> None:
    event = await record(server.alice, "please ship")
    request = service.UpsertTaskRequest(
        request_id="once",
        task=pb.NewTask(
            title="发布 🚢",
            details="все",
            goal="g",
            plan_step="p",
            constraints=["c", "c"],
            refs=[event.event_id],
            session_id="s",
            tags=["a"],
        ),
    )
    answer = await server.alice(request)
    server.clock.move(60)
    assert await server.alice(request) == answer
    found = (await server.reader(service.GetTaskRequest(task_id=answer.task.task_id))).task
    assert found == answer.task
    assert (found.version, found.agent_id, found.created_at) == (1, "alice", found.updated_at)
    told = found.stated
    assert (told.status, told.channel, told.sensitivity) == (
        pb.TASK_STATUS_OPEN,
        channels.CHANNEL_PRIVATE,
        memory_pb2.SENSITIVITY_INTERNAL,
    )
    for field in ("status", "channel", "sensitivity"):
        told.ClearField(field)
    assert told == request.task


async def test_a_change_takes_what_its_mask_names_or_everything(server: Server) -> None:
    task = await open_task(server.alice, "ship", goal="g", tags=["a"])
    server.clock.move(60)
    answer = await server.alice(change(task, "status", "plan_step", status=pb.TASK_STATUS_DOING, plan_step="half"))
    moved = answer.task
    assert (moved.version, moved.stated.status) == (2, pb.TASK_STATUS_DOING)
    assert (moved.stated.title, moved.stated.goal, moved.stated.plan_step) == ("ship", "g", "half")
    assert (moved.created_at, moved.updated_at != task.updated_at) == (task.created_at, True)
    replaced = (await server.alice(change(moved, title="all new"))).task
    assert (replaced.stated.title, replaced.stated.goal, list(replaced.stated.tags)) == ("all new", "", [])


async def test_only_who_has_seen_a_task_changes_it(server: Server) -> None:
    task = await open_task(server.alice, "ship")
    await server.alice(change(task, "goal", goal="first"))
    told = await refused(server.alice(change(task, "goal", goal="second")))
    assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    assert told.metadata == {"expected_version": "1", "actual_version": "2"}
    unknown = change(pb.Task(task_id=UNKNOWN_ID, version=1), "goal", goal="x")
    missing = await refused(server.alice(unknown))
    assert (missing.reason, missing.metadata) == ("TASK_NOT_FOUND", {"task_id": UNKNOWN_ID})
    found = (await server.alice(service.GetTaskRequest(task_id=task.task_id))).task
    assert found.stated.goal == "first"


async def test_a_repeated_change_changes_nothing_more(server: Server) -> None:
    task = await open_task(server.alice, "ship")
    request = change(task, "goal", goal="g")
    request.request_id = "once"
    first = await server.alice(request)
    server.clock.move(60)
    assert await server.alice(request) == first
    assert first.task.version == 2


async def test_tasks_are_listed_the_last_changed_first_in_pages(server: Server) -> None:
    opened = []
    for i in range(5):
        opened.append(await open_task(server.alice, f"number {i}", session_id=f"s{i % 2}"))
        server.clock.move(60)
    await server.alice(change(opened[0], "goal", goal="g"))
    server.clock.move(60)
    await server.alice(change(opened[1], "status", status=pb.TASK_STATUS_DONE))
    expected = ["number 0", "number 4", "number 3", "number 2"]
    request, found = service.ListTasksRequest(page_size=2), []
    while True:
        page = await server.alice(request)
        found += [task.stated.title for task in page.tasks]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert found == expected
    assert await tasks(server.alice, statuses=[pb.TASK_STATUS_DONE]) == ["number 1"]
    assert await tasks(server.alice, session_id="s1") == ["number 3"]
    request.session_id = "s1"
    assert (await refused(server.alice(request))).reason == "INVALID_PAGE_TOKEN"


async def test_a_task_names_what_is_there(server: Server) -> None:
    event = await record(server.alice, "please ship")
    told = await refused(open_task(server.alice, "x", refs=[event.event_id, UNKNOWN_ID]))
    assert (told.reason, told.metadata) == ("REF_NOT_FOUND", {"ref": UNKNOWN_ID})
    await open_task(server.alice, "good", refs=[event.event_id])
    assert await tasks(server.alice) == ["good"]


async def test_what_belongs_elsewhere_is_never_shown_in_public(server: Server) -> None:
    public: dict[str, Any] = {"sensitivity": memory_pb2.SENSITIVITY_PUBLIC}
    private = await open_task(server.alice, "private", **public)
    await open_task(server.alice, "internal", channel=channels.CHANNEL_PUBLIC)
    await open_task(server.alice, "public", channel=channels.CHANNEL_PUBLIC, **public)
    assert set(await tasks(server.alice)) == {"private", "internal", "public"}
    assert await tasks(server.alice, channel=channels.CHANNEL_PUBLIC) == ["public"]
    asked = service.GetTaskRequest(task_id=private.task_id)
    assert (await server.alice(asked)).task.stated.title == "private"
    asked.channel = channels.CHANNEL_PUBLIC
    assert (await refused(server.alice(asked))).reason == "TASK_NOT_FOUND"


async def test_an_agent_reads_its_own_and_the_shared_tasks(server: Server) -> None:
    await open_task(server.alice, "mine")
    shared = await open_task(server.admin, "shared")
    bobs = await open_task(server.admin, "bob's", agent_id="bob")
    assert set(await tasks(server.alice)) == {"mine", "shared"}
    assert set(await tasks(server.admin, agent_id="bob")) == {"bob's", "shared"}
    hidden = await refused(server.alice(service.GetTaskRequest(task_id=bobs.task_id)))
    assert hidden.reason == "TASK_NOT_FOUND"
    not_its_own = await refused(server.alice(change(shared, "goal", goal="x")))
    assert not_its_own.reason == "TASK_NOT_FOUND"


async def test_secrets_are_taken_out_of_tasks(server: Server) -> None:
    secret = samples(7)["github-pat"]
    request = service.UpsertTaskRequest(task=pb.NewTask(title="deploy", details=f"with {secret}", constraints=[secret]))
    answer = await server.alice(request)
    assert len(answer.redactions) == 2
    found = (await server.alice(service.GetTaskRequest(task_id=answer.task.task_id))).task
    assert secret not in str(found)
    assert found.stated.details.startswith("with [redacted")


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service.UpsertTaskRequest(), "task.title"),
        (service.UpsertTaskRequest(task=pb.NewTask(title="x" * 501)), "task.title"),
        (service.UpsertTaskRequest(task=pb.NewTask(title="x", status=9)), "task.status"),  # type: ignore[arg-type]
        (service.UpsertTaskRequest(expected_version=1, task=pb.NewTask(title="x")), "expected_version"),
        (change(pb.Task(task_id=UNKNOWN_ID, version=1), "task_id"), "update_mask"),
        (change(pb.Task(task_id="x", version=1), "goal"), "task_id"),
        (service.GetTaskRequest(task_id=""), "task_id"),
        (service.ListTasksRequest(page_size=201), "page_size"),
        (service.ListTasksRequest(statuses=[9]), "statuses"),  # type: ignore[list-item]
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, request_: Any, field: str) -> None:
    told = await refused(server.alice(request_))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))
