-- name: state
-- The revision of the scope, and whether it has merged names.
select coalesce((select s.revision from scopes s
                 where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s), 0) as revision,
    exists (select from entity_aliases a where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s) as has_names

-- name: resolve
-- The id of each of these ends, null for one that is not there. Slots are named by their paths; documents are the tenant's, and there for
-- whom their categories are granted.
select case e.source
    when 1 then (select m.memory_id from memories m where {{in_scope}} and m.memory_id = e.id and {{is_memory}}
        and (m.expires_at is null or m.expires_at > %(now)s))
    when 2 then (select v.event_id from events v
        where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.event_id = e.id)
    when 3 then (select d.document_id from documents d join document_versions v
            on v.tenant_id = d.tenant_id and v.agent_id = d.agent_id and v.document_id = d.document_id and v.version = d.version
        where d.tenant_id = %(tenant_id)s and d.agent_id = '' and d.document_id = e.id
            and (%(granted)s::text[] is null or v.categories && %(granted)s))
    when 4 then (select s.slot_id from slots s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = e.path and s.kind is not null)
    when 5 then (select d.decision_id from decisions d
        where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = e.id)
end
from unnest(%(sources)s::smallint[], %(ids)s::uuid[], %(paths)s::text[]) with ordinality as e (source, id, path, ordinal)
order by e.ordinal

-- name: insert
-- How many of them are new.
with added as (
    insert into links (tenant_id, agent_id, type, from_source, from_id, to_source, to_id, created_at, credential)
    select %(tenant_id)s, %(agent_id)s, n.type, n.from_source, n.from_id, n.to_source, n.to_id, %(now)s, %(credential)s
    from unnest(%(types)s::smallint[], %(from_sources)s::smallint[], %(from_ids)s::uuid[], %(to_sources)s::smallint[],
        %(to_ids)s::uuid[]) as n (type, from_source, from_id, to_source, to_id)
    on conflict do nothing
    returning 1
)
select count(*) from added

-- name: fullest
-- The most links that one of these ends has.
select coalesce(max((
    select count(*) from links l where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s and l.from_id = e.id
) + (
    select count(*) from links l where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s and l.to_id = e.id
)), 0) from unnest(%(ends)s::uuid[]) as e (id)

-- name: facts
-- Of each of these links, which are all there.
select l.created_at, l.credential
from unnest(%(types)s::smallint[], %(from_ids)s::uuid[], %(to_ids)s::uuid[]) with ordinality as n (type, from_id, to_id, ordinal)
join links l on l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s
    and l.from_id = n.from_id and l.to_id = n.to_id and l.type = n.type
order by n.ordinal

-- name: remove
-- How many were there.
with removed as (
    delete from links l
    using unnest(%(types)s::smallint[], %(from_ids)s::uuid[], %(to_ids)s::uuid[]) as n (type, from_id, to_id)
    where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s
        and l.from_id = n.from_id and l.to_id = n.to_id and l.type = n.type
    returning 1
)
select count(*) from removed

-- name: touch
-- The scope's links were changed at this revision.
update scopes s set links_revision = %(revision)s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: links_of
-- The links from or to an end, the newest first, with what is at their other ends.
select l.type, l.from_id = %(id)s as leads_away, l.created_at, l.credential,
    case when l.from_id = %(id)s then l.to_source else l.from_source end as source,
    case when l.from_id = %(id)s then l.to_id else l.from_id end as other_id
from (
    select * from links f where f.tenant_id = %(tenant_id)s and f.agent_id = %(agent_id)s and f.from_id = %(id)s
    union all
    select * from links t where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.to_id = %(id)s
) l
where %(types)s::smallint[] is null or l.type = any(%(types)s)
order by l.created_at desc, other_id, l.type, leads_away

-- name: has_rows
-- Whether anything is searched of an end, whoever may load it.
select exists (select from memories m where {{in_scope}} and m.memory_id = %(id)s)
    or exists (select from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = %(ref)s)

-- name: rows_of
-- Of each of these ends the memory, or the first chunk, if it passes a filter.
select e.ordinal, r.* from unnest(%(ids)s::uuid[], %(refs)s::text[]) with ordinality as e (id, ref, ordinal)
cross join lateral (
    (select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memories m
     where {{in_scope}} and m.memory_id = e.id and {{is_memory}} and {{passes_filter}})
    union all
    (select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memories m
     where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = e.ref and {{passes_filter}}
     order by coalesce((m.metadata ->> 'place')::integer, 0), m.memory_id limit 1)
    limit 1
) r order by e.ordinal

-- name: holding_terms
-- For each of these queries the newest rows that hold all of its terms and pass a filter.
select q.ordinal, r.* from unnest(%(queries)s::tsquery[]) with ordinality as q (query, ordinal)
cross join lateral (
    select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memories m
    where {{in_scope}} and m.terms @@ q.query and {{passes_filter}}
        and (m.occurred_at, m.memory_id) < (%(after_at)s, %(after_id)s)
    order by m.occurred_at desc, m.memory_id desc limit %(size)s
) r order by q.ordinal, r.occurred_at desc, r.memory_id desc

-- name: newest_rows
-- Rows that pass a filter, the newest first.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from memories m
where {{in_scope}} and {{passes_filter}}
order by m.occurred_at desc, m.memory_id desc limit %(size)s

-- name: slot_paths
select s.slot_id, s.path from slots s
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.slot_id = any(%(ids)s::uuid[])
