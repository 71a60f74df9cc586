"""Tasks as the contract has them."""

from datetime import UTC, timedelta
from uuid import UUID

from camillo.v1 import task_service_pb2 as service
from camillo_server.doors.rpc import tokens
from camillo_server.features.tasks.servicer import list_response, task_change, task_message
from camillo_server.features.tasks.task import TaskDraft, TaskId, TaskStatus
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import Sensitivity

from tests.unit.rpc.records import HAPPENED, RECORDED, SOME_ID, task
from tests.unit.rpc.violations import broken

BINDING = tokens.query_binding("x")
STATED = TaskDraft(
    title="ship 🚢",
    details="все",
    status=TaskStatus.CANCELLED,
    goal="g",
    plan_step="p",
    constraints=("c", "c"),
    refs=(SOME_ID,),
    session_id="s",
    sensitivity=Sensitivity.CONFIDENTIAL,
    channel=Channel.PUBLIC,
    tags=("b", "a"),
)


def test_a_task_is_told_whole() -> None:
    told = task_message(task(STATED))
    again = service.UpsertTaskRequest(task=told.stated)
    assert (task_change(again).draft, broken(again)) == (STATED, [])
    assert (told.task_id, told.agent_id, told.version) == (str(UUID(int=7)), "ada", 3)
    assert told.created_at.ToDatetime(tzinfo=UTC) == HAPPENED
    assert told.updated_at.ToDatetime(tzinfo=UTC) == RECORDED


def test_a_page_tells_where_it_goes_on() -> None:
    answer = list_response([task(), task()], 1, BINDING)
    place = tokens.read_page_token(BINDING, answer.next_page_token)
    assert (len(answer.tasks), place) == (1, (RECORDED, UUID(int=7)))
    assert list_response([task()], 1, BINDING).next_page_token == ""


def test_a_page_ends_before_it_becomes_too_large_and_goes_on_there() -> None:
    stated = TaskDraft("t", constraints=("字" * 2000,) * 32)
    tasks = [task(stated, task_id=TaskId(UUID(int=i)), updated_at=RECORDED - timedelta(seconds=i)) for i in range(40)]
    answer = list_response(tasks, 40, BINDING)
    last = len(answer.tasks) - 1
    assert 0 < last < 39
    assert answer.ByteSize() < 3 * 2**20 + 1000
    place = tokens.read_page_token(BINDING, answer.next_page_token)
    assert place == (RECORDED - timedelta(seconds=last), UUID(int=last))
