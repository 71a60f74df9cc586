-- name: with_sources
-- These memories, and those that they stand for as merged ones; not those that somebody took back beside them.
with recursive selected as (
    select n.memory_id from unnest(%(memory_ids)s::uuid[]) as n (memory_id)
    union
    select s.memory_id from selected g cross join lateral (
        select m.memory_id from compactions c cross join unnest(c.source_ids) as u (memory_id)
        join memories m on {{in_scope}} and m.memory_id = u.memory_id and m.archived
        where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.memory_id = g.memory_id and c.state = 2
        offset 0
    ) s
)
select memory_id from selected

-- name: with_derived
-- These memories, and every one that rests on one of them, on whatever way. The form keeps the lookups going by key: under
-- row-level security a cast in a condition would not.
with recursive gone as (
    select n.memory_id::text collate "C" as ref from unnest(%(memory_ids)s::uuid[]) as n (memory_id)
    union
    select d.ref from gone g cross join lateral (
        select s.memory_id::text collate "C" as ref from memory_sources s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.source_ref = g.ref offset 0
    ) d
)
select ref::uuid from gone

-- name: compactions_of
-- Compactions that any of these had a part in: what they tell holds their texts.
select c.compaction_id, c.state = 2 as is_committed, c.memory_id, c.source_ids from compactions c
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s
    and (c.memory_id = any(%(memory_ids)s::uuid[]) or c.source_ids && %(memory_ids)s::uuid[])
order by c.compaction_id

-- name: delete_compactions
delete from compactions
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and compaction_id = any(%(compaction_ids)s::uuid[])

-- name: values_of
-- The contents of memories, those of earlier versions among them.
select m.memory_id, m.content, m.key_id, m.sealed from memories m where {{in_scope}} and m.memory_id = any(%(memory_ids)s::uuid[])
union all
select m.memory_id, m.content, m.key_id, m.sealed from memory_history m where {{in_scope}} and m.memory_id = any(%(memory_ids)s::uuid[])

-- name: sources_of
-- The sources of these memories; where a source is a chunk, also the source of the chunk.
with named as (
    select distinct s.source_ref from memory_sources s
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.memory_id = any(%(memory_ids)s::uuid[])
)
select n.source_ref, (
    select m.source_refs[1] from memories m where {{in_scope}} and m.kind >= 16 and m.memory_id = case when n.source_ref ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then n.source_ref::uuid end
) from named n
