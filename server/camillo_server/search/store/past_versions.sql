-- name: past_versions
-- The versions that were in force at a moment and have been replaced since, of memories that are still there and have not expired: each
-- with the level that its memory has now, and with the vector of the version in force where that says the same.
select distinct on (m.memory_id) c.sensitivity, {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}},
    v.embedding, v.key_id, v.sealed
from memory_history m
join memories c on c.tenant_id = m.tenant_id and c.agent_id = m.agent_id and c.memory_id = m.memory_id
left join memory_vectors v on v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
    and v.model_id = %(model_id)s and m.sealed is null and c.sealed is null
    and (c.content, c.kind, c.occurred_at) = (m.content, m.kind, m.occurred_at)
where {{in_scope}} and m.updated_at <= %(known_at)s and m.replaced_at > %(known_at)s and c.updated_at > %(known_at)s
    and (c.expires_at is null or c.expires_at > %(now)s)
order by m.memory_id, m.version desc limit %(size)s
