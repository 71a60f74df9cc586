-- name: links
-- The revision of a scope's links, and so many of them; or of those alone that lead from or to one of these ends.
select coalesce((select s.links_revision from scopes s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s), 0) as revision, l.*
from (select 1) one left join lateral (
    select l.from_source, l.from_id, l.to_source, l.to_id from links l
    where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s
        and (%(ends)s::uuid[] is null or l.from_id = any(%(ends)s) or l.to_id = any(%(ends)s))
    order by l.from_id, l.to_id, l.type limit %(size)s
) l on true

-- name: chunks_of
-- The first chunks of each of these.
select m.memory_id, r.id from unnest(%(ids)s::uuid[], %(refs)s::text[]) as r (id, ref) cross join lateral (
    select m.memory_id from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = r.ref
    order by coalesce((m.metadata ->> 'place')::integer, 0), m.memory_id limit %(chunks)s
) m
