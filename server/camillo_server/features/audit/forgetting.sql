-- name: existing_actions
-- Actions of the agent, or all of them in the shared scope, where they lie.
select a.action_id::text from actions a where {{action_of_scope}} and a.action_id = any(%(ids)s::text[]::uuid[])

-- name: own_actions
select a.action_id::text from actions a where {{action_of_scope}}

-- name: delete_actions
-- Their entries in the audit trail stay.
delete from actions a where {{action_of_scope}} and a.action_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_actions
select a.action_id, a.agent_id, a.action_id::text as row_id, a.details, a.key_id, a.sealed_details, array[a.session_id] as texts,
    a.sensitivity
from actions a
where {{action_of_scope}} and (a.agent_id <> %(agent_id)s or a.revision > %(since)s)
    and (%(ids)s::text[] is null or a.action_id = any(%(ids)s::text[]::uuid[]))
