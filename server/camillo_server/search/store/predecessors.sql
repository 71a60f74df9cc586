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
