-- name: ids_of_session
-- The events of a conversation, in the order of their ids.
select e.event_id from events e where {{event_in_scope}} and e.session_id = %(session_id)s order by e.event_id

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

-- name: page_of_events
-- So many events of an agent, behind an id.
select e.event_id from events e where {{event_in_scope}} and e.event_id > %(after_id)s
order by e.event_id limit %(size)s

-- name: existing_events
select e.event_id::text from events e where {{event_in_scope}} and e.event_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_events
select e.event_id, e.agent_id, e.event_id::text as row_id, e.details, e.key_id, e.sealed_details,
    array[e.session_id, e.actor_id] || e.tags || e.refs as texts, e.sensitivity
from events e
where {{event_in_scope}} and e.revision > %(since)s
    and (%(ids)s::text[] is null or e.event_id = any(%(ids)s::text[]::uuid[]))
