"""Short ways to say what most tests of runs do."""

from collections.abc import Sequence
from typing import Any

from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service
from google.protobuf.struct_pb2 import Struct

from tests.server_fixtures import Caller


def struct(**values: Any) -> Struct:
    message = Struct()
    message.update(values)
    return message


def trigger(type_: str = "message", **payload: Any) -> pb.Trigger:
    return pb.Trigger(type=type_, payload=struct(**(payload or {"text": "the order is late"})))


def call(name: str = "search", result: str = "", **fields: Any) -> pb.RunStep:
    """A call of a function; further fields are its arguments, but for `is_error`."""
    is_error = fields.pop("is_error", False)
    return pb.RunStep(
        function_call=pb.FunctionCall(name=name, arguments=struct(**fields), result=result, is_error=is_error)
    )


def answer(text: str) -> pb.RunStep:
    return pb.RunStep(llm_response=text)


def starting(**fields: Any) -> service.StartRunRequest:
    """A request to start a run, without a snapshot unless told otherwise."""
    return service.StartRunRequest(**{"trigger": trigger(), "skip_snapshot": True, **fields})


async def start(caller: Caller, **fields: Any) -> str:
    """The id of a new run."""
    run_id: str = (await caller(starting(**fields))).run.run_id
    return run_id


async def append(caller: Caller, run_id: str, *steps: pb.RunStep, **fields: Any) -> service.AppendRunResponse:
    request = service.AppendRunRequest(run_id=run_id, steps=steps, **fields)
    response: service.AppendRunResponse = await caller(request)
    return response


async def inject(caller: Caller, run_id: str, text: str, **fields: Any) -> pb.Run:
    request = service.InjectInstructionRequest(run_id=run_id, instruction=text, **fields)
    run: pb.Run = (await caller(request)).run
    return run


async def render(caller: Caller, run_id: str, **fields: Any) -> service.RenderRunResponse:
    response: service.RenderRunResponse = await caller(service.RenderRunRequest(run_id=run_id, **fields))
    return response


async def end(caller: Caller, run_id: str, **fields: Any) -> service.EndRunResponse:
    response: service.EndRunResponse = await caller(service.EndRunRequest(run_id=run_id, **fields))
    return response


def names(rendered: service.RenderRunResponse) -> Sequence[str]:
    return [section.name for section in rendered.sections]
