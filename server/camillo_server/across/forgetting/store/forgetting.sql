-- name: enter_every_agent
-- Until the transaction ends.
select set_config('camillo.agent', '*', true)

-- name: with_sources
-- These memories, and the sources that they replace as merged ones; not those that somebody restored beside them.
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
-- Every memory that rests on one of these records, on whatever way. The form keeps the lookups going by key: under row-level
-- security a cast in a condition would not.
with recursive gone as (
    select lower(n.ref) collate "C" as ref, null::uuid as memory_id from unnest(%(refs)s::text[]) as n (ref)
    union
    select d.memory_id::text collate "C", d.memory_id from gone g cross join lateral (
        select s.memory_id from memory_sources s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and {{rests_on}} offset 0
    ) d
)
select distinct memory_id from gone where memory_id is not null

-- name: linked
-- The records with a link that says they are about one of these, or derived from it.
select case l.from_source when 1 then 'memories' when 2 then 'events' when 4 then 'slots' else 'decisions' end, l.from_id::text
from unnest(%(refs)s::text[]) as n (ref) cross join lateral (
    select l.from_source, l.from_id from links l
    where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s and l.type <= 2 and l.from_source <> 3
        and l.to_id = case when n.ref ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then n.ref::uuid end
    offset 0
) l

-- name: left_artifacts
-- Artifacts that these records cite, or that were made from one of them.
select a.artifact_id from artifacts a
where a.tenant_id = %(tenant_id)s and (
    a.artifact_id in (
        select c.artifact_id from memory_citations c
        where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.memory_id = any(%(memory_ids)s::uuid[])
        union all
        select e.details ->> 'artifact_id' from events e
        where {{event_in_scope}} and e.event_id = any(%(event_ids)s::text[]::uuid[]))
    or a.agent_id = %(agent_id)s and a.details -> 'stated' -> 'source_refs' ?| %(refs)s::text[])
order by a.artifact_id limit %(size)s

-- name: citing_elsewhere
-- Memories of other scopes that rest on one of these records of the shared scope. The form keeps the lookups going by key.
select d.memory_id::text from scopes o cross join unnest(%(refs)s::text[]) as g (ref) cross join lateral (
    select s.memory_id from memory_sources s
    where s.tenant_id = o.tenant_id and s.agent_id = o.agent_id and {{rests_on}} offset 0
) d
where o.tenant_id = %(tenant_id)s and o.agent_id <> '' order by 1 limit %(size)s

-- name: other_agents
-- Every other scope of the tenant that is not deleted: nothing is left in those.
select s.agent_id from scopes s
where s.tenant_id = %(tenant_id)s and s.agent_id <> %(agent_id)s and s.deleted_at is null order by s.agent_id

-- name: compactions_of
-- Compactions that any of these had a part in: what they tell holds their texts.
select c.compaction_id, c.state = 2 as is_committed, c.memory_id, c.source_ids from compactions c
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s
    and (c.memory_id = any(%(memory_ids)s::uuid[]) or c.source_ids && %(memory_ids)s::uuid[])
order by c.compaction_id

-- name: delete_compactions
delete from compactions
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and compaction_id = any(%(compaction_ids)s::uuid[])

-- name: delete_versions
-- Earlier versions of memories.
delete from memory_history h using unnest(%(memory_ids)s::uuid[], %(versions)s::bigint[]) as n (memory_id, version)
where h.tenant_id = %(tenant_id)s and h.agent_id = %(agent_id)s and h.memory_id = n.memory_id and h.version = n.version

-- name: sources_of
-- The sources of these memories; where a source is a chunk, also the source of the chunk.
with named as (
    select distinct s.source_ref from memory_sources s
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.memory_id = any(%(memory_ids)s::uuid[])
)
select n.source_ref, (
    select m.source_refs[1] from memories m where {{in_scope}} and m.kind >= 16 and m.memory_id = case when n.source_ref ~ '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then n.source_ref::uuid end
) from named n

-- name: count_rows
-- What emptying a scope removes, by store.
select 'memories' as store, count(*) from memories m where {{in_scope}} and m.kind < 16
union all select 'chunks', count(*) from memories m where {{in_scope}} and m.kind >= 16
union all select 'memory_history', count(*) from memory_history m where {{in_scope}}
union all select 'memory_vectors', count(*) from memory_vectors m where {{in_scope}}
union all select 'memory_access', count(*) from memory_access m where {{in_scope}}
union all select 'events', count(*) from events m where {{in_scope}}
union all select 'decisions', count(*) from decisions m where {{in_scope}}
union all select 'tasks', count(*) from tasks m where {{in_scope}}
union all select 'slots', count(*) from slots m where {{in_scope}}
union all select 'slot_versions', count(*) from slot_versions m where {{in_scope}}
union all select 'documents', count(*) from documents m where {{in_scope}}
union all select 'document_versions', count(*) from document_versions m where {{in_scope}}
union all select 'actions', count(*) from actions a where {{action_of_scope}}
union all select 'views', count(*) from views m where {{in_scope}}
union all select 'skills', count(*) from skills m where {{in_scope}}
union all select 'skill_versions', count(*) from skill_versions m where {{in_scope}}
union all select 'handoffs', count(*) from handoffs m where {{in_scope}}
union all select 'artifacts', count(*) from artifacts m where {{in_scope}}
union all select 'uploads', count(*) from uploads m where {{in_scope}} and m.artifact_id is null
union all select 'compactions', count(*) from compactions m where {{in_scope}}
union all select 'runs', count(*) from runs m where {{in_scope}}
union all select 'run_entries', count(*) from run_entries m where {{in_scope}}
union all select 'links', count(*) from links m where {{in_scope}}
union all select 'entity_aliases', count(*) from entity_aliases m where {{in_scope}}
union all select 'distillations', count(*) from distillations m where {{in_scope}}
union all select 'distillation_answers', count(*) from distillation_answers m where {{in_scope}}
union all select 'proposals', count(*) from proposals m where {{in_scope}}
union all select 'spool_failures', count(*) from spool_failures m where {{in_scope}}
order by 1

-- name: count_handoffs_made
select count(*) from handoffs h
where h.tenant_id = %(tenant_id)s and h.from_agent_id = %(agent_id)s and h.agent_id <> %(agent_id)s

-- name: delete_memories
-- So many memories and chunks behind an id, with all that belongs to them; tombstones tell the followers of the scope, as
-- of any forgetting. The last id, if there was any.
with gone as (
    delete from memories m where {{in_scope}} and m.memory_id = any(array(
        select m.memory_id from memories m where {{in_scope}} and m.memory_id > %(after_id)s order by m.memory_id limit %(size)s
    ))
    returning m.memory_id, m.kind >= 16 as is_chunk
), tombstones as (
    insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
    select %(tenant_id)s, %(agent_id)s, %(revision)s, memory_id, %(now)s, is_chunk from gone
)
select memory_id from gone order by memory_id desc limit 1

-- name: count_no_memories
update scopes set memory_count = 0, chunk_count = 0, term_count = 0, links_revision = 0
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: delete_event_refs
delete from event_refs m where {{in_scope}}

-- name: delete_records
-- Decisions, tasks, slots, documents and skills with every version, actions, views, packets to the agent, compactions, runs, links, aliases,
-- distillations with proposals and answers, spooled writes that failed, and what requests were answered. A
-- re-embedding that was requested belongs to the scope itself, and stays.
with of_decisions as (
    delete from decisions m where {{in_scope}}
), of_tasks as (
    delete from tasks m where {{in_scope}}
), of_slots as (
    delete from slots m where {{in_scope}} returning m.slot_id
), slot_tombstones as (
    insert into slot_tombstones (tenant_id, agent_id, revision, slot_id)
    select %(tenant_id)s, %(agent_id)s, %(revision)s, slot_id from of_slots
), of_documents as (
    delete from documents m where {{in_scope}}
), of_actions as (
    delete from actions m where {{in_scope}}
), of_views as (
    delete from views m where {{in_scope}}
), of_skills as (
    delete from skills m where {{in_scope}}
), of_handoffs as (
    delete from handoffs m where {{in_scope}}
), of_compactions as (
    delete from compactions m where {{in_scope}}
), of_runs as (
    delete from runs m where {{in_scope}}
), of_spool_failures as (
    delete from spool_failures m where {{in_scope}}
), of_links as (
    delete from links m where {{in_scope}}
), of_entity_aliases as (
    delete from entity_aliases m where {{in_scope}}
), of_distillations as (
    delete from distillations m where {{in_scope}}
), of_cursors as (
    delete from distillation_cursors m where {{in_scope}}
)
delete from requests m where {{in_scope}}

-- name: large_scopes
-- Scopes with more rows than a step of their deletion takes.
select s.agent_id from scopes s
where s.tenant_id = %(tenant_id)s and (%(agent_id)s::text is null or s.agent_id = %(agent_id)s) and (
    s.memory_count + s.chunk_count > %(size)s
    or (select count(*) from (select from events e where e.tenant_id = s.tenant_id and e.agent_id = s.agent_id limit %(size)s + 1) counted) > %(size)s
)

-- name: row_ids
-- So many memories and chunks of a scope.
select m.memory_id from memories m where {{in_scope}} and m.memory_id > %(after_id)s order by m.memory_id limit %(size)s

-- name: delete_rest
-- Everything else of an agent's ground truth, in both directions; the agents who had been handed something are told. Its
-- receipts and its blocked values stay: an agent of the same name may not state them either.
with of_decisions as (
    delete from decisions where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_tasks as (
    delete from tasks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_slots as (
    delete from slots where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_documents as (
    delete from documents where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_actions as (
    delete from actions where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_views as (
    delete from views where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_skills as (
    delete from skills where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_handoffs as (
    delete from handoffs
    where tenant_id = %(tenant_id)s and (agent_id = %(agent_id)s or from_agent_id = %(agent_id)s)
    returning agent_id
), of_compactions as (
    delete from compactions where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_runs as (
    delete from runs where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_distillations as (
    delete from distillations where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_cursors as (
    delete from distillation_cursors where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_reembeddings as (
    delete from reembeddings where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_spool_failures as (
    delete from spool_failures where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
)
update scopes s set revision = s.revision + 1
where s.tenant_id = %(tenant_id)s and s.agent_id <> %(agent_id)s
    and s.agent_id in (select h.agent_id from of_handoffs h)
returning s.agent_id
