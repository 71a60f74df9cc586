-- name: successors
-- The memory itself, and all that superseded it, directly or through others.
with recursive successor (memory_id) as (
    select %(memory_id)s::uuid
    union
    select m.superseded_by from successor s join memories m on {{in_scope}} and m.memory_id = s.memory_id
    where m.superseded_by is not null
)
select memory_id from successor

-- name: change
-- What a supersession changes of either side: texts and vectors stay.
update memories set
    revision = %(revision)s, version = %(version)s, updated_at = %(now)s, valid_from = %(valid_from)s,
    valid_until = %(valid_until)s, supersedes = %(supersedes)s, superseded_by = %(superseded_by)s,
    source_refs = %(source_refs)s, trust_level = %(trust_level)s, fingerprint = %(fingerprint)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = %(memory_id)s

-- name: validity
-- Until when an earlier version of a memory was true.
select h.valid_until from memory_history h
where h.tenant_id = %(tenant_id)s and h.agent_id = %(agent_id)s and h.memory_id = %(memory_id)s and h.version = %(version)s
