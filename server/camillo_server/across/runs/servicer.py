"""RunService: converts, calls the use case, converts back."""

from functools import partial
from typing import Any

from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service
from camillo.v1 import run_service_pb2_grpc as stubs
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED

from camillo_server.across.context.messages import bundle_message
from camillo_server.across.runs import messages as requests
from camillo_server.across.runs.messages import list_response, render_response, run_message
from camillo_server.across.runs.runs import Runs
from camillo_server.doors.rpc.call import Call, CallReader, read_request
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import omitted_messages, redaction_messages_off_loop
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.doors.rpc.tokens import read_page_token
from camillo_server.doors.spool.spooling import Acceptance, Provisional, Spooling, spoolable
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.rows.messages import memory_message
from camillo_server.storage.token_usage import ContextTokens


class RunServicer(stubs.RunServiceServicer):
    """The service of proto/camillo/v1/run_service.proto."""

    def __init__(self, runs: Runs, calls: CallReader, spooling: Spooling, tokens: ContextTokens) -> None:
        self._runs = runs
        self._tokens = tokens
        self._calls = calls
        spooling.bind(self, calls)

    async def StartRun(self, request: service.StartRunRequest, context: Any) -> service.StartRunResponse:
        call = await self._calls.read(request)
        limits = requests.snapshot_limits(request, call)
        draft = requests.run_draft(request)
        run, revision, snapshot = await self._runs.start(call.scope, draft, limits, call.request_key)
        if snapshot:
            self._tokens.note((call.scope, "snapshot", getattr(context, "door", "grpc")), snapshot.packed.tokens)
        return service.StartRunResponse(
            run=run_message(run),
            snapshot=bundle_message(snapshot, call.scope, call.revisions) if snapshot else None,
            revision=call.revision(revision),
        )

    @spoolable()
    async def AppendRun(
        self, call: Call, request: service.AppendRunRequest, accepted: Acceptance
    ) -> service.AppendRunResponse:
        run_id = requests.run_id(request.run_id)
        steps = await read_request(request, requests.run_steps)
        done = await self._runs.append(
            call.scope,
            run_id,
            steps,
            call.request_key,
            omit_forgotten=request.omit_forgotten,
            now=accepted.at,
        )
        return service.AppendRunResponse(
            run=run_message(done.run),
            redactions=await redaction_messages_off_loop(done.redactions),
            revision=call.revision(done.revision),
            omitted=omitted_messages(done.omitted),
            durability=DURABILITY_COMMITTED,
        )

    @AppendRun.preview
    async def _preview_round(
        self, call: Call, request: service.AppendRunRequest, accepted: Acceptance
    ) -> Provisional[service.AppendRunResponse]:
        redactions = await self._runs.preview(await read_request(request, requests.run_steps))
        response = service.AppendRunResponse(
            run=pb.Run(run_id=request.run_id),
            redactions=await redaction_messages_off_loop(redactions),
        )
        return Provisional(response)

    async def InjectInstruction(
        self, request: service.InjectInstructionRequest, context: Any
    ) -> service.InjectInstructionResponse:
        call = await self._calls.read(request)
        run, revision, redactions = await self._runs.inject(
            call.scope, requests.run_id(request.run_id), request.instruction, call.request_key
        )
        return service.InjectInstructionResponse(
            run=run_message(run),
            redactions=await redaction_messages_off_loop(redactions),
            revision=call.revision(revision),
        )

    async def RenderRun(self, request: service.RenderRunRequest, context: Any) -> service.RenderRunResponse:
        call = await self._calls.read(request)
        run_id = requests.run_id(request.run_id)
        rendered, run = await self._runs.render(call.scope, run_id, request.max_tokens or None)
        self._tokens.note((call.scope, "run", getattr(context, "door", "grpc")), rendered.tokens)
        return render_response(rendered, run)

    async def ListRuns(self, request: service.ListRunsRequest, context: Any) -> service.ListRunsResponse:
        call = await self._calls.read(request)
        binding = list_binding(request, call.scope)
        page = await self._runs.list(
            call.scope,
            request.session_id,
            read_page_token(binding, request.page_token),
            stated_or_default(request, "page_size"),
        )
        return await off_loop(UNBOUNDED, partial(list_response, page, binding))

    async def EndRun(self, request: service.EndRunRequest, context: Any) -> service.EndRunResponse:
        call = await self._calls.read(request)
        to_end = requests.run_to_end(request, call.principal)
        memories, rounds, revision = await self._runs.end(call.scope, to_end, call.request_key)
        return service.EndRunResponse(
            memories=[memory_message(memory) for memory in memories],
            rounds=rounds,
            revision=call.revision(revision),
        )
