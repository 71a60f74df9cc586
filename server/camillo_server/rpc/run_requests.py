"""Runs as callers state them and ask for them."""

from uuid import UUID

from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service

from camillo_server.domain.runs.end_run import RunToEnd
from camillo_server.domain.runs.run import Answer, FunctionCall, RunDraft, RunId, RunStep, Trigger
from camillo_server.rpc import convert
from camillo_server.rpc.context_json import plain_object
from camillo_server.rpc.field_limits import rule, stated_or_default
from camillo_server.rpc.field_values import sensitivity_of, time_of
from camillo_server.rpc.validate import Checks


def run_id(value: str) -> RunId:
    return RunId(UUID(value))


def run_draft(request: service.StartRunRequest) -> RunDraft:
    """What a run begins with."""
    trigger = request.trigger
    return RunDraft(
        trigger=Trigger(trigger.type, plain_object(trigger.payload)),
        focus=request.focus,
        session_id=request.session_id,
        sensitivity=sensitivity_of(request.sensitivity),
        max_tokens=stated_or_default(request, "max_tokens"),
        idle_seconds=stated_or_default(request, "idle_seconds"),
    )


def snapshot_tokens(request: service.StartRunRequest) -> int | None:
    """How many tokens the snapshot may take; None where there shall be none."""
    return None if request.skip_snapshot else stated_or_default(request, "snapshot_max_tokens")


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


def run_to_end(request: service.EndRunRequest) -> RunToEnd:
    """Which run, and what is to be kept of it."""
    memories = [convert.memory_draft(message) for message in request.memories]
    return RunToEnd(run_id(request.run_id), request.distill, memories)
