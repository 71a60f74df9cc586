"""ListJobs and RetryJob: the work in the background of a tenant, for its administrators to see and to mend."""

from collections.abc import Sequence
from typing import Protocol

from camillo_server.jobs.board import JOB_ID, Job, JobId, JobState
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import TenantId


class JobBoard(Protocol):
    """The jobs of one tenant, and of no other. Raises StorageUnavailable."""

    async def page(
        self, tenant_id: TenantId, state: JobState | None, after: JobId | None, size: int
    ) -> Sequence[Job]:
        """In this state (None: any), oldest first, behind a job."""
        ...

    async def retry(self, tenant_id: TenantId, job_id: JobId) -> Job | None:
        """The job as it is afterwards: due now unless it runs. None where the tenant has no such job."""
        ...


class ListJobs:
    """Reads one page."""

    def __init__(self, board: JobBoard) -> None:
        self._board = board

    async def __call__(
        self, tenant_id: TenantId, state: JobState | None, after: JobId | None, size: int
    ) -> Sequence[Job]:
        """At most `size`, oldest first. Raises StorageUnavailable."""
        return await self._board.page(tenant_id, state, after, size)


class RetryJob:
    """Gives a job its next attempt now."""

    def __init__(self, board: JobBoard) -> None:
        self._board = board

    async def __call__(self, tenant_id: TenantId, job_id: str) -> Job:
        """Raises NotFound, for a job of another tenant too, and StorageUnavailable."""
        job = None
        if JOB_ID.fullmatch(job_id):
            job = await self._board.retry(tenant_id, JobId(int(job_id)))
        if job is None:
            raise NotFound("job", job_id)
        return job
