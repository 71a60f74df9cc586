"""ImportMemories' stream: checked message by message, stored batch by batch, failures named by their index."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from camillo.v1 import memory_service_pb2 as service

from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.field_limits import check_message
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.memories.memories import Memories
from camillo_server.features.memories.messages import draft_or_problem
from camillo_server.kernel.errors import DomainError, invalid_field
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.scope import Principal, Scope
from camillo_server.rows.row import MemoryDraft
from camillo_server.rows.write_records import ImportedBatch

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
