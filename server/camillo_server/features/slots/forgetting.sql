-- name: existing_slots
select s.slot_id::text from slots s
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.slot_id = any(%(ids)s::text[]::uuid[])

-- name: delete_slots
-- With every version; those who watch are told.
with gone as (
    delete from slots
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and slot_id = any(%(ids)s::text[]::uuid[])
    returning slot_id
)
insert into slot_tombstones (tenant_id, agent_id, revision, slot_id)
select %(tenant_id)s, %(agent_id)s, %(revision)s, slot_id from gone

-- name: slot_versions_of
-- Every version of these slots.
select v.slot_id, v.version from slot_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.slot_id = any(%(ids)s::text[]::uuid[])

-- name: count_slot_versions
select count(*) from slot_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.slot_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_slots
-- Every version. Each name of a key is a line.
select v.slot_id, v.agent_id, v.slot_id || '/' || v.version as row_id, v.details, v.key_id, v.sealed_details,
    array[translate(s.path, chr(1), chr(10))] as texts, v.sensitivity
from slots s join slot_versions v
    on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.slot_id = s.slot_id
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.revision > %(since)s
    and (%(ids)s::text[] is null or s.slot_id = any(%(ids)s::text[]::uuid[]))
