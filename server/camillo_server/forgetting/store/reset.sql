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
union all select 'views', count(*) from views m where {{in_scope}}
union all select 'handoffs', count(*) from handoffs m where {{in_scope}}
union all select 'artifacts', count(*) from artifacts m where {{in_scope}}
union all select 'uploads', count(*) from uploads m where {{in_scope}} and m.artifact_id is null
union all select 'compactions', count(*) from compactions m where {{in_scope}}
union all select 'runs', count(*) from runs m where {{in_scope}}
union all select 'run_entries', count(*) from run_entries m where {{in_scope}}
order by 1

-- name: delete_memories
-- Memories and chunks with what hangs on them: those who follow the scope learn of it as of any forgetting.
with gone as (
    delete from memories m where {{in_scope}} returning m.memory_id, m.kind >= 16 as is_chunk
), marked as (
    insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
    select %(tenant_id)s, %(agent_id)s, %(revision)s, memory_id, %(now)s, is_chunk from gone
)
update scopes set memory_count = 0, chunk_count = 0, term_count = 0
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: insert_event_receipt
-- Where there are events: their tombstones name it.
insert into event_receipts (tenant_id, agent_id, receipt_id, forgotten_at, counts)
select %(tenant_id)s, %(agent_id)s, %(receipt_id)s, %(now)s, %(counts)s
where exists (select from events m where {{in_scope}})

-- name: insert_event_tombstones
-- Tombstones permit the deletion of events, and tell those who watch.
insert into event_tombstones (tenant_id, agent_id, event_id, revision, place, receipt_id)
select m.tenant_id, m.agent_id, m.event_id, ({{scope_revision}}), row_number() over (order by m.event_id)::integer - 1,
    %(receipt_id)s
from events m where {{in_scope}}

-- name: delete_events
delete from events m where {{in_scope}}

-- name: delete_event_refs
delete from event_refs m where {{in_scope}}

-- name: delete_records
-- Decisions, tasks, views, packets to the agent, compactions, runs, and what requests were answered. A
-- re-embedding that was requested belongs to the scope itself, and stays.
with of_decisions as (
    delete from decisions m where {{in_scope}}
), of_tasks as (
    delete from tasks m where {{in_scope}}
), of_views as (
    delete from views m where {{in_scope}}
), of_handoffs as (
    delete from handoffs m where {{in_scope}}
), of_compactions as (
    delete from compactions m where {{in_scope}}
), of_runs as (
    delete from runs m where {{in_scope}}
)
delete from requests m where {{in_scope}}
