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
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.source_ref = g.ref offset 0
    ) d
)
select distinct memory_id from gone where memory_id is not null

-- name: citing_decisions
-- Decisions that rest on one of these records.
select d.decision_id from decisions d where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s
    and exists (select from unnest(d.refs) as n (ref) where lower(n.ref) = any(%(refs)s::text[]))

-- name: citing_tasks
select t.task_id from tasks t where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s
    and exists (select from unnest(t.refs) as n (ref) where lower(n.ref) = any(%(refs)s::text[]))

-- name: naming_handoffs
-- Packets from or to the agent whose text shows one of these decisions or tasks.
select h.handoff_id from handoffs h
where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
    and (h.details -> 'decision_ids' ?| %(refs)s::text[] or h.details -> 'task_ids' ?| %(refs)s::text[])

-- name: existing_events
select e.event_id::text from events e where {{event_in_scope}} and e.event_id = any(%(ids)s::text[]::uuid[])

-- name: existing_decisions
select d.decision_id::text from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = any(%(ids)s::text[]::uuid[])

-- name: existing_tasks
select t.task_id::text from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.task_id = any(%(ids)s::text[]::uuid[])

-- name: existing_slots
select s.slot_id::text from slots s
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.slot_id = any(%(ids)s::text[]::uuid[])

-- name: existing_documents
select d.document_id::text from documents d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.document_id = any(%(ids)s::text[]::uuid[])

-- name: existing_actions
-- Actions of the agent, or all of them in the shared scope, where they lie.
select a.action_id::text from actions a where {{action_of_scope}} and a.action_id = any(%(ids)s::text[]::uuid[])

-- name: existing_handoffs
-- From or to the agent.
select h.handoff_id::text from handoffs h
where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
    and h.handoff_id = any(%(ids)s::text[]::uuid[])

-- name: existing_views
select v.name from views v where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.name = any(%(ids)s)

-- name: existing_skills
select s.name from skills s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.name = any(%(ids)s)

-- name: existing_runs
select r.run_id::text from runs r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.run_id = any(%(ids)s::text[]::uuid[])

-- name: existing_artifacts
-- The agent's own.
select a.artifact_id from artifacts a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.artifact_id = any(%(ids)s)

-- name: delete_tasks
delete from tasks
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and task_id = any(%(ids)s::text[]::uuid[])

-- name: delete_slots
-- With every version; those who watch are told.
with gone as (
    delete from slots
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and slot_id = any(%(ids)s::text[]::uuid[])
    returning slot_id
)
insert into slot_tombstones (tenant_id, agent_id, revision, slot_id)
select %(tenant_id)s, %(agent_id)s, %(revision)s, slot_id from gone

-- name: own_actions
select a.action_id::text from actions a where {{action_of_scope}}

-- name: delete_actions
-- Their entries in the audit trail stay.
delete from actions a where {{action_of_scope}} and a.action_id = any(%(ids)s::text[]::uuid[])

-- name: delete_documents
-- With every version and its text.
delete from documents
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and document_id = any(%(ids)s::text[]::uuid[])

-- name: count_document_versions
select count(*) from document_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.document_id = any(%(ids)s::text[]::uuid[])

-- name: slot_versions_of
-- Every version of these slots.
select v.slot_id, v.version from slot_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.slot_id = any(%(ids)s::text[]::uuid[])

-- name: delete_views
delete from views where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = any(%(ids)s)

-- name: skill_versions_of
-- Every version of these skills.
select v.name, v.version from skill_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.name = any(%(ids)s)

-- name: delete_skills
-- With every version.
delete from skills where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = any(%(ids)s)

-- name: delete_runs
-- With their entries.
delete from runs
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and run_id = any(%(ids)s::text[]::uuid[])

-- name: delete_handoffs
-- The other agents who had been handed one are told, by a new revision of their scopes.
with gone as (
    delete from handoffs h
    where h.tenant_id = %(tenant_id)s and (h.agent_id = %(agent_id)s or h.from_agent_id = %(agent_id)s)
        and h.handoff_id = any(%(ids)s::text[]::uuid[])
    returning h.agent_id
)
update scopes s set revision = s.revision + 1
where s.tenant_id = %(tenant_id)s and s.agent_id <> %(agent_id)s and s.agent_id in (select g.agent_id from gone g)
returning s.agent_id, s.revision

-- name: chain
-- The decisions that go or that one of these superseded, each with what superseded it.
select d.decision_id::text, d.superseded_by::text from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s
    and (d.decision_id = any(%(ids)s::text[]::uuid[]) or d.superseded_by = any(%(ids)s::text[]::uuid[]))

-- name: relink
-- Each of these is superseded by another decision from now on; without one it is in force again, and so is its chunk.
with relinked as (
    update decisions d set
        superseded_by = n.successor_id, status = case when n.successor_id is null then 1 else 2 end,
        superseded_at = case when n.successor_id is not null then d.superseded_at end,
        version = d.version + 1, revision = %(revision)s
    from unnest(%(ids)s::text[]::uuid[], %(successor_ids)s::text[]::uuid[]) as n (decision_id, successor_id)
    where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = n.decision_id
    returning d.decision_id::text as origin, d.status
)
update memories m set archived = false, revision = %(revision)s, updated_at = %(now)s
from relinked r where {{in_scope}} and m.kind = 65 and m.source_refs[1] = r.origin and r.status = 1

-- name: delete_decisions
delete from decisions
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and decision_id = any(%(ids)s::text[]::uuid[])

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
select d.memory_id::text from scopes o cross join unnest(%(refs)s::text[]) as n (ref) cross join lateral (
    select s.memory_id from memory_sources s
    where s.tenant_id = o.tenant_id and s.agent_id = o.agent_id and s.source_ref = n.ref offset 0
) d
where o.tenant_id = %(tenant_id)s and o.agent_id <> '' order by 1 limit %(size)s

-- name: other_agents
-- Every other scope of the tenant.
select s.agent_id from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id <> %(agent_id)s order by s.agent_id

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
-- Decisions, tasks, slots, documents and skills with every version, actions, views, packets to the agent, compactions, runs, links, spooled
-- writes that failed, and what requests were answered. A
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
