-- name: last_reads
-- When a memory of each of these scopes was last found; without those of which that is not known.
select a.agent_id, max(a.accessed_at) from memory_access a
where a.tenant_id = %(tenant_id)s and a.agent_id = any(%(agent_ids)s) and a.accessed_at is not null group by 1

-- name: kinds
select m.kind, count(*) from memories m
where {{in_scope}} and {{is_memory}} group by 1

-- name: span
-- Different sessions of the memories and events of a scope, and when the first and the last of them was stored.
select
    (select count(*) from (
        select m.session_id from memories m where {{in_scope}} and m.session_id <> '' and {{is_memory}}
        union
        select e.session_id from events e
        where e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s and e.session_id <> ''
    ) s),
    least(m.oldest_at, e.oldest_at), greatest(m.newest_at, e.newest_at)
from (
    select min(m.created_at) as oldest_at, max(m.created_at) as newest_at from memories m
    where {{in_scope}} and {{is_memory}}
) m cross join (
    select min(e.recorded_at) as oldest_at, max(e.recorded_at) as newest_at from events e
    where e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s
) e

-- name: readers
-- Keys that reach a scope, newest first, and how many there are. Every key reads the shared one. No path has a colon.
select k.key_id, k.description, k.role, coalesce(g.granted, '') as granted, count(*) over () as all_of_them
from api_keys k left join lateral (
    select max(s.granted) as granted from unnest(k.spaces) as s (granted)
    where split_part(s.granted, ':', 1) = any(%(patterns)s) and k.agent_id <> %(agent_id)s
) g on true
where k.tenant_id = %(tenant_id)s and k.revoked_at is null and (k.expires_at is null or k.expires_at > %(now)s)
    and (%(agent_id)s = '' or k.agent_id is null or k.agent_id = %(agent_id)s or g.granted is not null)
order by k.created_at desc, k.key_id desc limit %(size)s
