-- name: ids_by_fingerprint
-- The memories of the scope that have these fingerprints. The agent is part of a fingerprint: with a condition on it, or on
-- all at once, Postgres would choose the primary key before there are statistics, and read the whole scope.
select m.fingerprint, m.memory_id from {{memories_with_fingerprint}}

-- name: memories
-- Memories by their ids, with their statistics: each looked up by its key, whatever the estimates.
select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}
from unnest(%(memory_ids)s::uuid[]) as w (memory_id) cross join lateral (
    select * from memories m where {{in_scope}} and m.memory_id = w.memory_id offset 0
) m left join lateral (
    select * from memory_access a
    where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id offset 0
) a on true

-- name: unstage
-- Takes rows out of the staging table.
delete from staging where memory_id = any(%(memory_ids)s)

-- name: merge
-- What a repeat adds to a memory, as its next version: its content and its vector stay.
update memories set
    revision = %(revision)s, version = %(version)s, tags = %(tags)s, importance = %(importance)s,
    metadata = %(metadata)s, expires_at = %(expires_at)s, pinned = %(pinned)s, archived = %(archived)s,
    source_refs = %(source_refs)s, updated_at = %(updated_at)s, trust_level = %(trust_level)s, actor = %(actor)s, credential = %(credential)s,
    key_id = %(key_id)s, sealed = %(sealed)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = %(memory_id)s

-- name: add_statements
-- Counts repeats, and what imported ones bring of hits; in the order of ids, as hits are stored.
insert into memory_access as a (tenant_id, agent_id, memory_id, accessed_at, access_count, stated_count)
select %(tenant_id)s, %(agent_id)s, n.memory_id, n.accessed_at, n.access_count, 1 + n.stated_count
from unnest(%(memory_ids)s::uuid[], %(accessed_at)s::timestamptz[], %(access_count)s::bigint[],
    %(stated_count)s::bigint[]) as n (memory_id, accessed_at, access_count, stated_count)
order by n.memory_id
on conflict on constraint memory_access_pkey do update
set accessed_at = greatest(a.accessed_at, excluded.accessed_at),
    access_count = a.access_count + excluded.access_count,
    stated_count = a.stated_count + excluded.stated_count - 1

-- name: as_of_versions
-- Memories as they were in these versions; nothing of one that is gone.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}
from unnest(%(memory_ids)s::uuid[], %(versions)s::bigint[]) as w (memory_id, version)
join memories m on {{in_scope}} and m.memory_id = w.memory_id and m.version = w.version
union all
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}
from unnest(%(memory_ids)s::uuid[], %(versions)s::bigint[]) as w (memory_id, version)
join memory_history m on {{in_scope}} and m.memory_id = w.memory_id and m.version = w.version
