-- name: insert
insert into tasks (
    tenant_id, agent_id, task_id, revision, version, status, channel, sensitivity, session_id, tags, refs, created_at,
    updated_at, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(task_id)s, %(revision)s, %(version)s, %(status)s, %(channel)s, %(sensitivity)s,
    %(session_id)s, %(tags)s, %(refs)s, %(created_at)s, %(updated_at)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: lock
-- The version in force, locked until the transaction ends.
select version from tasks
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and task_id = %(task_id)s for update

-- name: replace
update tasks set
    revision = %(revision)s, version = %(version)s, status = %(status)s, channel = %(channel)s,
    sensitivity = %(sensitivity)s, session_id = %(session_id)s, tags = %(tags)s, refs = %(refs)s,
    updated_at = %(updated_at)s, key_id = %(key_id)s, details = %(details)s, sealed_details = %(sealed_details)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and task_id = %(task_id)s

-- name: get
select {{task_columns}} from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id in (%(agent_id)s, '') and t.task_id = any(%(task_ids)s::uuid[])

-- name: page
-- Those of the scope and of the shared one that pass a filter, the last changed first, after a cursor.
select {{task_columns}} from (
    select f.* from (select %(agent_id)s::text union select '') as s (agent_id) cross join lateral (
        select t.* from tasks t
        where t.tenant_id = %(tenant_id)s and t.agent_id = s.agent_id
            and (t.updated_at, t.task_id) < (%(after_at)s, %(after_id)s)
            and t.status = any(%(statuses)s::smallint[]) and t.sensitivity = any(%(sensitivities)s::smallint[])
            and (%(session_id)s::text is null or t.session_id = %(session_id)s)
            and (not %(is_public)s::boolean or t.channel = 1)
        order by t.updated_at desc, t.task_id desc limit %(size)s
    ) f
) t
order by t.updated_at desc, t.task_id desc limit %(size)s
