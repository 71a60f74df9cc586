"""The rows of the job queue as they are, and their times moved as if they had passed."""

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tests.postgres_fixtures import TestDatabase

ROWS = """
select j.id, task_name as task, status::text, attempts, args, lock,
    extract(epoch from scheduled_at - (
        select max(at) from procrastinate_events e where e.job_id = j.id and type <> 'scheduled'
    ))::float as pause
from procrastinate_jobs j where task_name = %s order by j.id
"""


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job. `pause`: the seconds between its last failure and its next attempt."""

    id: int
    task: str
    status: str
    attempts: int
    args: dict[str, Any]
    lock: str
    pause: float | None


def job_rows(database: TestDatabase, task: str = "embed_scope") -> list[JobRow]:
    """The jobs of a task in the order in which they were deferred."""
    with connected(database) as connection:
        rows = connection.cursor(row_factory=dict_row).execute(ROWS, (task,)).fetchall()
    return [JobRow(**row) for row in rows]


def let_pass(database: TestDatabase, seconds: float) -> None:
    """Moves everything that the queue remembers back in time, and wakes its workers."""
    with connected(database) as connection:
        for change in (
            "update procrastinate_jobs set scheduled_at = scheduled_at - make_interval(secs => %s)",
            "update procrastinate_events set at = at - make_interval(secs => %s)",
            "update procrastinate_workers set last_heartbeat = last_heartbeat - make_interval(secs => %s)",
        ):
            connection.execute(change, (seconds,))
        connection.execute(
            'select pg_notify(\'procrastinate_queue_v1#\' || queue_name, \'{"type": "job_inserted", "job_id": 0}\')'
            " from procrastinate_jobs"
        )


def connected(database: TestDatabase) -> psycopg.Connection:
    """A connection of the superuser, in the schema of the queue."""
    return psycopg.connect(database.superuser_url, autocommit=True, options="-c search_path=camillo_jobs")
