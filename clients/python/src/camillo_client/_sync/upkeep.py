# Generated from _async/upkeep.py by tools/generate_sync.py: do not edit.
"""What scopes take, and the work in the background."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from camillo.v1.lifecycle_pb2 import Job, JobState, Reembedding, ScopeUsage
from camillo.v1.lifecycle_service_pb2 import (
    GetReembeddingRequest,
    GetUsageRequest,
    ListJobsRequest,
    RetryJobRequest,
    StartReembeddingRequest,
)
from camillo_client._sync.lifecycle_caller import LifecycleCaller
from camillo_client.convert import to_enum
from camillo_client.lifecycle_fields import JobStateLike


class Upkeep(LifecycleCaller):
    """`all_scopes` needs a key that may act for any agent. The timeout of a list is that of each page."""

    def usage(self, *, agent_id: str | None = None, timeout: float | None = None) -> ScopeUsage:
        """What the scope takes."""
        request = GetUsageRequest(agent_id=self._agent(agent_id))
        answer = self._calls.unary(self._lifecycle.GetUsage, request, timeout)
        return answer.scopes[0]

    def all_usage(
        self, *, page_size: int = 0, timeout: float | None = None
    ) -> Generator[ScopeUsage]:
        """What every scope of the tenant takes, in the order of the agents' ids."""
        request = GetUsageRequest(all_scopes=True, page_size=page_size)
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._lifecycle.GetUsage, page, timeout), request
        )
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
        """Work in the background of the tenant, oldest first."""
        request = ListJobsRequest(
            state=None if state is None else to_enum(JobState, state), page_size=page_size
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._lifecycle.ListJobs, page, timeout), request
        )
        for page in pages:
            for job in page.jobs:
                yield job

    def retry(self, job_id: str, *, timeout: float | None = None) -> Job:
        """Tries a job again that has failed for good, or waits for its next try; JobNotFound if there is none."""
        request = RetryJobRequest(job_id=job_id)
        return (self._calls.unary(self._lifecycle.RetryJob, request, timeout)).job

    def reembed(
        self,
        *,
        all_scopes: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[Reembedding]:
        """Has vectors made of the model that is to serve next; NoNextModel if none is configured."""
        request = StartReembeddingRequest(
            agent_id="" if all_scopes else self._agent(agent_id), all_scopes=all_scopes
        )
        answer = self._calls.unary(self._lifecycle.StartReembedding, request, timeout)
        return answer.reembeddings

    def reembedding(
        self,
        *,
        all_scopes: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Sequence[Reembedding]:
        """How far they have come, one for each scope in the order of the agents' ids; at most 1,000."""
        request = GetReembeddingRequest(
            agent_id="" if all_scopes else self._agent(agent_id), all_scopes=all_scopes
        )
        answer = self._calls.unary(self._lifecycle.GetReembedding, request, timeout)
        return answer.reembeddings
