-- fragment: record
-- A row, packed; `v` is its vector, `a` when it was read.
record_send(row(
    m.memory_id, m.revision, m.term_count, m.vector_model_id = '' and v.memory_id is null, {{indexed_columns}},
    case when m.sealed is not null then record_send(row(m.key_id, m.sealed, v.key_id, v.sealed)) end,
    m.term_codes,
    case when vector_dims(v.embedding) = %(dimensions)s then v.embedding::halfvec end,
    m.content, nullif(m.session_id, ''), nullif(m.vector_model_id, %(model_id)s),
    case when (m.trust_level, m.actor, m.credential) <> (0, '', '') then
        record_send(row(m.trust_level, m.actor, m.credential)) end,
    case when m.superseded_by is not null or m.supersedes is not null then
        array_prepend(m.superseded_by, m.supersedes) end,
    nullif(m.tags, '{}'), nullif(m.source_refs, '{}'), nullif(m.metadata, '{}')))

-- name: scope_page
-- The scope's facts, what was forgotten and the next rows behind (revision, id), all in one snapshot. Rows come packed
-- (search/store/packed_rows.py tells the form), a page in one value: so the reader handles pages and not rows. The form of the
-- joins keeps them going by key, whatever the statistics say right after an import.
select f.revision, f.memory_count, f.term_count, f.links_revision, t.forgotten, p.lengths, p.records
from (
    select coalesce(max(s.revision), 0) as revision, coalesce(max(s.memory_count), 0) as memory_count,
        coalesce(max(s.term_count), 0) as term_count, coalesce(max(s.links_revision), 0) as links_revision
    from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
) f cross join (
    select string_agg(uuid_send(t.memory_id), '') as forgotten from memory_tombstones t
    where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.revision > %(forgotten_after)s
) t cross join (
    select string_agg(int4send(octet_length(r.record)), '') as lengths, string_agg(r.record, '') as records
    from (
        select {{record}} as record
        from (
            select * from memories m
            where {{in_scope}} and (m.revision, m.memory_id) > (%(after_revision)s, %(after_id)s)
            order by m.revision, m.memory_id limit %(size)s
        ) m left join lateral (
            select * from memory_access a
            where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id offset 0
        ) a on true left join lateral (
            select * from memory_vectors v
            where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
                and v.model_id = %(model_id)s offset 0
        ) v on true
        offset 0
    ) r
) p

-- name: rows_by_id
-- Rows of a scope by their ids, packed in the same way.
select string_agg(int4send(octet_length(r.record)), '') as lengths, string_agg(r.record, '') as records
from (
    select {{record}} as record
    from unnest(%(memory_ids)s::uuid[]) as w (memory_id) cross join lateral (
        select * from memories m where {{in_scope}} and m.memory_id = w.memory_id offset 0
    ) m left join lateral (
        select * from memory_access a
        where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id offset 0
    ) a on true left join lateral (
        select * from memory_vectors v
        where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
            and v.model_id = %(model_id)s offset 0
    ) v on true
    offset 0
) r

-- name: rows_to_group
-- The rows between two ids, but for encrypted ones, packed in the same way without what memory_access says; with the scope's
-- revision, and how often rows of it were deleted or rewritten.
select s.rewrites, s.revision, p.lengths, p.records
from scopes s cross join (
    select string_agg(int4send(octet_length(r.record)), '') as lengths, string_agg(r.record, '') as records
    from (
        select {{record}} as record
        from (
            select * from memories m
            where {{in_scope}} and m.memory_id between %(first_id)s and %(last_id)s and m.sealed is null
            order by m.memory_id limit %(size)s
        ) m left join memory_access a on false left join lateral (
            select * from memory_vectors v
            where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
                and v.model_id = %(model_id)s offset 0
        ) v on true
        offset 0
    ) r
) p
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: scope_revisions
-- How far these scopes of a tenant have come.
select s.agent_id, s.revision from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = any(%(agent_ids)s)

-- name: scope_facts
-- The scope's revision and size, and the revision of its links.
select s.revision, s.memory_count, s.term_count, s.links_revision from scopes s
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: copy_memories
-- All rows of a scope, packed in the same way, in no order. Without what memory_access says, and with a vector only where
-- it is encrypted, or the row may wait for one: nothing is joined for the others, which takes a third of the time.
copy (
    select {{record}}
    from memories m left join memory_access a on false left join lateral (
        select * from memory_vectors v
        where (m.sealed is not null or m.vector_model_id = '')
            and v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
            and v.model_id = %(model_id)s offset 0
    ) v on true
    where {{in_scope}}
) to stdout (format binary)

-- name: copy_access
-- When and how often the memories of a scope were read, and how often they were stated.
copy (
    select a.memory_id, {{indexed_access}} from memory_access a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s
) to stdout (format binary)

-- name: copy_vectors
-- The vectors of a scope that are not encrypted.
copy (
    select v.memory_id, v.embedding::halfvec from memory_vectors v
    where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.model_id = %(model_id)s
        and vector_dims(v.embedding) = %(dimensions)s
) to stdout (format binary)

-- name: take_long
-- A load of a large scope is one statement, which takes longer than a call may.
set local statement_timeout = '10min'
