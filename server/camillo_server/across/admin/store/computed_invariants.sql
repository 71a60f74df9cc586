-- name: readable_memories
-- Memories since a moment whose text is not encrypted, and what is kept of it.
select {{memory_columns}}, m.fingerprint from memories m
where m.tenant_id = %(tenant_id)s and {{is_memory}} and m.sealed is null
    and m.created_at > coalesce(%(since)s::timestamptz, '-infinity')

-- name: blocks
-- What may not be stated again, and since when.
select agent_id, mark, blocked_at from value_blocks where tenant_id = %(tenant_id)s
