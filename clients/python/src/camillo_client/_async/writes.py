"""Remembering, changing, forgetting."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from camillo.v1.memory_pb2 import Memory, MemoryFilter, NewMemory
from camillo.v1.memory_service_pb2 import (
    BatchRememberRequest,
    BatchRememberResult,
    ForgetMemoriesRequest,
    ForgetMemoriesResponse,
    MemoryIds,
    RememberRequest,
    RestoreMemoriesRequest,
    UpdateMemoryRequest,
)
from camillo_client._async.connection import Connection
from camillo_client._async.mutations import Mutations, new_request_id
from camillo_client.convert import reject_text, to_strings
from camillo_client.errors import CamilloError
from camillo_client.failures import from_status
from camillo_client.memories import ChangedFields, NewMemoryFields, changed_memory, new_memory
from camillo_client.packing import packs
from camillo_client.redactions import warn_of

MAX_BATCH = 1000
# Below the 4 MiB that a gRPC server takes in one message unless told otherwise.
MAX_BATCH_BYTES = 3 * 1024 * 1024


class Writes(Mutations, Connection):
    """Every write takes a `request_id`, to be given where it may be repeated later, after a crash, say. Secrets are never
    stored: of each one taken out, a SecretRedacted warning tells."""

    async def remember(
        self,
        content: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewMemoryFields],
    ) -> Memory:
        """Stores one memory, or adds to the one that says exactly the same; see NewMemoryFields for the rest."""
        request = RememberRequest(
            agent_id=self._agent(agent_id), memory=new_memory(content, **fields)
        )
        answer = await self._write(self._memories.Remember, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.memory

    async def remember_many(
        self,
        memories: Iterable[str | NewMemory],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> list[Memory | CamilloError]:
        """The stored memory or an error for each, in the order given.

        Sent in batches of up to 1,000, each one transaction with the timeout for itself. If one fails as a whole,
        its error is raised and those before it stay stored; repeated with the same memories and the `request_id`
        of that error, the call stores the rest and returns everything.
        """
        reject_text(memories, "remember_many")
        first_id = request_id or new_request_id()
        new = (new_memory(memory) if isinstance(memory, str) else memory for memory in memories)
        outcomes: list[Memory | CamilloError] = []
        try:
            for number, pack in enumerate(packs(new, MAX_BATCH, MAX_BATCH_BYTES)):
                request = BatchRememberRequest(
                    agent_id=self._agent(agent_id),
                    request_id=f"{first_id}.{number}" if number else first_id,
                    memories=pack,
                )
                answer = await self._write(
                    self._memories.BatchRemember, request, request_id, timeout
                )
                for result in answer.results:
                    warn_of(result.redactions)
                    outcomes.append(_outcome(result))
        except CamilloError as error:
            error.request_id = first_id
            raise
        return outcomes

    async def update(
        self,
        memory_id: str,
        expected_version: int,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[ChangedFields],
    ) -> Memory:
        """Changes the fields given; VersionConflict if the memory is no longer at `expected_version`."""
        memory, update_mask = changed_memory(**fields)
        request = UpdateMemoryRequest(
            agent_id=self._agent(agent_id),
            memory_id=memory_id,
            expected_version=expected_version,
            update_mask=update_mask,
            memory=memory,
        )
        answer = await self._write(self._memories.UpdateMemory, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.memory

    async def forget(
        self,
        ids: Iterable[str] | None = None,
        *,
        filter: MemoryFilter | None = None,
        dry_run: bool = False,
        allow_restating: bool = False,
        include_events: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ForgetMemoriesResponse:
        """Removes memories for good with what was derived from them, by ids or by filter; with `dry_run` only tells which.

        What they say may not be stated again unless `allow_restating`; `include_events` forgets the events that they
        rest on, too.
        """
        if (ids is None) == (filter is None):
            raise ValueError("forget takes either ids or a filter")
        request = ForgetMemoriesRequest(
            agent_id=self._agent(agent_id),
            memory_ids=None if ids is None else MemoryIds(ids=to_strings(ids, "ids")),
            filter=filter,
            dry_run=dry_run,
            allow_restating=allow_restating,
            include_events=include_events,
        )
        if dry_run:
            # Not a write: its revision is none that later reads have to reach.
            request.request_id = request_id or new_request_id()
            return await self._calls.unary(self._memories.ForgetMemories, request, timeout)
        return await self._write(self._memories.ForgetMemories, request, request_id, timeout)

    async def restore(
        self,
        ids: Iterable[str],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Takes archived memories back into recall; how many were."""
        request = RestoreMemoriesRequest(
            agent_id=self._agent(agent_id), memory_ids=MemoryIds(ids=to_strings(ids, "ids"))
        )
        answer = await self._write(self._memories.RestoreMemories, request, request_id, timeout)
        return answer.restored


def _outcome(result: BatchRememberResult) -> Memory | CamilloError:
    return from_status(result.error) if result.HasField("error") else result.memory
