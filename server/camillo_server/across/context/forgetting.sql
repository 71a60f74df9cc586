-- name: naming_handoffs
-- Packets from or to the agent whose text shows one of these decisions or tasks.
select h.handoff_id from handoffs h
where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
    and (h.details -> 'decision_ids' ?| %(refs)s::text[] or h.details -> 'task_ids' ?| %(refs)s::text[])

-- name: existing_handoffs
-- From or to the agent.
select h.handoff_id::text from handoffs h
where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
    and h.handoff_id = any(%(ids)s::text[]::uuid[])

-- name: existing_views
select v.name from views v where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.name = any(%(ids)s)

-- name: delete_views
delete from views where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = any(%(ids)s)

-- name: delete_handoffs
-- The other agents who had been handed one are told, by a new revision of their scopes.
with gone as (
    delete from handoffs h
    where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
        and h.handoff_id = any(%(ids)s::text[]::uuid[])
    returning h.agent_id
)
update scopes s set revision = s.revision + 1
where s.tenant_id = %(tenant_id)s and s.agent_id <> %(agent_id)s and s.agent_id in (select g.agent_id from gone g)
returning s.agent_id, s.revision

-- name: texts_of_views
select v.name, v.agent_id, v.name as row_id, v.details, v.key_id, v.sealed_details,
    array[v.name] as texts, v.sensitivity
from views v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and (%(ids)s::text[] is null or v.name = any(%(ids)s))

-- name: texts_of_handoffs
-- From and to the agent; they are never encrypted, and internal.
select h.handoff_id, h.agent_id, h.handoff_id::text as row_id, h.details, '' as key_id, null::bytea as sealed_details,
    array[h.session_id] as texts, 2 as sensitivity
from handoffs h where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
    and (%(ids)s::text[] is null or h.handoff_id = any(%(ids)s::text[]::uuid[]))
