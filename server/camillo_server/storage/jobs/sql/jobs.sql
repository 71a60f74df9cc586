-- name: lock_deferring
-- One process at a time defers jobs, until its transaction ends.
select pg_advisory_xact_lock(%(key)s)

-- name: known_locks
-- Locks of jobs that wait, run or have failed, and whether a job with the lock runs.
select lock, bool_or(status = 'doing') from procrastinate_jobs
where lock = any(%(locks)s) and status in ('todo', 'doing', 'failed')
group by lock

-- name: first_priority
-- That of the next job of an urgency.
select max(priority) from procrastinate_jobs
where status = 'todo' and priority <= %(first)s and priority > %(last)s

-- name: retry_now
-- Makes the retries of a task due now.
update procrastinate_jobs set scheduled_at = null
where task_name = %(task)s and status = 'todo' and scheduled_at > now()

-- name: wake
-- Sends the message by which procrastinate's trigger wakes the workers of a queue.
select pg_notify(channel, '{"type": "job_inserted", "job_id": 0}') from unnest(%(channels)s::text[]) channel

-- name: retry_dead
-- Retries jobs of a task that failed for good at least so long ago. They are locked first: procrastinate's function raises
-- an error for a job that another process has retried meanwhile.
with dead as materialized (
    select j.id from procrastinate_jobs j
    where j.task_name = %(task)s and j.status = 'failed' and not exists (
        select from procrastinate_events e
        where e.job_id = j.id and e.type = 'failed' and e.at > now() - make_interval(secs => %(seconds)s)
    )
    order by j.id limit %(size)s for update of j skip locked
)
select procrastinate_retry_job_v2(dead.id, now(), null, null, null) from dead

-- name: retry_stalled
-- Retries a job at this time, or removes it if its successor waits. Here and in fail_stalled nothing happens if another
-- process has done it.
with replaced as (
    delete from procrastinate_jobs j where j.id = %(job_id)s and j.status = 'doing' and exists (
        select from procrastinate_jobs o where o.queueing_lock = j.queueing_lock and o.status = 'todo'
    )
), stalled as materialized (
    select j.id from procrastinate_jobs j where j.id = %(job_id)s and j.status = 'doing' and not exists (
        select from procrastinate_jobs o where o.queueing_lock = j.queueing_lock and o.status = 'todo'
    ) for update of j
)
select procrastinate_retry_job_v2(stalled.id, %(retry_at)s, null, null, null) from stalled

-- name: fail_stalled
-- Makes a job fail for good.
with stalled as materialized (
    select id from procrastinate_jobs where id = %(job_id)s and status = 'doing' for update
)
select procrastinate_finish_job_v1(stalled.id, 'failed', false) from stalled

-- name: remove_dead_predecessors
-- Removes earlier jobs with the same lock that failed for good.
delete from procrastinate_jobs
where status = 'failed' and task_name = %(task)s and lock = %(lock)s and id < %(job_id)s

-- name: figures
-- Jobs by task: waiting, running, dead, and for how many seconds the oldest has been waiting.
select j.task_name as task, count(*) filter (where j.status = 'todo') as waiting,
    count(*) filter (where j.status = 'doing') as running, count(*) filter (where j.status = 'failed') as dead,
    coalesce(extract(epoch from now() - min(e.at) filter (where j.status = 'todo')), 0)::float
        as oldest_waiting_seconds
from procrastinate_jobs j
left join procrastinate_events e on e.job_id = j.id and e.type = 'deferred'
where j.status in ('todo', 'doing', 'failed')
group by j.task_name order by j.task_name
