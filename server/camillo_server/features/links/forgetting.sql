-- name: existing_entity_aliases
select a.alias_id::text from entity_aliases a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.alias_id = any(%(ids)s::text[]::uuid[])

-- name: delete_entity_aliases
delete from entity_aliases
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and alias_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_entity_aliases
-- Also those of reverted changes; they are internal.
select a.alias_id, a.agent_id, a.alias_id::text as row_id, a.details, a.key_id, a.sealed_details,
    array[]::text[] as texts, 2 as sensitivity
from entity_aliases a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.revision > %(since)s
    and (%(ids)s::text[] is null or a.alias_id = any(%(ids)s::text[]::uuid[]))
