-- name: get
-- One memory and the revision it was read at, in one snapshot.
select r.revision, {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}
from ({{scope_revision}}) r
left join memories m on {{in_scope}} and m.memory_id = %(memory_id)s and {{is_memory}}
    and (%(now)s::timestamptz is null or m.expires_at is null or m.expires_at > %(now)s)
{{join_access}}

-- name: page
-- Memories that pass a filter, newest first, behind a cursor; the revision stands on every row, and alone if there is none.
select r.revision, p.* from ({{scope_revision}}) r left join (
    select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}
    from memories m {{join_access}}
    where {{in_scope}} and {{is_memory}} and {{passes_filter}}
        and (%(after_at)s::timestamptz is null or (m.created_at, m.memory_id) < (%(after_at)s, %(after_id)s::uuid))
    order by m.created_at desc, m.memory_id desc limit %(size)s
) p on true

-- name: versions
-- Every version of a memory, newest first; the one in force has no replaced_at. None once it has expired.
select p.* from (
    select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}, null::timestamptz as replaced_at
    from memories m where {{in_scope}} and m.memory_id = %(memory_id)s and {{is_memory}}
    union all
    select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}, m.replaced_at
    from memory_history m where {{in_scope}} and m.memory_id = %(memory_id)s and {{is_memory}}
) p
where (%(below_version)s::bigint is null or p.version < %(below_version)s)
    and (%(now)s::timestamptz is null or exists (
        select 1 from memories m
        where {{in_scope}} and m.memory_id = %(memory_id)s and (m.expires_at is null or m.expires_at > %(now)s)))
order by p.version desc limit %(size)s

-- name: vectors
-- The vectors of these memories, of the model that each names.
select v.memory_id, v.model_id, v.embedding, v.key_id, v.sealed from memory_vectors v
join memories m using (tenant_id, agent_id, memory_id)
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.memory_id = any(%(memory_ids)s)
    and v.model_id = m.vector_model_id and num_nonnulls(v.embedding, v.sealed) = 1

-- name: export_bounds
-- The revision of the scope, and when its last memory was created (null where it has none).
select r.revision, (select max(m.created_at) from memories m where {{in_scope}} and {{is_memory}})
from ({{scope_revision}}) r

-- name: export
-- Memories that pass a filter, oldest first, behind a cursor, up to those that were there when the export began.
select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}, v.embedding, v.key_id, v.sealed
from memories m {{join_access}}
left join memory_vectors v on %(with_vectors)s and v.tenant_id = m.tenant_id and v.agent_id = m.agent_id
    and v.memory_id = m.memory_id and v.model_id = m.vector_model_id
where {{in_scope}} and {{is_memory}} and {{passes_filter}}
    and (m.created_at, m.memory_id) > (%(after_at)s, %(after_id)s::uuid) and m.created_at <= %(last_at)s
order by m.created_at, m.memory_id limit %(size)s

-- name: changes
-- What changed behind (revision, id), in that order, memories and tombstones in one; the scope's revision on every row.
select r.revision, c.* from ({{scope_revision}}) r left join (
    (select m.revision as changed_in, {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}
     from memories m {{join_access}}
     where {{in_scope}} and {{is_memory}} and (m.revision, m.memory_id) > (%(after_revision)s, %(after_id)s)
     order by m.revision, m.memory_id limit %(size)s)
    union all
    (select t.revision, t.memory_id, t.agent_id, {{no_columns}}
     from memory_tombstones t
     where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and not t.is_chunk
        and (t.revision, t.memory_id) > (%(after_revision)s, %(after_id)s)
     order by t.revision, t.memory_id limit %(size)s)
    order by 1, 2 limit %(size)s
) c on true
order by c.changed_in, c.memory_id
