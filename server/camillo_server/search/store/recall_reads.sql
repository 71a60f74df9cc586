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

-- name: predecessors
-- What these memories took the place of, directly or through others: at most three of each, and three steps back. Of what passes the
-- filter, the latest first.
with recursive earlier as (
    select w.memory_id as successor, w.memory_id, 0 as steps from unnest(%(memory_ids)s::uuid[]) as w (memory_id)
    union
    select e.successor, s.memory_id, e.steps + 1 from earlier e cross join lateral (
        select m.supersedes from memories m where {{in_scope}} and m.memory_id = e.memory_id offset 0
    ) m cross join unnest(m.supersedes[greatest(cardinality(m.supersedes) - 2, 1):]) as s (memory_id)
    where e.steps < 3
)
select e.successor, p.* from (
    select successor, memory_id from earlier where steps > 0 group by successor, memory_id
) e cross join lateral (
    select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}} from memories m {{join_access}}
    where {{in_scope}} and m.memory_id = e.memory_id and {{is_memory}} and {{passes_filter}} offset 0
) p
order by p.valid_until desc nulls last, p.occurred_at desc, p.memory_id desc

-- name: senders
select handoff_senders from scopes where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
