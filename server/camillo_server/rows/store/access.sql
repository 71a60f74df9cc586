-- name: add_accesses
-- Adds counted hits; a memory that has been forgotten since takes none.
insert into memory_access as a (tenant_id, agent_id, memory_id, accessed_at, access_count)
select %(tenant_id)s, %(agent_id)s, n.memory_id, n.accessed_at, n.access_count
from unnest(%(memory_ids)s::uuid[], %(times)s::timestamptz[], %(counts)s::bigint[]) as n (memory_id, accessed_at, access_count)
where exists (
    select 1 from memories m
    where m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s and m.memory_id = n.memory_id for key share)
order by n.memory_id
on conflict on constraint memory_access_pkey do update
set access_count = a.access_count + excluded.access_count,
    accessed_at = greatest(a.accessed_at, excluded.accessed_at)
