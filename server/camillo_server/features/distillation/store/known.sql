-- name: nearest
-- The memories that say what is nearest to a vector, among those that may be sent.
select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}, 1 - (v.embedding <=> %(embedding)s::vector) as cosine
from memories m {{join_access}} join memory_vectors v on v.tenant_id = m.tenant_id and v.agent_id = m.agent_id
    and v.memory_id = m.memory_id and v.model_id = m.vector_model_id
where {{in_scope}} and {{is_memory}} and m.vector_model_id = %(model_id)s and m.sensitivity <= %(max_sensitivity)s
    and not m.archived and m.superseded_by is null and (m.expires_at is null or m.expires_at > %(now)s)
    and v.embedding is not null
order by v.embedding <=> %(embedding)s::vector, m.memory_id limit %(size)s

-- name: of_versions
-- Memories as they were in these versions; nothing of one that is gone.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}
from unnest(%(memory_ids)s::uuid[], %(versions)s::bigint[]) as w (memory_id, version)
join memories m on {{in_scope}} and m.memory_id = w.memory_id and m.version = w.version
union all
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}}
from unnest(%(memory_ids)s::uuid[], %(versions)s::bigint[]) as w (memory_id, version)
join memory_history m on {{in_scope}} and m.memory_id = w.memory_id and m.version = w.version
