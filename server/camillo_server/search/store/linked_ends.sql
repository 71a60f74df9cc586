-- name: links
-- The revision of a scope's links, and so many of them.
select coalesce((select s.links_revision from scopes s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s), 0) as revision, l.*
from (select 1) one left join lateral (
    select l.from_source, l.from_id, l.to_source, l.to_id from links l
    where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s limit %(size)s
) l on true

-- name: links_of_ends
-- Those that lead from or to one of these ends. A union, since an `or` would read all of the scope.
select f.from_source, f.from_id, f.to_source, f.to_id from links f
where f.tenant_id = %(tenant_id)s and f.agent_id = %(agent_id)s and f.from_id = any(%(ends)s)
union
select t.from_source, t.from_id, t.to_source, t.to_id from links t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.to_id = any(%(ends)s)

-- name: chunks_of
-- The first chunks of each of these.
select m.memory_id, r.id from unnest(%(ids)s::uuid[], %(refs)s::text[]) as r (id, ref) cross join lateral (
    select m.memory_id from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = r.ref
    order by coalesce((m.metadata ->> 'place')::integer, 0), m.memory_id limit %(chunks)s
) m
