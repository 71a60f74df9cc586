"""Runs in memory: a small service that shows all that it was told."""

from __future__ import annotations

from clients.python.tests.fake_records import not_found
from clients.python.tests.fake_service import Context, Desk, FakeMemories, abort, redactions_of

from camillo.v1 import run_service_pb2 as pb
from camillo.v1.context_pb2 import Bundle
from camillo.v1.memory_pb2 import Memory
from camillo.v1.run_pb2 import Run, RunSection
from camillo.v1.run_service_pb2_grpc import RunServiceServicer


class FakeRuns(RunServiceServicer):
    """Runs by id, and what was told in each."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.runs: dict[str, Run] = {}
        self.told: dict[str, list[str]] = {}

    async def _run(self, run_id: str, context: Context) -> Run:
        if run_id not in self.runs:
            await abort(context, not_found("run", run_id))
        return self.runs[run_id]

    async def StartRun(self, request: pb.StartRunRequest, context: Context) -> pb.StartRunResponse:
        await self.desk.enter("StartRun", request, context)
        self.memories.counters[request.agent_id] += 1
        run = Run(
            run_id=f"r{len(self.told)}", session_id=request.session_id, trigger=request.trigger, focus=request.focus
        )
        run.started_at.GetCurrentTime()
        self.runs[run.run_id], self.told[run.run_id] = run, [str(request.trigger.payload)]
        return pb.StartRunResponse(
            run=run,
            snapshot=None if request.skip_snapshot else Bundle(prompt="tea is what Ada likes"),
            revision=self.memories.revision(request.agent_id),
        )

    async def AppendRun(self, request: pb.AppendRunRequest, context: Context) -> pb.AppendRunResponse:
        await self.desk.enter("AppendRun", request, context)
        run = await self._run(request.run_id, context)
        run.rounds += 1
        texts = [step.llm_response or step.function_call.result for step in request.steps]
        self.told[run.run_id] += texts
        return pb.AppendRunResponse(
            run=Run(run_id=run.run_id) if self.memories.is_away else run,
            redactions=redactions_of("".join(texts)),
            **self.memories.write(request.agent_id),
        )

    async def InjectInstruction(
        self, request: pb.InjectInstructionRequest, context: Context
    ) -> pb.InjectInstructionResponse:
        await self.desk.enter("InjectInstruction", request, context)
        run = await self._run(request.run_id, context)
        self.memories.counters[request.agent_id] += 1
        run.instructions += 1
        self.told[run.run_id].append(request.instruction)
        return pb.InjectInstructionResponse(
            run=run, redactions=redactions_of(request.instruction), revision=self.memories.revision(request.agent_id)
        )

    async def RenderRun(self, request: pb.RenderRunRequest, context: Context) -> pb.RenderRunResponse:
        await self.desk.enter("RenderRun", request, context)
        run = await self._run(request.run_id, context)
        prompt = "\n".join(self.told[run.run_id])
        section = RunSection(name="rounds", tokens=len(prompt), items=run.rounds)
        return pb.RenderRunResponse(prompt=prompt, tokens=len(prompt), sections=[section], run=run)

    async def ListRuns(self, request: pb.ListRunsRequest, context: Context) -> pb.ListRunsResponse:
        await self.desk.enter("ListRuns", request, context)
        found = [run for run in reversed(self.runs.values()) if request.session_id in ("", run.session_id)]
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        return pb.ListRunsResponse(runs=found[start:end], next_page_token=str(end) if end < len(found) else "")

    async def EndRun(self, request: pb.EndRunRequest, context: Context) -> pb.EndRunResponse:
        await self.desk.enter("EndRun", request, context)
        run = await self._run(request.run_id, context)
        self.memories.counters[request.agent_id] += 1
        del self.runs[run.run_id]
        distilled = [Memory(content=self.told[run.run_id][-1])] if request.distill else []
        kept = [Memory(content=memory.content) for memory in request.memories]
        return pb.EndRunResponse(
            memories=[*distilled, *kept], rounds=run.rounds, revision=self.memories.revision(request.agent_id)
        )
