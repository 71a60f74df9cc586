-- name: changed
-- Those of these decisions and tasks that are not as they were recorded.
select d.decision_id::text from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = any(%(ids)s::text[]::uuid[])
    and d.version <> 1
union all
select t.task_id::text from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.task_id = any(%(ids)s::text[]::uuid[])
    and t.version <> 1
