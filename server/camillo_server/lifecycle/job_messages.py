"""Jobs and the progress of reembeddings as messages of the contract."""

from collections.abc import Iterable, Sequence

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service

from camillo_server.jobs.board import Job, JobId, JobState
from camillo_server.kernel.ids import TenantId
from camillo_server.lifecycle.reembedding import ReembeddingProgress
from camillo_server.rpc import fields, tokens


def job_state(value: int) -> JobState | None:
    """The requested state; None is any."""
    return JobState(value) if value else None


def list_binding(tenant_id: TenantId, state: JobState | None) -> bytes:
    """All that the token of a list depends on."""
    return tokens.query_binding("ListJobs", tenant_id, bytes([state or 0]))


def read_job_token(binding: bytes, token: str) -> JobId | None:
    """The last job of the page before, from a client's token, None for an empty one. Raises InvalidPageToken."""
    number = tokens.read_number_page_token(binding, token)
    return None if number is None else JobId(number)


def list_response(found: Sequence[Job], size: int, binding: bytes) -> service.ListJobsResponse:
    """A page of what was found, which is one more where another page follows."""
    return service.ListJobsResponse(
        jobs=map(job_message, found[:size]),
        next_page_token=tokens.text_page_token(binding, str(found[size - 1].job_id))
        if len(found) > size
        else "",
    )


def job_message(job: Job) -> pb.Job:
    """A job as the contract has it."""
    message = pb.Job(
        job_id=str(job.job_id),
        task=job.task,
        agent_id=job.agent_id,
        state=int(job.state),  # type: ignore[arg-type]
        attempts=job.attempts,
        is_stuck=job.is_stuck,
    )
    if job.due_at is not None:
        fields.fill_timestamp(message.due_at, job.due_at)
    if job.changed_at is not None:
        fields.fill_timestamp(message.changed_at, job.changed_at)
    return message


def reembedding_messages(reembeddings: Iterable[ReembeddingProgress]) -> Sequence[pb.Reembedding]:
    """In the order given."""
    return [_reembedding(each) for each in reembeddings]


def _reembedding(reembedding: ReembeddingProgress) -> pb.Reembedding:
    message = pb.Reembedding(
        agent_id=reembedding.agent_id,
        model_id=reembedding.model_id,
        serving_model_id=reembedding.serving_model_id,
        embedded=reembedding.embedded,
        rows=reembedding.rows,
        is_complete=reembedding.is_complete,
    )
    if reembedding.started_at is not None:
        fields.fill_timestamp(message.started_at, reembedding.started_at)
    return message
