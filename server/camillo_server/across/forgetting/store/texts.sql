-- name: memories
-- Memories, those of earlier versions among them.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memories m
where {{in_scope}} and {{is_memory}} and m.revision > %(since)s
    and (%(ids)s::text[] is null or m.memory_id = any(%(ids)s::text[]::uuid[]))
union all
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memory_history m join memories c
    on c.tenant_id = m.tenant_id and c.agent_id = m.agent_id and c.memory_id = m.memory_id
where {{in_scope}} and c.revision > %(since)s
    and (%(ids)s::text[] is null or m.memory_id = any(%(ids)s::text[]::uuid[]))

-- name: events
select e.event_id, e.agent_id, e.event_id::text as row_id, e.details, e.key_id, e.sealed_details,
    array[e.session_id, e.actor_id] || e.tags || e.refs as texts
from events e
where {{event_in_scope}} and e.revision > %(since)s
    and (%(ids)s::text[] is null or e.event_id = any(%(ids)s::text[]::uuid[]))

-- name: decisions
select d.decision_id, d.agent_id, d.decision_id::text as row_id, d.details, d.key_id, d.sealed_details,
    d.session_id || d.tags || d.refs as texts
from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.revision > %(since)s
    and (%(ids)s::text[] is null or d.decision_id = any(%(ids)s::text[]::uuid[]))

-- name: tasks
select t.task_id, t.agent_id, t.task_id::text as row_id, t.details, t.key_id, t.sealed_details,
    t.session_id || t.tags || t.refs as texts
from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.revision > %(since)s
    and (%(ids)s::text[] is null or t.task_id = any(%(ids)s::text[]::uuid[]))

-- name: slots
-- Every version. Each name of a key is a line.
select v.slot_id, v.agent_id, v.slot_id || '/' || v.version as row_id, v.details, v.key_id, v.sealed_details,
    array[translate(s.path, chr(1), chr(10))] as texts
from slots s join slot_versions v
    on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.slot_id = s.slot_id
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.revision > %(since)s
    and (%(ids)s::text[] is null or s.slot_id = any(%(ids)s::text[]::uuid[]))

-- name: documents
-- What is said about them, in every version.
select v.document_id, v.agent_id, v.document_id || '/' || v.version as row_id, v.details, v.key_id, v.sealed_details,
    array[d.name] || v.tags as texts
from documents d join document_versions v
    on v.tenant_id = d.tenant_id and v.agent_id = d.agent_id and v.document_id = d.document_id
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.revision > %(since)s
    and (%(ids)s::text[] is null or d.document_id = any(%(ids)s::text[]::uuid[]))

-- name: document_texts
select t.document_id, t.agent_id, t.document_id || '/' || t.version as row_id, t.details, t.key_id, t.sealed_details,
    array[]::text[] as texts
from documents d join document_texts t
    on t.tenant_id = d.tenant_id and t.agent_id = d.agent_id and t.document_id = d.document_id
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.revision > %(since)s
    and (%(ids)s::text[] is null or d.document_id = any(%(ids)s::text[]::uuid[]))

-- name: actions
select a.action_id, a.agent_id, a.action_id::text as row_id, a.details, a.key_id, a.sealed_details, array[a.session_id] as texts
from actions a
where {{action_of_scope}} and (a.agent_id <> %(agent_id)s or a.revision > %(since)s)
    and (%(ids)s::text[] is null or a.action_id = any(%(ids)s::text[]::uuid[]))

-- name: views
select v.name, v.agent_id, v.name as row_id, v.details, v.key_id, v.sealed_details,
    array[v.name] as texts
from views v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and (%(ids)s::text[] is null or v.name = any(%(ids)s))

-- name: skills
-- Every version; they are never encrypted.
select v.name, v.agent_id, v.name || '/' || v.version as row_id, jsonb_build_object('text', v.text, 'description', v.description,
    'allowed_tools', v.allowed_tools, 'front_matter', v.front_matter) as details, '' as key_id, null::bytea as sealed_details,
    array[v.name] as texts
from skills s join skill_versions v on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.name = s.name
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.revision > %(since)s
    and (%(ids)s::text[] is null or s.name = any(%(ids)s))

-- name: handoffs
-- From and to the agent; they are never encrypted.
select h.handoff_id, h.agent_id, h.handoff_id::text as row_id, h.details, '' as key_id, null::bytea as sealed_details,
    array[h.session_id] as texts
from handoffs h where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
    and (%(ids)s::text[] is null or h.handoff_id = any(%(ids)s::text[]::uuid[]))

-- name: runs
select r.run_id, r.agent_id, r.run_id::text as row_id, r.details, r.key_id, r.sealed_details,
    array[r.session_id] as texts
from runs r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s
    and (%(ids)s::text[] is null or r.run_id = any(%(ids)s::text[]::uuid[]))

-- name: run_entries
select e.run_id, e.agent_id, e.run_id || '/' || e.kind || '/' || e.place as row_id, e.details, e.key_id, e.sealed_details,
    array[]::text[] as texts
from run_entries e where e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s
    and (%(ids)s::text[] is null or e.run_id = any(%(ids)s::text[]::uuid[]))

-- name: recipes
-- The tenant's own.
select r.name, r.recipe from recipes r where r.tenant_id = %(tenant_id)s
