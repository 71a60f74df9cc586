# Generated from _async/memories.py by tools/generate_sync.py: do not edit.
"""Memories: what an agent keeps."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Unpack

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_pb2 import Memory, MemoryChange, MemoryFilter, MemoryRevision, NewMemory
from camillo.v1.memory_service_pb2 import (
    BatchRecallResult,
    BatchRememberRequest,
    BatchRememberResult,
    ConflictPolicy,
    ExportMemoriesRequest,
    ForgetMemoriesRequest,
    ForgetMemoriesResponse,
    GetMemoryRequest,
    ImportMemoriesRequest,
    ImportMemoriesResponse,
    ListMemoriesRequest,
    ListMemoryRevisionsRequest,
    MemoryIds,
    RecallRequest,
    RememberRequest,
    RestoreMemoriesRequest,
    UpdateMemoryRequest,
    WatchMemoriesRequest,
)
from camillo_client._sync.caller import new_request_id
from camillo_client._sync.import_feed import ImportFeed
from camillo_client._sync.resumed_streams import Patience, resumed_export, resumed_watch
from camillo_client._sync.supersession import AsyncSupersession
from camillo_client.convert import OnConflict, reject_text, to_enum, to_strings
from camillo_client.errors import CamilloError
from camillo_client.failures import from_status
from camillo_client.freshness import FreshnessLike, SpaceLike, WatchedSpace, to_freshness, to_spaces, to_watched
from camillo_client.hits import RecallAnswer
from camillo_client.memories import ChangedFields, NewMemoryFields, changed_memory, new_memory
from camillo_client.packing import packs
from camillo_client.queries import FOUR_SOURCES, RecallOptions, own_request, recall_request
from camillo_client.redactions import warn_of
from camillo_client.spaces import NOTHING
from camillo_client.streams import check_start
from camillo_client.written import WrittenMemory

MAX_BATCH = 1000
# Below the 4 MiB that a gRPC server takes in one message unless told otherwise.
MAX_BATCH_BYTES = 3 * 1024 * 1024
MAX_RECALLS = 32


class Memories(AsyncSupersession):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. Failed calls raise
    CamilloError.

    Every write takes a `request_id`; give your own where a write may be repeated later, such as after a crash.
    Secrets are never stored: for each one taken out, a SecretRedacted warning is issued. Iterators request the next
    page when the one before has been used.
    """

    def remember(
        self,
        content: str,
        *,
        omit_forgotten: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewMemoryFields],
    ) -> WrittenMemory:
        """Stores one memory, or adds to the one with exactly the same content; see NewMemoryFields for the rest. With
        `omit_forgotten`, without sentences that were forgotten, where it would be refused otherwise. `durability` of
        the answer says where it is."""
        request = RememberRequest(
            agent_id=self._agent(agent_id),
            memory=new_memory(content, **fields),
            omit_forgotten=omit_forgotten,
        )
        answer = self._write(self._memories.Remember, request, request_id, timeout)
        warn_of(answer.redactions)
        return WrittenMemory(answer.memory, answer)

    def remember_many(
        self,
        memories: Iterable[str | NewMemory],
        *,
        omit_forgotten: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> list[Memory | CamilloError]:
        """The stored memory or an error for each, in the order given.

        `omit_forgotten` is as in `remember`. Sent in batches of up to 1,000; each batch is one transaction and has the
        timeout for itself. If a batch fails as a whole, its error is raised and the batches before it stay stored;
        repeated with the same memories and the `request_id` of that error, the call stores the rest and returns
        everything."""
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
                    omit_forgotten=omit_forgotten,
                )
                answer = self._write(self._memories.BatchRemember, request, request_id, timeout)
                for result in answer.results:
                    warn_of(result.redactions)
                    outcomes.append(_stored(result))
        except CamilloError as error:
            error.request_id = first_id
            raise
        return outcomes

    def update(
        self,
        memory_id: str,
        expected_version: int,
        *,
        omit_forgotten: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[ChangedFields],
    ) -> Memory:
        """Changes the fields given; VersionConflict if the memory is no longer at `expected_version`. `omit_forgotten`
        is as in `remember`."""
        memory, update_mask = changed_memory(**fields)
        request = UpdateMemoryRequest(
            agent_id=self._agent(agent_id),
            memory_id=memory_id,
            expected_version=expected_version,
            update_mask=update_mask,
            memory=memory,
            omit_forgotten=omit_forgotten,
        )
        answer = self._write(self._memories.UpdateMemory, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.memory

    def forget(
        self,
        ids: Iterable[str] | None = None,
        *,
        filter: MemoryFilter | None = None,
        dry_run: bool = False,
        allow_restating: bool = False,
        include_events: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ForgetMemoriesResponse:
        """Removes memories for good with everything derived from them, by ids or by filter; with `dry_run` only
        returns which.

        Their contents may not be stored again unless `allow_restating`; `include_events` forgets the events that they
        rest on, too. A filter that many memories pass needs the `plan_token` of a dry run.
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
            plan_token=plan_token,
        )
        return self._write_or_plan(self._memories.ForgetMemories, request, request_id, timeout)

    def restore(
        self,
        ids: Iterable[str],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Takes archived memories back into recall; returns how many were archived."""
        request = RestoreMemoriesRequest(
            agent_id=self._agent(agent_id), memory_ids=MemoryIds(ids=to_strings(ids, "ids"))
        )
        answer = self._write(self._memories.RestoreMemories, request, request_id, timeout)
        return answer.restored

    def recall(
        self,
        query: str | None = None,
        *,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RecallOptions],
    ) -> RecallAnswer:
        """The best hits for a text, or for `vector`; see RecallOptions for the rest."""
        request = recall_request(query, agent_id=self._agent(agent_id), **options)
        if not agent_id:
            self._beside.fill(request)
        return RecallAnswer(self._read(self._memories.Recall, request, timeout))

    def search_my_memories(self, query: str, limit: int = 5, *, agent_id: str | None = None) -> RecallAnswer:
        """Recalls from FOUR_SOURCES, for an agent's tool of this name."""
        return self.recall(query, agent_id=agent_id, limit=limit, **FOUR_SOURCES)

    def recall_many(
        self,
        queries: Iterable[str | RecallRequest],
        *,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> list[RecallAnswer | CamilloError]:
        """An answer or an error for each query, in the order given; `agent_id` applies to queries that name none."""
        reject_text(queries, "recall_many")
        beside = NOTHING if agent_id else self._beside
        requests = [own_request(query, self._agent(agent_id), beside) for query in queries]
        outcomes: list[RecallAnswer | CamilloError] = []
        for start in range(0, len(requests), MAX_RECALLS):
            part, deadline = requests[start : start + MAX_RECALLS], self._calls.deadline(timeout)
            results = self._recall_batch(self._memories.BatchRecall, part, deadline)
            outcomes += map(_answered, results)
        return outcomes

    def get(
        self,
        memory_id: str,
        *,
        include_vector: bool = False,
        freshness: FreshnessLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Memory:
        """One memory, archived or not; MemoryNotFound if there is none."""
        request = GetMemoryRequest(
            agent_id=self._agent(agent_id),
            memory_id=memory_id,
            freshness=to_freshness(freshness),
            include_vector=include_vector,
        )
        return (self._read(self._memories.GetMemory, request, timeout)).memory

    def history(
        self,
        memory_id: str,
        *,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[MemoryRevision]:
        """A memory as it was at each version, newest first; the timeout applies to each page."""
        request = ListMemoryRevisionsRequest(agent_id=self._agent(agent_id), memory_id=memory_id, page_size=page_size)
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._memories.ListMemoryRevisions, page, timeout),
            request,
        )
        for page in pages:
            for revision in page.revisions:
                yield revision

    def export(
        self,
        filter: MemoryFilter | None = None,
        *,
        include_vectors: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Memory]:
        """All memories that pass the filter, oldest first: each that is there when the export begins, as it is when it
        is sent.

        After a break the export continues where it ended, for as long as each connection brings something. The timeout
        applies to each connection; there is none unless given."""
        request = ExportMemoriesRequest(agent_id=self._agent(agent_id), filter=filter, include_vectors=include_vectors)
        stream = resumed_export(self._calls, self._memories.ExportMemories, request, timeout)
        with closing(stream) as parts:
            for part in parts:
                for memory in part.memories:
                    yield memory

    def import_(
        self,
        memories: Iterable[Memory],
        *,
        on_conflict: OnConflict | ConflictPolicy = "skip",
        on_progress: Callable[[int], None] | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> ImportMemoriesResponse:
        """Stores memories with their ids, times and statistics, in batches.

        After a failure, import the same again with `on_conflict="skip"`. `on_progress` is called with the number of
        memories sent. There is no timeout unless given.
        """
        feed = ImportFeed(memories, on_progress)
        first = ImportMemoriesRequest(agent_id=self._agent(agent_id), on_conflict=to_enum(ConflictPolicy, on_conflict))
        ticket = self._written.begin(first.agent_id)
        try:
            answer = self._calls.upload(self._memories.ImportMemories, feed.requests(first), timeout, first.agent_id)
        except BaseException:
            # gRPC tells only that the stream was cancelled; the caller wants to know by what.
            if feed.failure is not None:
                raise feed.failure from None
            raise
        self._written.wrote(ticket, answer.revision)
        return answer

    def watch(
        self,
        *,
        resume_token: str = "",
        after_revision: Revision | None = None,
        from_beginning: bool = False,
        spaces: Iterable[WatchedSpace] = (),
        max_reconnects: int = 10,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[MemoryChange]:
        """The changes of the scope in the order of their revisions, with checkpoints among them, without end. Exactly
        one of `resume_token`, `after_revision` and `from_beginning` says where the watch begins, else ValueError.

        Up to 7 other `spaces` are watched with it, each in the order of its own revisions; `agent_id` of a change says
        which. With `after_revision` each has its own: SpaceRevisions, as answers of recalls have them. `with_spaces`
        adds none.

        When the server goes away, the watch resumes after the last change that it returned; it gives up after
        `max_reconnects` attempts in a row that brought no change. The timeout applies to each connection.
        """
        # Now, not with the first change that is asked for.
        check_start(resume_token, after_revision, from_beginning)
        request = WatchMemoriesRequest(
            agent_id=self._agent(agent_id),
            resume_token=resume_token or None,
            after_revision=after_revision,
            from_beginning=from_beginning or None,
            spaces=to_watched(spaces),
        )
        return self._followed(request, Patience(max_reconnects, timeout))

    def _followed(self, request: WatchMemoriesRequest, patience: Patience) -> Generator[MemoryChange]:
        stream = resumed_watch(self._calls, self._memories.WatchMemories, request, patience)
        with closing(stream) as answers:
            for answer in answers:
                yield answer.change

    def list(
        self,
        filter: MemoryFilter | None = None,
        *,
        page_size: int = 0,
        freshness: FreshnessLike | None = None,
        spaces: Iterable[SpaceLike] = (),
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Memory]:
        """All memories that pass the filter, newest first; those of up to 7 other `spaces` among them, without the
        restricted ones. `with_spaces` adds none. The timeout applies to each page."""
        request = ListMemoriesRequest(
            agent_id=self._agent(agent_id),
            filter=filter,
            page_size=page_size,
            freshness=to_freshness(freshness),
            spaces=to_spaces(spaces),
        )
        pages = self._calls.pages(lambda page: self._read(self._memories.ListMemories, page, timeout), request)
        for page in pages:
            for memory in page.memories:
                yield memory


def _stored(result: BatchRememberResult) -> Memory | CamilloError:
    return from_status(result.error) if result.HasField("error") else result.memory


def _answered(result: BatchRecallResult) -> RecallAnswer | CamilloError:
    if result.HasField("error"):
        return from_status(result.error)
    return RecallAnswer(result.response)
