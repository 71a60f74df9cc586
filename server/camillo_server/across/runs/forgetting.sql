-- name: existing_runs
select r.run_id::text from runs r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.run_id = any(%(ids)s::text[]::uuid[])

-- name: delete_runs
-- With their entries.
delete from runs
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and run_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_runs
select r.run_id, r.agent_id, r.run_id::text as row_id, r.details, r.key_id, r.sealed_details,
    array[r.session_id] as texts, r.sensitivity
from runs r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s
    and (%(ids)s::text[] is null or r.run_id = any(%(ids)s::text[]::uuid[]))

-- name: texts_of_run_entries
select e.run_id, e.agent_id, e.run_id || '/' || e.kind || '/' || e.place as row_id, e.details, e.key_id, e.sealed_details,
    array[]::text[] as texts, r.sensitivity
from run_entries e join runs r on r.tenant_id = e.tenant_id and r.agent_id = e.agent_id and r.run_id = e.run_id
where e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s
    and (%(ids)s::text[] is null or e.run_id = any(%(ids)s::text[]::uuid[]))
