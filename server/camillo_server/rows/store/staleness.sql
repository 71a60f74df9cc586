-- name: derived
-- Every memory that rests on this source, on whatever way, but for the source itself: by what it names, or as the merged
-- memory of a compaction. The form keeps the lookups going by key.
with recursive reached as (
    select %(source_ref)s::text collate "C" as ref
    union
    select d.ref from reached g cross join lateral (
        select s.memory_id::text collate "C" as ref from memory_sources s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.source_ref = g.ref
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
