-- name: ids_of_session
-- The events of a conversation, in the order of their ids.
select e.event_id from events e where {{event_in_scope}} and e.session_id = %(session_id)s order by e.event_id

-- name: keep_receipt
insert into event_receipts (tenant_id, agent_id, receipt_id, forgotten_at, counts)
values (%(tenant_id)s, %(agent_id)s, %(receipt_id)s, %(now)s, %(counts)s)

-- name: insert_tombstones
-- What permits the deletion of events, and tells those who watch; a redacted event has one already.
insert into event_tombstones (tenant_id, agent_id, event_id, revision, place, receipt_id)
select e.tenant_id, e.agent_id, e.event_id, ({{scope_revision}}),
    %(place)s + row_number() over (order by e.revision, e.place)::integer - 1, %(receipt_id)s
from events e where {{event_in_scope}} and e.event_id = any(%(event_ids)s)
on conflict on constraint event_tombstones_pkey do update
set revision = excluded.revision, place = excluded.place, receipt_id = excluded.receipt_id

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

-- name: next_tombstone_place
-- The place behind the tombstones of the scope's present revision.
select coalesce(max(f.place) + 1, 0) from event_tombstones f
where f.tenant_id = %(tenant_id)s and f.agent_id = %(agent_id)s and f.revision = ({{scope_revision}})

-- name: events_of_ids
select {{event_columns}} from events e where {{event_in_scope}} and e.event_id = any(%(event_ids)s) order by e.event_id

-- name: replace_events
-- Other contents for events, which keep their places, and with these what they named.
with redacted as (
    select * from json_to_recordset(%(events)s::json) as r (
        event_id uuid, content_bytes integer, key_id text, details json, sealed_details bytea)
), gone as (
    delete from events e using redacted r where {{event_in_scope}} and e.event_id = r.event_id returning e.*
)
insert into events (
    tenant_id, agent_id, event_id, revision, place, session_id, channel, actor_type, actor_id, kind, sensitivity,
    tags, occurred_at, recorded_at, refs, importance, content_bytes, key_id, details, sealed_details, trust, credential)
select g.tenant_id, g.agent_id, g.event_id, g.revision, g.place, g.session_id, g.channel, g.actor_type, g.actor_id, g.kind,
    g.sensitivity, g.tags, g.occurred_at, g.recorded_at, g.refs, g.importance, r.content_bytes, r.key_id,
    r.details, r.sealed_details, g.trust, g.credential
from gone g join redacted r on r.event_id = g.event_id

-- name: insert_steps
-- Steps of workflows, of events that are stored.
insert into workflow_steps (tenant_id, agent_id, event_id, workflow, revision, place, occurred_at, run, step, status)
select e.tenant_id, e.agent_id, e.event_id, t.workflow, e.revision, e.place, e.occurred_at, t.run, t.step, t.status
from json_to_recordset(%(steps)s::json) as t (event_id uuid, workflow text, run text, step text, status smallint)
join events e on {{event_in_scope}} and e.event_id = t.event_id

-- name: versions_of_chunks
-- The chunks of these events. The form keeps the lookups going by key, however many there are.
select c.memory_id, c.version from unnest(%(origins)s::text[]) as o (origin) cross join lateral (
    select m.memory_id, m.version from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = o.origin offset 0
) c

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
