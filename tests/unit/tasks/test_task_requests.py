"""Tasks as callers state them; each limit with what is at it and what is beyond."""

from typing import Any
from uuid import UUID

from camillo.v1 import channel_pb2
from camillo.v1 import task_pb2 as pb
from camillo.v1 import task_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_PUBLIC
from camillo_server.features.tasks.servicer import FIELDS, task_change, task_filter
from camillo_server.features.tasks.task import UNFINISHED, TaskChange, TaskDraft, TaskFilter, TaskStatus
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import Sensitivity
from google.protobuf.field_mask_pb2 import FieldMask

from tests.cases import each_case
from tests.unit.rpc.records import SOME_ID
from tests.unit.rpc.violations import broken


def read(request: service.UpsertTaskRequest) -> tuple[TaskChange, list[str]]:
    return task_change(request), broken(request)


def new(**values: Any) -> service.UpsertTaskRequest:
    return service.UpsertTaskRequest(task=pb.NewTask(**{"title": "t", **values}))


def change(*paths: str, version: int = 1, **values: Any) -> service.UpsertTaskRequest:
    return service.UpsertTaskRequest(
        task_id=SOME_ID, expected_version=version, update_mask=FieldMask(paths=paths), task=pb.NewTask(**values)
    )


def test_a_new_task_has_all_that_was_stated() -> None:
    request = new(
        title="发布",
        details="все",
        status=pb.TASK_STATUS_BLOCKED,
        goal="g",
        plan_step="p",
        constraints=["c", "c"],
        refs=[SOME_ID, SOME_ID],
        session_id="s",
        sensitivity=SENSITIVITY_PUBLIC,
        channel=channel_pb2.CHANNEL_TEAM,
        tags=["t", "t"],
    )
    draft = TaskDraft(
        title="发布",
        details="все",
        status=TaskStatus.BLOCKED,
        goal="g",
        plan_step="p",
        constraints=("c", "c"),
        refs=(SOME_ID,),
        session_id="s",
        sensitivity=Sensitivity.PUBLIC,
        channel=Channel.TEAM,
        tags=("t",),
    )
    assert read(request) == (TaskChange(None, 0, None, draft), [])


def test_what_is_not_stated_has_its_default() -> None:
    assert read(new())[0].draft == TaskDraft("t")


def test_a_change_takes_only_what_its_mask_names() -> None:
    request = change("status", "tags", "status", status=4, tags=["x"], title="x" * 501)
    assert read(request) == (
        TaskChange(
            UUID(SOME_ID),  # type: ignore[arg-type]
            1,
            ["status", "tags"],
            TaskDraft("", status=TaskStatus.DONE, tags=("x",)),
        ),
        [],
    )


def test_a_change_without_a_mask_takes_everything() -> None:
    request = service.UpsertTaskRequest(task_id=SOME_ID, expected_version=2, task=pb.NewTask(title="x"))
    found, wrong = read(request)
    assert (found.fields, found.expected_version, found.draft, wrong) == (None, 2, TaskDraft("x"), [])


def test_every_field_of_a_task_can_be_changed() -> None:
    assert set(FIELDS) == {field.name for field in pb.NewTask.DESCRIPTOR.fields}
    assert set(FIELDS) == set(TaskDraft.__dataclass_fields__)
    assert read(change(*FIELDS, title="t"))[1] == []


@each_case(
    ("field", "bad", "good"),
    [
        (
            "task_id",
            service.UpsertTaskRequest(task_id="x", expected_version=1, task=pb.NewTask(title="t")),
            service.UpsertTaskRequest(task_id=SOME_ID, expected_version=1, task=pb.NewTask(title="t")),
        ),
        ("expected_version", change("goal", version=0), change("goal", version=1)),
        ("expected_version", service.UpsertTaskRequest(expected_version=1, task=pb.NewTask(title="t")), new()),
        ("update_mask", change(), change("goal")),
        ("update_mask", change("task_id"), change("details")),
        (
            "update_mask",
            service.UpsertTaskRequest(update_mask=FieldMask(paths=["title"]), task=pb.NewTask(title="t")),
            new(),
        ),
        ("task.title", new(title=""), new(title=" ")),
        ("task.title", new(title="x" * 501), new(title="字" * 500)),
        ("task.title", change("title"), change("title", title="t")),
        ("task.details", new(details="x" * 8001), new(details="é" * 8000)),
        ("task.details", new(details="\0"), new(details="")),
        ("task.status", new(status=6), new(status=5)),
        ("task.goal", new(goal="x" * 2001), new(goal="x" * 2000)),
        ("task.plan_step", new(plan_step="x" * 2001), new(plan_step="x" * 2000)),
        ("task.constraints", new(constraints=["x"] * 33), new(constraints=["x"] * 32)),
        ("task.constraints[0]", new(constraints=[""]), new(constraints=["x" * 2000])),
        ("task.refs", new(refs=[*map(str, range(65))]), new(refs=[*map(str, range(64))])),
        ("task.session_id", new(session_id="x" * 129), new(session_id="x" * 128)),
        ("task.sensitivity", new(sensitivity=5), new(sensitivity=4)),
        ("task.channel", new(channel=5), new(channel=4)),
        ("task.tags[0]", new(tags=["x" * 129]), new(tags=["x" * 128])),
    ],
)
def test_a_limit_of_a_task_holds(field: str, bad: service.UpsertTaskRequest, good: service.UpsertTaskRequest) -> None:
    assert (broken(bad), broken(good)) == ([field], [])


def listed(**values: Any) -> tuple[TaskFilter, list[str]]:
    request = service.ListTasksRequest(**values)
    return task_filter(request), broken(request)


def test_a_list_has_what_is_not_finished_unless_told_otherwise() -> None:
    assert listed() == (TaskFilter(statuses=UNFINISHED), [])
    assert listed(statuses=[4, 4], session_id="s") == (TaskFilter(statuses=(TaskStatus.DONE,), session_id="s"), [])
    assert broken(service.ListTasksRequest(statuses=[6])) == ["statuses"]  # type: ignore[list-item]
    assert broken(service.ListTasksRequest(session_id="x" * 129)) == ["session_id"]


def test_the_numbers_are_those_of_the_contract() -> None:
    named = {f"TASK_STATUS_{status.name}": status.value for status in TaskStatus}
    assert {**named, "TASK_STATUS_UNSPECIFIED": 0} == dict(pb.TaskStatus.items())
