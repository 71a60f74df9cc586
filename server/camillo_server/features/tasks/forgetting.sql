-- name: citing_tasks
select t.task_id from tasks t where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s
    and exists (select from unnest(t.refs) as n (ref) where lower(n.ref) = any(%(refs)s::text[]))

-- name: existing_tasks
select t.task_id::text from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.task_id = any(%(ids)s::text[]::uuid[])

-- name: delete_tasks
delete from tasks
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and task_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_tasks
select t.task_id, t.agent_id, t.task_id::text as row_id, t.details, t.key_id, t.sealed_details,
    t.session_id || t.tags || t.refs as texts, t.sensitivity
from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.revision > %(since)s
    and (%(ids)s::text[] is null or t.task_id = any(%(ids)s::text[]::uuid[]))
