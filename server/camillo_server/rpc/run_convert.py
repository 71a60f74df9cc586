"""Runs as the contract has them."""

from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service

from camillo_server.domain.runs.rendering import RenderedRun
from camillo_server.domain.runs.run import Run
from camillo_server.rpc import convert
from camillo_server.rpc.context_json import fill_json


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
    convert.fill_timestamp(message.started_at, run.started_at)
    convert.fill_timestamp(message.active_at, run.active_at)
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
