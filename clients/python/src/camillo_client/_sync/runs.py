# Generated from _async/runs.py by tools/generate_sync.py: do not edit.
"""Runs: what an agent keeps in mind from the start of a run to its end."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any, Unpack

from grpc import Channel

from camillo.v1.memory_pb2 import NewMemory
from camillo.v1.run_pb2 import Run
from camillo.v1.run_service_pb2 import (
    AppendRunRequest,
    EndRunRequest,
    EndRunResponse,
    InjectInstructionRequest,
    ListRunsRequest,
    RenderRunRequest,
    RenderRunResponse,
    StartRunRequest,
    StartRunResponse,
)
from camillo.v1.run_service_pb2_grpc import RunServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions
from camillo_client.run_fields import (
    RunFields,
    StepLike,
    new_trigger,
    run_values,
    to_memories,
    to_step,
)
from camillo_client.written import WrittenRun


class Runs(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. A run that has ended is
    RunNotFound. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._runs = RunServiceStub(channel)

    def start(
        self,
        trigger: str,
        payload: Mapping[str, Any] | None = None,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[RunFields],
    ) -> StartRunResponse:
        """Starts a run that was set off by this kind of trigger, such as `message`; the answer has the `run` and a
        `snapshot` of what the agent should know. See RunFields for the rest."""
        request = StartRunRequest(
            agent_id=self._agent(agent_id),
            trigger=new_trigger(trigger, payload),
            **run_values(**fields),
        )
        return self._write(self._runs.StartRun, request, request_id, timeout)

    def append(
        self,
        run_id: str,
        *steps: StepLike,
        omit_forgotten: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> WrittenRun:
        """Adds a round: the calls (see `function_call`) and answers (texts) since the one before; with
        `omit_forgotten`, without sentences of them that were forgotten. `durability` of the answer says where the round
        is; the answer has nothing but the id of the run while it is spooled."""
        request = AppendRunRequest(
            agent_id=self._agent(agent_id),
            run_id=run_id,
            steps=[*map(to_step, steps)],
            omit_forgotten=omit_forgotten,
        )
        answer = self._write(self._runs.AppendRun, request, request_id, timeout)
        warn_of(answer.redactions)
        return WrittenRun(answer.run, answer)

    def inject(
        self,
        run_id: str,
        instruction: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Run:
        """Adds an instruction, which is never cut from the rendering."""
        request = InjectInstructionRequest(agent_id=self._agent(agent_id), run_id=run_id, instruction=instruction)
        answer = self._write(self._runs.InjectInstruction, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.run

    def render(
        self,
        run_id: str,
        *,
        max_tokens: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> RenderRunResponse:
        """The run as a text: `prompt` is ready to be sent. BudgetTooSmall if the parts that are never cut exceed the
        budget."""
        request = RenderRunRequest(agent_id=self._agent(agent_id), run_id=run_id, max_tokens=max_tokens)
        return self._calls.unary(self._runs.RenderRun, request, timeout)

    def list(
        self,
        *,
        session_id: str = "",
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Run]:
        """The agent's runs that have not ended, the last started first. The timeout applies to each page."""
        request = ListRunsRequest(agent_id=self._agent(agent_id), session_id=session_id, page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._runs.ListRuns, page, timeout), request)
        for page in pages:
            for run in page.runs:
                yield run

    def end(
        self,
        run_id: str,
        *,
        distill: bool = False,
        memories: Iterable[str | NewMemory] = (),
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> EndRunResponse:
        """Ends a run and deletes its contents, except for the memories given and those that the server's rules
        distill."""
        request = EndRunRequest(
            agent_id=self._agent(agent_id),
            run_id=run_id,
            distill=distill,
            memories=to_memories(memories),
        )
        return self._write(self._runs.EndRun, request, request_id, timeout)
