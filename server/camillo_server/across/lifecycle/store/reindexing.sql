-- name: rows_to_reindex
-- Some memories and chunks of a scope behind an id, with their terms.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}, m.revision, m.term_count, m.term_codes
from memories m where {{in_scope}} and m.memory_id > %(after_id)s order by m.memory_id limit %(size)s

-- name: parts_of_events
-- Each chunk of these events: how long it is, or what it is encrypted in.
select m.source_refs[1], case when m.sealed is null then char_length(m.content) end, m.memory_id, m.key_id, m.sealed
from memories m
where {{in_scope}} and m.kind >= 16 and (m.kind < 32 or m.kind = 97) and m.source_refs[1] = any(%(event_ids)s::text[])

-- name: change_terms
-- Other terms for the rows that nothing has changed since they were read. Neither their versions nor their times change.
with changed as (
    update memories m set revision = %(revision)s, term_count = n.term_count, terms = n.terms::tsvector,
        term_codes = n.term_codes, key_id = n.key_id, sealed = n.sealed
    from unnest(%(memory_id)b::uuid[], %(read_revision)b::bigint[], %(added_terms)b::integer[], %(term_count)b::integer[],
        %(terms)b::text[], %(term_codes)b::bytea[], %(key_id)b::text[], %(sealed)b::bytea[])
        as n (memory_id, read_revision, added_terms, term_count, terms, term_codes, key_id, sealed)
    where {{in_scope}} and m.memory_id = n.memory_id and m.revision = n.read_revision
    returning m.memory_id, n.added_terms
), counted as (
    update scopes set term_count = term_count + (select coalesce(sum(added_terms), 0) from changed)
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
)
select memory_id from changed
