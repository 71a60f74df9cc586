-- name: take_turn
-- Whoever decides which jobs are missing does so alone, until its transaction ends.
select pg_advisory_xact_lock(%(key)s)

-- name: known_locks
-- Jobs that wait, run or have failed, by lock.
select lock, status::text from procrastinate_jobs
where lock = any(%(locks)s) and status in ('todo', 'doing', 'failed')

-- name: hurry
-- Retries of a task that wait for their time wait no longer.
update procrastinate_jobs set scheduled_at = null
where task_name = %(task)s and status = 'todo' and scheduled_at > now()

-- name: wake
-- The message by which procrastinate's own trigger wakes the workers of a queue.
select pg_notify(channel, '{"type": "job_inserted", "job_id": 0}') from unnest(%(channels)s::text[]) channel

-- name: dead_since
-- Jobs of a task that failed for good at least so long ago, and what the time is there.
select j.id, now() from procrastinate_jobs j
where j.task_name = %(task)s and j.status = 'failed' and not exists (
    select from procrastinate_events e
    where e.job_id = j.id and e.type = 'failed' and e.at > now() - make_interval(secs => %(seconds)s)
)
order by j.id limit %(size)s

-- name: remove_dead_predecessors
-- Failures of a job's kind that its success has made good.
delete from procrastinate_jobs
where status = 'failed' and task_name = %(task)s and lock = %(lock)s and id < %(job_id)s

-- name: figures
-- Jobs by task: waiting, running, dead, and for how many seconds the oldest has been waiting.
select j.task_name, count(*) filter (where j.status = 'todo'), count(*) filter (where j.status = 'doing'),
    count(*) filter (where j.status = 'failed'),
    coalesce(extract(epoch from now() - min(e.at) filter (where j.status = 'todo')), 0)::float
from procrastinate_jobs j
left join procrastinate_events e on e.job_id = j.id and e.type = 'deferred'
where j.status in ('todo', 'doing', 'failed')
group by j.task_name order by j.task_name
