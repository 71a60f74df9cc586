-- name: enter_queue
-- For the rest of the transaction: the queue's own functions and triggers name its tables without their schema.
select set_config('search_path', 'camillo_jobs, camillo', true)

-- name: page
-- Jobs of the tenant after this id, oldest first.
select j.id, j.task_name, j.agent_id, j.status, j.attempts, {{due_at}}, {{changed_at}}, {{is_stuck}}
from camillo.tenant_jobs() j left join camillo_jobs.procrastinate_workers w on w.id = j.worker_id
where j.status = any(%(statuses)s) and j.id > %(after)s order by j.id limit %(size)s

-- name: job
-- One of them.
select j.id, j.task_name, j.agent_id, j.status, j.attempts, {{due_at}}, {{changed_at}}, {{is_stuck}}
from camillo.tenant_jobs() j left join camillo_jobs.procrastinate_workers w on w.id = j.worker_id
where j.id = %(job_id)s

-- fragment: due_at
-- Null for a job that is due now.
case when j.status = 'todo' and j.scheduled_at > now() then j.scheduled_at end

-- fragment: changed_at
-- An event of type `scheduled` has the time at which the job is due, not that of a change.
(select max(e.at) from camillo_jobs.procrastinate_events e where e.job_id = j.id and e.type <> 'scheduled')

-- fragment: is_stuck
-- Its process has sent no heartbeat for long, or it has been due for long and no process runs it.
case j.status
    when 'doing' then w.id is null or w.last_heartbeat < now() - interval '2 minutes'
    when 'todo' then (
        select max(e.at) from camillo_jobs.procrastinate_events e where e.job_id = j.id
    ) < now() - interval '15 minutes'
    else false
end

-- name: troubled
-- The numbers of stuck and of dead jobs by task, of all tenants.
select task_name, count(*) filter (where is_stuck), count(*) filter (where status = 'failed')
from (
    select j.task_name, j.status, {{is_stuck}} as is_stuck
    from camillo_jobs.procrastinate_jobs j left join camillo_jobs.procrastinate_workers w on w.id = j.worker_id
    where j.status in ('todo', 'doing', 'failed')
) j
where is_stuck or status = 'failed'
group by task_name order by task_name

-- name: retry_now
-- Makes a waiting job due now.
update procrastinate_jobs j set scheduled_at = null from tenant_jobs() t
where t.id = %(job_id)s and j.id = t.id and j.status = 'todo'

-- name: retry_dead
-- Retries a job that failed for good, unless another with its queueing lock waits. It is locked first: procrastinate's
-- function raises an error for a job that has been retried meanwhile.
with dead as materialized (
    select j.id from tenant_jobs() t join procrastinate_jobs j on j.id = t.id
    where t.id = %(job_id)s and j.status = 'failed' and not exists (
        select from procrastinate_jobs o where o.queueing_lock = j.queueing_lock and o.status = 'todo'
    ) for update of j
)
select procrastinate_retry_job_v2(dead.id, now(), null, null, null) from dead

-- name: wake
-- Sends the message by which procrastinate's trigger wakes the workers of the job's queue.
select pg_notify('procrastinate_queue_v1#' || t.queue_name, '{"type": "job_inserted", "job_id": 0}')
from tenant_jobs() t where t.id = %(job_id)s and t.status = 'todo'
