-- name: ids_of_session
-- The events of a conversation, in the order of their ids.
select e.event_id from events e where {{event_in_scope}} and e.session_id = %(session_id)s order by e.event_id

-- name: chunks_of
-- The chunks of these events. The form keeps the lookups going by key, however many there are.
select c.memory_id from unnest(%(origins)s::text[]) as o (origin) cross join lateral (
    select m.memory_id from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = o.origin offset 0
) c
order by c.memory_id

-- name: keep_receipt
insert into event_receipts (tenant_id, agent_id, receipt_id, forgotten_at, counts)
values (%(tenant_id)s, %(agent_id)s, %(receipt_id)s, %(now)s, %(counts)s)

-- name: insert_tombstones
-- What permits the deletion of events, and tells those who watch.
insert into event_tombstones (tenant_id, agent_id, event_id, revision, place, receipt_id)
select e.tenant_id, e.agent_id, e.event_id, ({{scope_revision}}),
    %(place)s + row_number() over (order by e.event_id)::integer - 1, %(receipt_id)s
from events e where {{event_in_scope}} and e.event_id = any(%(event_ids)s)

-- name: delete_events
-- With what they named.
with gone as (
    delete from events e where {{event_in_scope}} and e.event_id = any(%(event_ids)s) returning e.revision, e.place, e.refs
)
delete from event_refs r using (
    select gone.revision, gone.place, lower(n.ref) as ref from gone cross join lateral unnest(gone.refs) as n (ref)
) g
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s
    and r.ref = g.ref and r.revision = g.revision and r.place = g.place

-- name: event_ids
-- So many events of an agent, behind an id.
select e.event_id from events e where {{event_in_scope}} and e.event_id > %(after_id)s
order by e.event_id limit %(size)s

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
), of_reembeddings as (
    delete from reembeddings where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
), of_spool_failures as (
    delete from spool_failures where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
)
update scopes s set revision = s.revision + 1
where s.tenant_id = %(tenant_id)s and s.agent_id <> %(agent_id)s
    and s.agent_id in (select h.agent_id from of_handoffs h)
returning s.agent_id
