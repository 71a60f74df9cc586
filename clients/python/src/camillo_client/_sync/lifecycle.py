# Generated from _async/lifecycle.py by tools/generate_sync.py: do not edit.
"""The lifecycle of memories: archiving, removal, compaction, usage."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Unpack

from grpc import Channel

from camillo.v1.forgetting_pb2 import ExcerptOptions, ForgetMode, ListValueRefusalsRequest, ValueRefusal
from camillo.v1.lifecycle_pb2 import (
    Compaction,
    CompactionState,
    Job,
    JobState,
    LifecyclePass,
    Receipt,
    Reembedding,
    ScopeUsage,
)
from camillo.v1.lifecycle_service_pb2 import (
    ArchiveRequest,
    CompactionIds,
    CompactRequest,
    CompactResponse,
    ForgetRequest,
    GetReembeddingRequest,
    GetUsageRequest,
    LiftValueBlocksRequest,
    ListCompactionsRequest,
    ListJobsRequest,
    ListReceiptsRequest,
    PruneRequest,
    ReindexRequest,
    ReindexResponse,
    ResetRequest,
    RetryJobRequest,
    RevertCompactionRequest,
    RevertCompactionResponse,
    RunMaintenanceRequest,
    StartReembeddingRequest,
)
from camillo.v1.lifecycle_service_pb2_grpc import LifecycleServiceStub
from camillo.v1.memory_pb2 import ForgetReceipt
from camillo_client._sync.caller import Caller, new_request_id
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import to_enum, to_strings
from camillo_client.lifecycle_fields import (
    CompactionStateLike,
    CriteriaFields,
    ForgetModeLike,
    JobStateLike,
    RecordFields,
    SelectorFields,
    criteria,
    pass_of,
    record_ids,
    selector,
)
from camillo_client.revisions import WrittenRevisions


class Lifecycle(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own; of a list, to each page.
    `all_scopes` needs a key that may act for any agent. Failed calls raise CamilloError.

    With `dry_run` a pass only returns what it would do; given its `plan_token`, the same call does exactly that, or
    raises PlanChanged. The sources of a compaction are archived, never removed.
    """

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._lifecycle = LifecycleServiceStub(channel)

    def maintain(
        self,
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> LifecyclePass:
        """Archives memories that have decayed, are unimportant or exceed the quota; removes those that were archived
        or expired for longer than the retention."""
        request = RunMaintenanceRequest(agent_id=self._agent(agent_id), dry_run=dry_run, plan_token=plan_token)
        answer = self._write_or_plan(self._lifecycle.RunMaintenance, request, request_id, timeout)
        return pass_of(answer)

    def prune(
        self,
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **which: Unpack[SelectorFields],
    ) -> LifecyclePass:
        """Removes memories for good; they may be stored again. See SelectorFields for which."""
        request = PruneRequest(
            agent_id=self._agent(agent_id),
            selector=selector(**which),
            dry_run=dry_run,
            plan_token=plan_token,
        )
        answer = self._write_or_plan(self._lifecycle.Prune, request, request_id, timeout)
        return pass_of(answer)

    def archive(
        self,
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **which: Unpack[SelectorFields],
    ) -> LifecyclePass:
        """Takes memories out of recall and keeps them; `restore` brings them back. See SelectorFields for which."""
        request = ArchiveRequest(
            agent_id=self._agent(agent_id),
            selector=selector(**which),
            dry_run=dry_run,
            plan_token=plan_token,
        )
        answer = self._write_or_plan(self._lifecycle.Archive, request, request_id, timeout)
        return pass_of(answer)

    def reset(
        self,
        confirm: str,
        *,
        dry_run: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> Receipt:
        """Empties a scope for good; `confirm` is the agent's id, or the tenant's for its shared scope, else
        ConfirmationRequired."""
        request = ResetRequest(agent_id=self._agent(agent_id), confirm=confirm, dry_run=dry_run)
        return (self._write_or_plan(self._lifecycle.Reset, request, request_id, timeout)).receipt

    def forget(
        self,
        *,
        value: str | None = None,
        aliases: Iterable[str] = (),
        dry_run: bool = False,
        allow_restating: bool = False,
        include_events: bool = False,
        include_linked: bool = False,
        include_merged: bool = False,
        mode: ForgetModeLike | None = None,
        all_scopes: bool = False,
        plan_token: str = "",
        excerpts: int = 0,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **records: Unpack[RecordFields],
    ) -> ForgetReceipt:
        """Removes records, or all that state a value, for good, with everything that cites or repeats them; `dry_run`
        only lists them, and shows where the value stands in so many `excerpts` of each store, as far as the `channel`
        may load them. `all_scopes` covers every scope of the tenant; give a large tenant a longer timeout.

        Nobody may state what they state again unless `allow_restating`. `aliases` are other names of the value.
        `include_events` also forgets the events that the forgotten memories rest on, `include_linked` what has a link
        that says it is about one of the records or derived from it, `include_merged` what holds a name that was merged
        with one of these. With the `mode` "redact_spans" memories stay, without the value. `aliases`,
        `include_linked`, `include_merged` and a value that many records state need the `plan_token` of a dry run.
        """
        if (value is None) == (not records):
            raise ValueError("forget takes either records or a value")
        request = ForgetRequest(
            agent_id=self._agent(agent_id),
            records=record_ids(**records) if records else None,
            value=value,
            aliases=to_strings(aliases, "aliases"),
            dry_run=dry_run,
            allow_restating=allow_restating,
            include_events=include_events,
            include_linked=include_linked,
            include_merged=include_merged,
            mode=None if mode is None else to_enum(ForgetMode, mode),
            all_scopes=all_scopes,
            plan_token=plan_token,
            excerpts=ExcerptOptions(per_store=excerpts, channel=to_channel(channel)) if excerpts else None,
        )
        return (self._write_or_plan(self._lifecycle.Forget, request, request_id, timeout)).receipt

    def compact(
        self,
        *,
        dry_run: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **what: Unpack[CriteriaFields],
    ) -> CompactResponse:
        """Merges memories that share a tag or say nearly the same; with `dry_run` only proposes. At most 100 at once:
        call again while the answer says `more`."""
        request = CompactRequest(agent_id=self._agent(agent_id), criteria=criteria(**what), dry_run=dry_run)
        return self._write_or_plan(self._lifecycle.Compact, request, request_id, timeout)

    def commit(
        self,
        proposals: Iterable[str],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> CompactResponse:
        """Carries out the proposals of a dry run, by their ids."""
        request = CompactRequest(
            agent_id=self._agent(agent_id),
            proposals=CompactionIds(ids=to_strings(proposals, "proposals")),
        )
        return self._write(self._lifecycle.Compact, request, request_id, timeout)

    def revert(
        self,
        compaction_id: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> RevertCompactionResponse:
        """Undoes a compaction: the sources are back in recall, the merged memory is gone."""
        request = RevertCompactionRequest(agent_id=self._agent(agent_id), compaction_id=compaction_id)
        return self._write(self._lifecycle.RevertCompaction, request, request_id, timeout)

    def compactions(
        self,
        *,
        state: CompactionStateLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Compaction]:
        """The compactions of the scope, newest first; the timeout applies to each page."""
        request = ListCompactionsRequest(
            agent_id=self._agent(agent_id),
            state=None if state is None else to_enum(CompactionState, state),
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._lifecycle.ListCompactions, page, timeout), request
        )
        for page in pages:
            for compaction in page.compactions:
                yield compaction

    def receipts(
        self, *, page_size: int = 0, agent_id: str | None = None, timeout: float | None = None
    ) -> Generator[Receipt]:
        """Receipts of removals, newest first; the timeout applies to each page."""
        request = ListReceiptsRequest(agent_id=self._agent(agent_id), page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._lifecycle.ListReceipts, page, timeout), request)
        for page in pages:
            for receipt in page.receipts:
                yield receipt

    def refusals(
        self, *, page_size: int = 0, agent_id: str | None = None, timeout: float | None = None
    ) -> Generator[ValueRefusal]:
        """Writes that were refused for a forgotten value, newest first; the timeout applies to each page."""
        request = ListValueRefusalsRequest(agent_id=self._agent(agent_id), page_size=page_size)
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._lifecycle.ListValueRefusals, page, timeout),
            request,
        )
        for page in pages:
            for refusal in page.refusals:
                yield refusal

    def lift(
        self,
        content: str | None = None,
        *,
        receipt_id: str | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Allows a forgotten text, or everything that one receipt lists, to be stored again; returns the number of
        values."""
        if (content is None) == (receipt_id is None):
            raise ValueError("a block is lifted by its content or by a receipt_id")
        request = LiftValueBlocksRequest(
            agent_id=self._agent(agent_id),
            request_id=request_id or new_request_id(),
            content=content,
            receipt_id=receipt_id,
        )
        answer = self._calls.unary(self._lifecycle.LiftValueBlocks, request, timeout)
        return answer.lifted

    def usage(self, *, agent_id: str | None = None, timeout: float | None = None) -> ScopeUsage:
        """The storage that the scope uses."""
        request = GetUsageRequest(agent_id=self._agent(agent_id))
        answer = self._calls.unary(self._lifecycle.GetUsage, request, timeout)
        return answer.scopes[0]

    def all_usage(self, *, page_size: int = 0, timeout: float | None = None) -> Generator[ScopeUsage]:
        """The storage that every scope of the tenant uses, in the order of the agents' ids."""
        request = GetUsageRequest(all_scopes=True, page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._lifecycle.GetUsage, page, timeout), request)
        for page in pages:
            for scope in page.scopes:
                yield scope

    def jobs(
        self,
        *,
        state: JobStateLike | None = None,
        page_size: int = 0,
        timeout: float | None = None,
    ) -> Generator[Job]:
        """Background jobs of the tenant, oldest first."""
        request = ListJobsRequest(state=None if state is None else to_enum(JobState, state), page_size=page_size)
        pages = self._calls.pages(lambda page: self._calls.unary(self._lifecycle.ListJobs, page, timeout), request)
        for page in pages:
            for job in page.jobs:
                yield job

    def retry(self, job_id: str, *, timeout: float | None = None) -> Job:
        """Runs a job again that has failed for good or waits for its next try; JobNotFound if there is none."""
        request = RetryJobRequest(job_id=job_id)
        return (self._calls.unary(self._lifecycle.RetryJob, request, timeout)).job

    def reembed(
        self,
        *,
        all_scopes: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[Reembedding]:
        """Starts making vectors of the next model; NoNextModel if none is configured."""
        request = StartReembeddingRequest(agent_id="" if all_scopes else self._agent(agent_id), all_scopes=all_scopes)
        answer = self._calls.unary(self._lifecycle.StartReembedding, request, timeout)
        return answer.reembeddings

    def reembedding(
        self,
        *,
        all_scopes: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[Reembedding]:
        """The progress of re-embedding, one entry for each scope in the order of the agents' ids; at most 1,000."""
        request = GetReembeddingRequest(agent_id="" if all_scopes else self._agent(agent_id), all_scopes=all_scopes)
        answer = self._calls.unary(self._lifecycle.GetReembedding, request, timeout)
        return answer.reembeddings

    def reindex(self, *, agent_id: str | None = None, timeout: float | None = None) -> ReindexResponse:
        """Finds the index terms of every row of the scope again, and changes those that an earlier release found
        otherwise; give a large scope a longer timeout."""
        request = ReindexRequest(agent_id=self._agent(agent_id))
        ticket = self._written.begin(request.agent_id)
        answer = self._calls.unary(self._lifecycle.Reindex, request, timeout)
        self._written.wrote(ticket, answer.revision)
        return answer
