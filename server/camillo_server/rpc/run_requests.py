"""Runs as callers state them and ask for them."""

from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service

from camillo_server.domain.memory import MemoryDraft
from camillo_server.domain.runs.end_run import RunToEnd
from camillo_server.domain.runs.run import Answer, FunctionCall, RunDraft, RunId, RunStep, Trigger
from camillo_server.rpc import convert, limits
from camillo_server.rpc.context_fields import large_text
from camillo_server.rpc.context_json import json_object
from camillo_server.rpc.validate import Checks


def run_id(value: str, checks: Checks) -> RunId:
    return RunId(checks.uuid("run_id", value))


def run_draft(request: service.StartRunRequest, checks: Checks) -> RunDraft:
    """What a run begins with. Adds to the checks what is wrong with it."""
    return RunDraft(
        trigger=_trigger(request.trigger, checks),
        focus=checks.text("focus", request.focus, 0, limits.FOCUS_CHARACTERS),
        session_id=convert.session_id(request.session_id, checks, "session_id"),
        sensitivity=convert.sensitivity(request.sensitivity, checks, "sensitivity"),
        max_tokens=_bounded(
            request.max_tokens, checks, "max_tokens", limits.RUN_TOKENS, limits.RUN_TOKENS_DEFAULT
        ),
        idle_seconds=_bounded(
            request.idle_seconds,
            checks,
            "idle_seconds",
            limits.RUN_IDLE_SECONDS,
            limits.RUN_IDLE_SECONDS_DEFAULT,
        ),
    )


def snapshot_tokens(request: service.StartRunRequest, checks: Checks) -> int | None:
    """How many tokens the snapshot may take; None where there shall be none."""
    tokens = _bounded(
        request.snapshot_max_tokens,
        checks,
        "snapshot_max_tokens",
        limits.RUN_SNAPSHOT_TOKENS,
        limits.RUN_SNAPSHOT_TOKENS_DEFAULT,
    )
    return None if request.skip_snapshot else tokens


def run_steps(request: service.AppendRunRequest, checks: Checks) -> list[RunStep]:
    """The steps of a round."""
    if not 1 <= len(request.steps) <= limits.RUN_STEPS:
        checks.fail("steps", f"must have 1 to {limits.RUN_STEPS} values, has {len(request.steps)}")
        return []
    return [_step(step, checks, f"steps[{i}]") for i, step in enumerate(request.steps)]


def instruction(request: service.InjectInstructionRequest, checks: Checks) -> str:
    text = request.instruction
    return checks.text("instruction", text, 1, limits.INSTRUCTION_CHARACTERS)


def rendered_tokens(request: service.RenderRunRequest, checks: Checks) -> int | None:
    """The budget; None for the run's own."""
    return _bounded(request.max_tokens, checks, "max_tokens", limits.RUN_TOKENS, 0) or None


def run_to_end(request: service.EndRunRequest, checks: Checks) -> RunToEnd:
    """Which run, and what is to be kept of it."""
    return RunToEnd(run_id(request.run_id, checks), request.distill, _memories(request, checks))


def _trigger(message: pb.Trigger, checks: Checks) -> Trigger:
    kind = checks.text("trigger.type", message.type, 1, limits.TRIGGER_TYPE_CHARACTERS)
    payload = json_object(message.payload, checks, "trigger.payload", limits.TRIGGER_JSON_BYTES)
    return Trigger(kind, payload)


def _step(message: pb.RunStep, checks: Checks, path: str) -> RunStep:
    at = convert.moment(message, "occurred_at", checks, path)
    match message.WhichOneof("step"):
        case "function_call":
            return RunStep(_call(message.function_call, checks, f"{path}.function_call"), at)
        case "llm_response":
            bounds, field = (1, limits.STEP_BYTES), f"{path}.llm_response"
            return RunStep(Answer(large_text(message.llm_response, checks, field, bounds)), at)
    checks.fail(path, "must be a function_call or an llm_response")
    return RunStep(Answer(""), at)


def _call(message: pb.FunctionCall, checks: Checks, path: str) -> FunctionCall:
    most = limits.STEP_BYTES
    return FunctionCall(
        name=checks.text(f"{path}.name", message.name, 1, limits.FUNCTION_NAME_CHARACTERS),
        arguments=json_object(message.arguments, checks, f"{path}.arguments", most),
        result=large_text(message.result, checks, f"{path}.result", (0, most)),
        is_error=message.is_error,
    )


def _memories(request: service.EndRunRequest, checks: Checks) -> list[MemoryDraft]:
    if len(request.memories) > limits.RUN_MEMORIES:
        told = f"must have at most {limits.RUN_MEMORIES} values, has {len(request.memories)}"
        checks.fail("memories", told)
        return []
    return [
        convert.memory_draft(message, checks, f"memories[{i}]")
        for i, message in enumerate(request.memories)
    ]


def _bounded(value: int, checks: Checks, field: str, bounds: tuple[int, int], default: int) -> int:
    """A number within the bounds; 0 means the default."""
    least, most = bounds
    if value and not least <= value <= most:
        checks.fail(field, f"must be from {least} to {most}, or 0 for the default; is {value}")
    return value or default
