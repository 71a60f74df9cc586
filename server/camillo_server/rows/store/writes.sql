-- name: remember
-- One memory with its vector and its request, at the scope's next revision: one statement, one transaction, one round trip.
-- Blocked values are looked up after the scope is locked.
with next as (
    {{next_revision}}
), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, %(agent_id)s, %(request_id)s, %(content_digest)s, %(facts)s, next.revision, %(now)s
    from next where %(request_id)s::text is not null
), audit as (
    {{insert_audit}}
), memory as (
    insert into memories (tenant_id, agent_id, memory_id, revision, {{inserted_columns}})
    select %(tenant_id)s, %(agent_id)s, %(memory_id)s, next.revision, {{inserted_values}}
    from next
){vector}
select revision, refuse_blocked_values(%(tenant_id)s, %(agent_id)s, %(marks)s::bytea[]) from next

-- name: vector_of_memory
-- A part of `remember`. Without it, nothing of pgvector is needed.
, vector as (
    insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id, sealed)
    select %(tenant_id)s, %(agent_id)s, %(memory_id)s, %(vector_model_id)s, %(embedding)s::vector, %(vector_key_id)s,
        %(sealed_vector)s::bytea
    where %(embedding)s::vector is not null or %(sealed_vector)s::bytea is not null
)

-- name: remember_group
-- Several memories as `remember` stores one, each at a revision of its own, in the order of their agents, in which their
-- scopes are locked. A row of `scopes` to be inserted counts the memories of the group.
with next as (
    insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
    select %(tenant_id)s, g.agent_id, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint + g.added_memories - 1,
        g.added_memories, g.added_terms, '', %(now)s
    from unnest(%(agent_ids)b::text[], %(added_memories)b::bigint[], %(added_terms)b::bigint[])
        as g (agent_id, added_memories, added_terms)
    on conflict (tenant_id, agent_id) do update
    set revision = s.revision + excluded.memory_count,
        memory_count = s.memory_count + excluded.memory_count,
        term_count = s.term_count + excluded.term_count,
        deleted_at = null
    returning agent_id, revision
), written as (
    select n.*, next.revision - n.later as revision from next join unnest(
        {{grouped_arrays}}, %(request_id)b::text[], %(content_digest)b::bytea[], %(facts)b::jsonb[], %(requested_at)b::timestamptz[],
        %(later)b::bigint[]
    ) with ordinality as n ({{grouped_columns}}, request_id, content_digest, facts, requested_at, later, write)
        on n.agent_id = next.agent_id
), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, agent_id, request_id, content_digest, facts, revision, requested_at
    from written where request_id is not null
), audit as (
    insert into audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)
    select %(tenant_id)s, w.agent_id, t.at, w.revision, t.method, t.credential, t.facts
    from written w join json_to_recordset(%(audits)s::json) as t (
        write integer, at timestamptz, method text, credential text, facts json) on t.write = w.write
    order by w.write
), memory as (
    insert into memories (tenant_id, agent_id, memory_id, revision, {{inserted_columns}})
    select %(tenant_id)s, agent_id, memory_id, revision, {{inserted_casts}}
    from written
), vector as (
    insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id, sealed)
    select %(tenant_id)s, agent_id, memory_id, vector_model_id, embedding, vector_key_id, sealed_vector
    from written where embedding is not null or sealed_vector is not null
)
select agent_id, revision, refuse_blocked_values(%(tenant_id)s, agent_id, %(marks)s::bytea[]) from next

-- name: create_staging
-- Where COPY puts rows, since it may not write to a table under row-level security. The fields of a memory come first, in
-- their order. Vectors stay in their rows: they would be written to a table beside it, and read
-- from there again.
create temporary table if not exists staging (
    {{staged_columns}}
) with (toast_tuple_target = 8160) on commit delete rows

-- name: empty_staging
-- Before more rows are staged in the same transaction.
delete from staging

-- name: copy_to_staging
copy staging from stdin (format binary)

-- name: taken_ids
-- Those of the ids that the scope has, and whether a chunk has it.
select memory_id, kind >= 16 from memories
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)

-- name: unstage_taken
-- Takes rows out of the staging table whose ids the scope has already.
delete from staging s using memories m
where m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s and m.memory_id = s.memory_id

-- name: insert_staged_memories
insert into memories (tenant_id, agent_id, memory_id, revision, {{inserted_columns}})
select %(tenant_id)s, %(agent_id)s, memory_id, ({{scope_revision}}), {{staged_casts}}
from staging

-- name: insert_staged_vectors
insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id, sealed)
select %(tenant_id)s, %(agent_id)s, memory_id, vector_model_id, embedding, vector_key_id, sealed_vector
from staging where embedding is not null or sealed_vector is not null

-- name: insert_staged_access
insert into memory_access (tenant_id, agent_id, memory_id, accessed_at, access_count, stated_count)
select %(tenant_id)s, %(agent_id)s, memory_id, accessed_at, access_count, stated_count from staging
where access_count > 0 or accessed_at is not null or stated_count > 1

-- name: count_staged
-- Keeps the scope's counts right.
update scopes set
    memory_count = memory_count + (select count(*) from staging),
    chunk_count = chunk_count + (select count(*) from staging where kind >= 16),
    term_count = term_count + (select coalesce(sum(term_count), 0) from staging)
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: replace_access
-- The statistics of an imported memory replace the stored ones.
insert into memory_access (tenant_id, agent_id, memory_id, accessed_at, access_count, stated_count)
values (%(tenant_id)s, %(agent_id)s, %(memory_id)s, %(accessed_at)s, %(access_count)s, %(stated_count)s)
on conflict on constraint memory_access_pkey do update
set accessed_at = excluded.accessed_at, access_count = excluded.access_count, stated_count = excluded.stated_count

-- name: lock_memory
-- The version in force, the number of its terms, its fingerprint, and what that depends on beside its text; locked until the
-- transaction ends; of a memory or of a chunk.
select version, term_count, fingerprint, valid_from, valid_until, superseded_by from memories
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = %(memory_id)s
    and (kind >= 16) = %(is_chunk)s for update

-- name: keep_version
-- The version in force becomes history.
insert into memory_history (tenant_id, agent_id, memory_id, {{version_columns}}, key_id, sealed, replaced_at)
select tenant_id, agent_id, memory_id, {{version_columns}}, key_id, sealed, %(now)s
from memories
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)
on conflict on constraint memory_history_pkey do nothing

-- name: replace_memory
-- Puts a new version in force.
update memories set
    revision = %(revision)s, {{changed_columns}}
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = %(memory_id)s

-- name: replace_vector
-- The vector of the new version, or none: a vector of an old content must not be found. Where it says the same, those of
-- other models stay, which serve after a change of the model.
with dropped as (
    delete from memory_vectors
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = %(memory_id)s
        and model_id <> %(vector_model_id)s and not %(says_the_same)s
)
insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id, sealed)
select %(tenant_id)s, %(agent_id)s, %(memory_id)s, %(vector_model_id)s, %(embedding)s::vector, %(vector_key_id)s,
    %(sealed_vector)s::bytea
where %(embedding)s::vector is not null or %(sealed_vector)s::bytea is not null
on conflict on constraint memory_vectors_pkey do update
set embedding = excluded.embedding, key_id = excluded.key_id, sealed = excluded.sealed

-- name: drop_vectors
-- The same of a version that waits for its vector. Nothing of pgvector is needed.
delete from memory_vectors
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = %(memory_id)s and not %(says_the_same)s

-- name: adjust_scope
-- Keeps the scope's counts right when rows or contents change.
update scopes set memory_count = memory_count + %(added_memories)s, term_count = term_count + %(added_terms)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: ids_of_filter
-- The memories that pass a filter.
select m.memory_id from memories m where {{in_scope}} and {{is_memory}} and {{passes_filter}} order by m.memory_id

-- name: memories_of_ids
-- Which of these ids are memories of the scope.
select m.memory_id from memories m where {{in_scope}} and m.memory_id = any(%(memory_ids)s) and {{is_memory}}
order by m.memory_id

-- name: rows_of_memories
-- How many rows belong to these memories, by store.
select
    (select count(*) from memories where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)) as memories,
    (select count(*) from memory_history where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)) as memory_history,
    (select count(*) from memory_vectors where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)) as memory_vectors,
    (select count(*) from memory_access where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)) as memory_access

-- name: forget
-- Deletes memories or chunks (history, vectors and statistics go with them), leaves tombstones, keeps the scope's counts
-- right.
with gone as (
    delete from memories
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)
    returning memory_id, term_count, kind >= 16 as is_chunk
), tombstones as (
    insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
    select %(tenant_id)s, %(agent_id)s, %(revision)s, memory_id, %(now)s, is_chunk from gone
)
update scopes set
    memory_count = memory_count - (select count(*) from gone),
    chunk_count = chunk_count - (select count(*) from gone where is_chunk),
    term_count = term_count - (select coalesce(sum(term_count), 0) from gone)
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: archived_ids
-- Which of these memories are archived, locked until the transaction ends.
select memory_id from memories
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s) and archived
    and kind < 16
order by memory_id for update

-- name: restore
-- Takes archived memories back into recall.
update memories set archived = false, version = version + 1, revision = %(revision)s, updated_at = %(now)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s)

-- name: delete_undone_compactions
-- Proposals and undone compactions hold texts of their sources, which nothing else may keep; so does one in force of which
-- neither the merged memory nor a source is left.
delete from compactions c
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and case
    when c.state <> 2 then c.source_ids && %(memory_ids)s::uuid[]
    when c.memory_id = any(%(memory_ids)s::uuid[]) or c.source_ids && %(memory_ids)s::uuid[] then not exists (
        select from memories m where {{in_scope}} and m.memory_id = any(c.source_ids || c.memory_id))
    else false end

-- name: archive
-- Takes memories out of recall.
update memories set archived = true, version = version + 1, revision = %(revision)s, updated_at = %(now)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and memory_id = any(%(memory_ids)s::uuid[])

-- name: chunks_of
-- The chunks of these records. The form keeps the lookups going by key, however many there are.
select c.memory_id from unnest(%(origins)s::text[]) as o (origin) cross join lateral (
    select m.memory_id from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = o.origin offset 0
) c
order by c.memory_id

-- name: insert_chunks
-- Some chunks, at the scope's present revision.
with next as (select s.revision - 1 as before from ({{scope_revision}}) s)
{{insert_chunks}}

-- name: count_chunks
-- Keeps the scope's counts right.
update scopes set
    memory_count = memory_count + %(added_chunks)s, chunk_count = chunk_count + %(added_chunks)s,
    term_count = term_count + %(added_terms)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: derived
-- Every memory that rests on this source, on whatever way, but for the source itself: by what it names, or as the merged
-- memory of a compaction. The form keeps the lookups going by key.
with recursive reached as (
    select %(source_ref)s::text collate "C" as ref
    union
    select d.ref from reached g cross join lateral (
        select s.memory_id::text collate "C" as ref from memory_sources s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and {{rests_on}}
        union all
        select c.memory_id::text collate "C" from compactions c
        where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.state = 2 and g.ref::uuid = any(c.source_ids)
        offset 0
    ) d
)
select ref::uuid from reached where ref <> %(source_ref)s

-- name: in_force
-- Those of these memories that are not archived.
select m.memory_id from memories m
where {{in_scope}} and m.memory_id = any(%(memory_ids)s::uuid[]) and not m.archived order by m.memory_id

-- name: mark
-- Marks these memories, as they are now, as stale.
insert into stale_memories (tenant_id, agent_id, memory_id, version, source_ref, since)
select m.tenant_id, m.agent_id, m.memory_id, m.version, %(source_ref)s, %(now)s
from memories m where {{in_scope}} and m.memory_id = any(%(memory_ids)s::uuid[])
on conflict on constraint stale_memories_pkey do update
set version = excluded.version, source_ref = excluded.source_ref, since = excluded.since

-- name: undo_compactions
-- Undoes the compactions that made these memories; the sources of each.
update compactions c set state = 3, reverted_at = %(now)s
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.state = 2 and c.memory_id = any(%(memory_ids)s::uuid[])
returning c.source_ids

-- name: marks
-- Which of these memories are stale, since when, and by which source.
select m.memory_id, s.source_ref, s.since from unnest(%(memory_ids)s::uuid[]) as w (memory_id) cross join lateral (
    select * from stale_memories s
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.memory_id = w.memory_id offset 0
) s join memories m on {{in_scope}} and m.memory_id = s.memory_id and m.version = s.version and m.archived
