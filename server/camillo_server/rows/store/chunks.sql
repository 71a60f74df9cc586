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
