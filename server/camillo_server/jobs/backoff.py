"""When a job that failed is tried again, and when it has failed for good."""

import asyncio
import logging
import random
from collections.abc import Callable

from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.exceptions import JobAborted
from procrastinate.jobs import Job

from camillo_server.domain.embedder import EmbeddingUnavailable
from camillo_server.domain.errors import DomainError

logger = logging.getLogger(__name__)

# So that jobs which failed together do not come back together.
SPREAD = (0.8, 1.2)


class ProcessLost(Exception):
    """The process that ran the job has ended, or lost Postgres before it could say how the job ended."""


# Known, passing, and told without a stack.
EXPECTED = (EmbeddingUnavailable, DomainError, ProcessLost)


class Backoff(BaseRetryStrategy):
    """Twice as long a pause after each failure, up to a longest one, for so many attempts in all."""

    def __init__(
        self,
        max_attempts: int,
        first_seconds: float = 1.0,
        longest_seconds: float = 900.0,
        on_retry: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        """`on_retry` is told in how many seconds a job will be due again."""
        self._max_attempts = max_attempts
        self._first_seconds = first_seconds
        self._longest_seconds = longest_seconds
        self._on_retry = on_retry

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """None where the job has failed for good."""
        # A server that stops gives its jobs back to the others at once.
        if isinstance(exception, asyncio.CancelledError | JobAborted):
            return RetryDecision(retry_in={"seconds": 0})
        is_last = job.attempts + 1 >= self._max_attempts
        _tell(exception, job, is_last)
        if is_last:
            return None
        seconds = self._pause(job.attempts)
        self._on_retry(seconds)
        return RetryDecision(retry_in={"milliseconds": round(seconds * 1000)})

    def _pause(self, attempts: int) -> float:
        # The exponent is bounded so that no number of attempts overflows.
        pause = min(self._first_seconds * 2.0 ** min(attempts, 60), self._longest_seconds)
        return pause * random.uniform(*SPREAD)  # noqa: S311


def _tell(exception: BaseException, job: Job, is_last: bool) -> None:
    """Names the job by task and id only: its arguments belong to a tenant."""
    expected = isinstance(exception, EXPECTED)
    logger.log(
        logging.ERROR if is_last or not expected else logging.WARNING,
        "job failed for good" if is_last else "job failed, will be tried again",
        exc_info=None if expected else exception,
        extra={
            "task": job.task_name,
            "job_id": job.id,
            "attempt": job.attempts + 1,
            "cause": str(exception) or type(exception).__name__,
        },
    )
