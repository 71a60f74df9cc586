"""Requests and answers of MemoryService, converted."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import supersession_pb2

from camillo_server.doors.rpc import fields
from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.field_limits import check_message, rule
from camillo_server.doors.rpc.fields import (
    check_mask,
    time_of,
)
from camillo_server.doors.rpc.validate import Checks, OwnModel
from camillo_server.features.memories.memories import Memories, Remembered
from camillo_server.features.memories.update_memory import MemoryUpdate
from camillo_server.kernel.errors import DomainError, InvalidField, ScopeForbidden, invalid_field
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Principal, Scope, TrustLevel, attributed
from camillo_server.rows.merging import MemorySupersession
from camillo_server.rows.messages import (
    FIELDS,
    checked_vector,
    memory_draft,
    memory_message,
    read_memory_id,
)
from camillo_server.rows.row import MemoryDraft
from camillo_server.rows.write_records import ImportedBatch


def drafts_of(
    request: service.BatchRememberRequest, own_model: OwnModel, caller: Principal
) -> tuple[list[MemoryDraft], dict[int, DomainError]]:
    """The drafts that can be stored, in order, and what is wrong with the others, by index."""
    drafts, refused = [], dict[int, DomainError]()
    for i, message in enumerate(request.memories):
        draft = draft_or_problem(message, f"memories[{i}].", own_model, caller)
        if isinstance(draft, DomainError):
            refused[i] = draft
        else:
            drafts.append(draft)
    return drafts, refused


def draft_or_problem(
    message: pb.NewMemory | pb.Memory, path: str, own_model: OwnModel, caller: Principal
) -> MemoryDraft | DomainError:
    """One of many memories, which fail alone."""
    checks = Checks(own_model)
    check_message(message, checks, path)
    if checks.violations:
        return InvalidField(checks.violations)
    given = checked_vector(message, path, checks.read, own_model)
    try:
        return memory_draft(message, caller, given)
    except ScopeForbidden as refusal:
        return refusal


def batch_result(outcome: Remembered | DomainError) -> service.BatchRememberResult:
    if isinstance(outcome, DomainError):
        return service.BatchRememberResult(error=to_status(outcome))
    return service.BatchRememberResult(
        memory=memory_message(outcome.memory),
        redactions=fields.redaction_messages(outcome.redactions),
        omitted=fields.omitted_messages(outcome.omitted),
    )


@rule(service.UpdateMemoryRequest)
def check_update(request: service.UpdateMemoryRequest, path: str, checks: Checks) -> None:
    """Checks that every named field can be changed, and that a field without a default has a value."""
    names, memory = request.update_mask.paths, request.memory
    check_mask(names, FIELDS, checks, "must name at least one field")
    if "occurred_at" in names and not memory.HasField("occurred_at"):
        checks.fail("memory.occurred_at", "must be given where update_mask names it")
    if "vector" in names and not memory.HasField("vector"):
        check_message(memory.vector, checks, "memory.vector.")


def supersession(request: supersession_pb2.SupersedeMemoryRequest) -> MemorySupersession:
    return MemorySupersession(
        memory_id=read_memory_id(request.memory_id),
        expected_version=request.expected_version,
        successor_id=read_memory_id(request.successor_id),
        since=time_of(request, "since"),
    )


def memory_update(request: service.UpdateMemoryRequest, caller: Principal) -> MemoryUpdate:
    """Raises ScopeForbidden where the caller may not name the actor."""
    values = {name: FIELDS[name](request.memory) for name in request.update_mask.paths}
    vector = values.pop("vector", None)
    own = attributed(caller, values.get("actor", ""))
    values |= own.at_most(values.get("trust_level", TrustLevel.UNKNOWN))._asdict()
    return MemoryUpdate(
        memory_id=read_memory_id(request.memory_id),
        expected_version=request.expected_version,
        values=values,
        vector=vector,
        omit_forgotten=request.omit_forgotten,
    )


# The answer names this many failures and counts the rest.
MAX_NAMED_FAILURES = 100

BATCHES_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class RunningBatch:
    """A batch that is being stored, and the index of each of its drafts in the stream."""

    task: asyncio.Task[ImportedBatch]
    indexes: Sequence[int]


class ImportStream:
    """One running import: its first message says where to and how, every message is one batch."""

    def __init__(self, memories: Memories, calls: CallReader) -> None:
        self._calls = calls
        self._memories = memories
        self._call: Call | None = None
        self._replace = False
        self._index = 0
        self._revision = 0
        self._running: deque[RunningBatch] = deque()
        self._answer = service.ImportMemoriesResponse()

    async def run(self, messages: AsyncIterator[service.ImportMemoriesRequest]) -> service.ImportMemoriesResponse:
        """The counts, once the stream has ended. One batch is prepared while the one before it is stored."""
        try:
            async for message in messages:
                call = self._begin(message)
                drafts = await self._drafts(message, call.principal)
                if drafts:
                    await self._start(call.scope, drafts)
            while self._running:
                await self._finish_first()
        except asyncio.CancelledError:
            for running in self._running:
                running.task.cancel()
            raise
        finally:
            # Batches that came before a bad message are stored all the same.
            await asyncio.gather(*(running.task for running in self._running), return_exceptions=True)
        if self._call is None:
            raise invalid_field("memories", "the stream must hold at least one message")
        self._answer.revision.CopyFrom(self._call.revision(self._revision))
        return self._answer

    async def _start(self, scope: Scope, drafts: dict[int, MemoryDraft]) -> None:
        if len(self._running) == BATCHES_AT_ONCE:
            await self._finish_first()
        before = self._running[-1].task if self._running else None
        batch = self._memories.import_batch(scope, list(drafts.values()), replace=self._replace, after=before)
        self._running.append(RunningBatch(asyncio.create_task(batch), list(drafts)))

    async def _finish_first(self) -> None:
        running = self._running.popleft()
        imported = await running.task
        for index, error in imported.failures.items():
            self._fail(running.indexes[index], error)
        self._answer.imported += imported.stored
        self._answer.skipped += imported.skipped
        self._answer.merged += imported.merged
        for redaction in imported.redactions:
            self._answer.redactions[redaction.kind] += 1
        self._revision = max(self._revision, imported.revision)

    def _begin(self, message: service.ImportMemoriesRequest) -> Call:
        if self._call is None:
            self._call = self._calls.read_at_once(message)
            self._replace = message.on_conflict == service.CONFLICT_POLICY_REPLACE
            return self._call
        checks = Checks()
        check_message(message, checks)
        if message.agent_id or message.on_conflict:
            checks.fail("agent_id", "agent_id and on_conflict belong in the first message")
        checks.done()
        return self._call

    async def _drafts(self, message: service.ImportMemoriesRequest, caller: Principal) -> dict[int, MemoryDraft]:
        """The drafts that can be stored, by their indexes in the stream."""
        drafts, slices = {}, TimeSlices()
        for memory in message.memories:
            draft = draft_or_problem(memory, "memory.", self._calls.own_model, caller)
            if isinstance(draft, DomainError):
                self._fail(self._index, draft)
            else:
                drafts[self._index] = draft
            self._index += 1
            await slices.spend()
        return drafts

    def _fail(self, index: int, error: DomainError) -> None:
        self._answer.failed += 1
        if len(self._answer.failures) < MAX_NAMED_FAILURES:
            self._answer.failures.add(index=index, error=to_status(error))
