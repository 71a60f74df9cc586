"""Runs as the contract has them."""

from uuid import UUID

from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service

from camillo_server.across.runs.rendering import RenderedRun
from camillo_server.across.runs.run import (
    Answer,
    FunctionCall,
    Run,
    RunDraft,
    RunId,
    RunPage,
    RunStep,
    SnapshotLimits,
    Trigger,
)
from camillo_server.across.runs.runs import RunToEnd
from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import sensitivity_of, time_of
from camillo_server.doors.rpc.json_values import fill_json, plain_object
from camillo_server.doors.rpc.page_tokens import fitting
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Principal, attributed
from camillo_server.rows import messages as memories_messages


def run_message(run: Run) -> pb.Run:
    """A run as the contract has it."""
    stated = run.stated
    message = pb.Run(
        run_id=str(run.run_id),
        agent_id=run.agent_id,
        session_id=stated.session_id,
        trigger=pb.Trigger(type=stated.trigger.type),
        focus=stated.focus,
        sensitivity=int(stated.sensitivity),  # type: ignore[arg-type]
        max_tokens=stated.max_tokens,
        idle_seconds=stated.idle_seconds,
        rounds=run.rounds,
        instructions=run.instructions,
    )
    if stated.trigger.payload:
        fill_json(message.trigger.payload, stated.trigger.payload)
    fields.fill_timestamp(message.started_at, run.started_at)
    fields.fill_timestamp(message.active_at, run.active_at)
    return message


def render_response(rendered: RenderedRun, run: Run) -> service.RenderRunResponse:
    """The text and what it is made of."""
    return service.RenderRunResponse(
        prompt=rendered.prompt,
        tokens=rendered.tokens,
        sections=[
            pb.RunSection(name=each.name, tokens=each.tokens, items=each.items, cut=each.cut)
            for each in rendered.sections
        ],
        run=run_message(run),
    )


def list_response(page: RunPage, binding: bytes) -> service.ListRunsResponse:
    """The page, or so much of its beginning as fits in a message: the rest is on the next one."""
    messages = fitting(page.runs, run_message)
    cursor = page.next_cursor
    if len(messages) < len(page.runs):
        last = page.runs[len(messages) - 1]
        cursor = PageCursor(last.started_at, last.run_id)
    token = tokens.page_token(binding, cursor)
    return service.ListRunsResponse(runs=messages, next_page_token=token)


def run_id(value: str) -> RunId:
    return RunId(UUID(value))


def run_draft(request: service.StartRunRequest) -> RunDraft:
    """The draft of a run, from its request."""
    trigger = request.trigger
    return RunDraft(
        trigger=Trigger(trigger.type, plain_object(trigger.payload)),
        focus=request.focus,
        session_id=request.session_id,
        sensitivity=sensitivity_of(request.sensitivity),
        max_tokens=stated_or_default(request, "max_tokens"),
        idle_seconds=stated_or_default(request, "idle_seconds"),
    )


def snapshot_limits(request: service.StartRunRequest, call: Call) -> SnapshotLimits | None:
    """The limits of the snapshot; None where there shall be none."""
    if request.skip_snapshot:
        return None
    max_tokens = stated_or_default(request, "snapshot_max_tokens")
    return SnapshotLimits(max_tokens, call.principal.document_categories)


@rule(pb.RunStep)
def check_step(message: pb.RunStep, path: str, checks: Checks) -> None:
    """Something has happened in a step."""
    if message.WhichOneof("step") is None:
        checks.fail(path.removesuffix("."), "must be a function_call or an llm_response")


def run_steps(request: service.AppendRunRequest) -> list[RunStep]:
    """The steps of a round."""
    return [RunStep(_step(step), time_of(step, "occurred_at")) for step in request.steps]


def _step(message: pb.RunStep) -> FunctionCall | Answer:
    if message.WhichOneof("step") == "llm_response":
        return Answer(message.llm_response)
    called = message.function_call
    return FunctionCall(called.name, plain_object(called.arguments), called.result, called.is_error)


def run_to_end(request: service.EndRunRequest, caller: Principal) -> RunToEnd:
    """The run to end, and what is to be kept of it. Raises ScopeForbidden where the caller may not name an actor."""
    memories = [memories_messages.memory_draft(message, caller) for message in request.memories]
    return RunToEnd(run_id(request.run_id), request.distill, memories, attributed(caller))
