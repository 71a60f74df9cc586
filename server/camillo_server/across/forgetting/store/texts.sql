-- name: memories
-- Memories, those of earlier versions among them.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memories m
where {{in_scope}} and {{is_memory}} and m.revision > %(since)s
    and (%(ids)s::text[] is null or m.memory_id = any(%(ids)s::text[]::uuid[]))
union all
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memory_history m join memories c
    on c.tenant_id = m.tenant_id and c.agent_id = m.agent_id and c.memory_id = m.memory_id
where {{in_scope}} and c.revision > %(since)s
    and (%(ids)s::text[] is null or m.memory_id = any(%(ids)s::text[]::uuid[]))

-- name: recipes
-- The tenant's own.
select r.name, r.recipe from recipes r where r.tenant_id = %(tenant_id)s
