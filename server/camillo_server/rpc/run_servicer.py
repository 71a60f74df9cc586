"""RunService: converts, calls the use case, converts back."""

from dataclasses import dataclass
from typing import Any

from camillo.v1 import run_service_pb2 as service
from camillo.v1 import run_service_pb2_grpc as stubs

from camillo_server.domain.runs.append_run import AppendRun
from camillo_server.domain.runs.end_run import EndRun
from camillo_server.domain.runs.inject_instruction import InjectInstruction
from camillo_server.domain.runs.render_run import RenderRun
from camillo_server.domain.runs.start_run import StartRun
from camillo_server.rpc import run_requests as requests
from camillo_server.rpc.caller import request_key, scope_of
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.convert import memory_message, redaction_messages
from camillo_server.rpc.run_convert import render_response, run_message
from camillo_server.rpc.snapshot_convert import bundle_message
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks, OwnModel


@dataclass(frozen=True, slots=True)
class RunUseCases:
    """What RunService can do."""

    start: StartRun
    append: AppendRun
    inject: InjectInstruction
    render: RenderRun
    end: EndRun


class RunServicer(stubs.RunServiceServicer):
    """The service of proto/camillo/v1/run_service.proto."""

    def __init__(self, do: RunUseCases, revisions: RevisionTokens, own_model: OwnModel) -> None:
        self._do = do
        self._revisions = revisions
        self._own_model = own_model

    async def StartRun(
        self, request: service.StartRunRequest, context: Any
    ) -> service.StartRunResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        draft = requests.run_draft(request, checks)
        tokens = requests.snapshot_tokens(request, checks)
        checks.done()
        done = await self._do.start(scope, draft, tokens, key)
        return service.StartRunResponse(
            run=run_message(done.run),
            snapshot=bundle_message(done.snapshot, scope, self._revisions)
            if done.snapshot
            else None,
            revision=self._revisions.revision(scope, done.revision),
        )

    async def AppendRun(
        self, request: service.AppendRunRequest, context: Any
    ) -> service.AppendRunResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        run_id = requests.run_id(request.run_id, checks)
        steps = await read_request(request, lambda message: requests.run_steps(message, checks))
        checks.done()
        run, revision, redactions = await self._do.append(scope, run_id, steps, key)
        return service.AppendRunResponse(
            run=run_message(run),
            redactions=redaction_messages(redactions),
            revision=self._revisions.revision(scope, revision),
        )

    async def InjectInstruction(
        self, request: service.InjectInstructionRequest, context: Any
    ) -> service.InjectInstructionResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        run_id = requests.run_id(request.run_id, checks)
        instruction = requests.instruction(request, checks)
        checks.done()
        run, revision, redactions = await self._do.inject(scope, run_id, instruction, key)
        return service.InjectInstructionResponse(
            run=run_message(run),
            redactions=redaction_messages(redactions),
            revision=self._revisions.revision(scope, revision),
        )

    async def RenderRun(
        self, request: service.RenderRunRequest, context: Any
    ) -> service.RenderRunResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        run_id = requests.run_id(request.run_id, checks)
        max_tokens = requests.rendered_tokens(request, checks)
        checks.done()
        rendered, run = await self._do.render(scope, run_id, max_tokens)
        return render_response(rendered, run)

    async def EndRun(self, request: service.EndRunRequest, context: Any) -> service.EndRunResponse:
        checks = Checks(self._own_model)
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        wanted = requests.run_to_end(request, checks)
        checks.done()
        done = await self._do.end(scope, wanted, key)
        return service.EndRunResponse(
            memories=[memory_message(memory) for memory in done.memories],
            rounds=done.rounds,
            revision=self._revisions.revision(scope, done.revision),
        )
