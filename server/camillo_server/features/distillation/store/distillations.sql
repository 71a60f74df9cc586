-- fragment: of_scope
d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s

-- fragment: distillation_columns
d.distillation_id, d.state, d.trigger, d.session_id, d.model_id, d.prompt_digest, d.turns, d.turns_sent, d.said_tokens,
d.sent_tokens, d.input_tokens, d.output_tokens, d.nano_usd, d.requests, d.first_event_id, d.last_event_id, d.dropped,
d.left_out, d.created_at, d.reverted_at, c.proposals, c.accepted

-- fragment: join_counts
cross join lateral (
    select count(*)::integer as proposals, (count(*) filter (where p.state = 2))::integer as accepted
    from proposals p
    where p.tenant_id = d.tenant_id and p.agent_id = d.agent_id and p.distillation_id = d.distillation_id
) c

-- name: has_events
select exists (select from events e where {{event_in_scope}}) as has_events

-- name: cursor
select c.revision, c.place from distillation_cursors c where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s

-- name: lease
-- Takes the cursor of a scope for one distillation, unless another one has it; where it stands, and where it begins.
insert into distillation_cursors as c (tenant_id, agent_id, revision, place, lease_id, leased_until)
values (%(tenant_id)s, %(agent_id)s, 0, 0, %(lease_id)s, %(until)s)
on conflict on constraint distillation_cursors_pkey do update
set lease_id = excluded.lease_id, leased_until = excluded.leased_until
where c.leased_until is null or c.leased_until <= %(now)s or c.lease_id = excluded.lease_id
returning c.revision, c.place

-- name: release
update distillation_cursors set lease_id = null, leased_until = null
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and lease_id = %(lease_id)s

-- name: advance
-- Moves the cursor of who still has it.
update distillation_cursors set
    revision = coalesce(%(revision)s, revision), place = coalesce(%(place)s, place), lease_id = null, leased_until = null
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and lease_id = %(lease_id)s
returning revision

-- name: due
-- Scopes with turns behind the cursor, of the last events there, that are many, or after which nothing was said for long. A
-- scope without new events costs one lookup.
select s.agent_id, w.turns
from scopes s left join distillation_cursors c on c.tenant_id = s.tenant_id and c.agent_id = s.agent_id
cross join lateral (
    select from events e
    where e.tenant_id = s.tenant_id and e.agent_id = s.agent_id
        and (e.revision, e.place) > (coalesce(c.revision, 0), coalesce(c.place, 0)) and e.recorded_at >= %(since)s
    order by e.revision desc, e.place desc limit 1
) newest
cross join lateral (
    select count(*) filter (where e.kind = 1 and e.actor_type in (1, 2) and e.sensitivity <= %(max_sensitivity)s) as turns,
        max(e.recorded_at) as last_at
    from (
        select e.kind, e.actor_type, e.sensitivity, e.recorded_at from events e
        where e.tenant_id = s.tenant_id and e.agent_id = s.agent_id
            and (e.revision, e.place) > (coalesce(c.revision, 0), coalesce(c.place, 0)) and e.recorded_at >= %(since)s
        order by e.revision desc, e.place desc limit %(size)s
    ) e
) w
where s.tenant_id = %(tenant_id)s and s.deleted_at is null and (%(agent_id)s::text is null or s.agent_id = %(agent_id)s)
    and w.turns > 0 and (w.turns >= %(every_turns)s or w.last_at <= %(idle_since)s)
order by s.agent_id

-- name: turns
-- Messages of people and agents behind a position, that no distillation in force has read, in the order of recording.
select {{event_columns}} from events e
where {{event_in_scope}} and (e.revision, e.place) > (%(after_revision)s, %(after_place)s)
    and (%(session_id)s = '' or e.session_id = %(session_id)s)
    and e.kind = 1 and e.actor_type in (1, 2) and e.sensitivity <= %(max_sensitivity)s
    and (%(since)s::timestamptz is null or e.recorded_at >= %(since)s)
    and not exists (
        select from distilled_events n join distillations d on {{of_scope}} and d.distillation_id = n.distillation_id
        where n.tenant_id = e.tenant_id and n.agent_id = e.agent_id and n.event_id = e.event_id and d.state = 1)
order by e.revision, e.place limit %(size)s

-- name: turns_of_ids
select {{event_columns}} from events e
where {{event_in_scope}} and e.event_id = any(%(event_ids)s::uuid[])

-- name: keep
insert into distillations (
    tenant_id, agent_id, distillation_id, state, trigger, session_id, model_id, prompt_digest, turns, turns_sent, said_tokens,
    sent_tokens, input_tokens, output_tokens, nano_usd, requests, first_event_id, last_event_id, dropped, left_out,
    created_at)
values (%(tenant_id)s, %(agent_id)s, %(distillation_id)s, %(state)s, %(trigger)s, %(session_id)s, %(model_id)s,
    %(prompt_digest)s, %(turns)s, %(turns_sent)s, %(said_tokens)s, %(sent_tokens)s, %(input_tokens)s, %(output_tokens)s,
    %(nano_usd)s, %(requests)s, %(first_event_id)s, %(last_event_id)s, %(dropped)s, %(left_out)s, %(created_at)s)

-- name: keep_answer
insert into distillation_answers (
    tenant_id, agent_id, answer_id, distillation_id, place, sensitivity, event_ids, memory_ids, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(answer_id)s, %(distillation_id)s, %(place)s, %(sensitivity)s, %(event_ids)s,
    %(memory_ids)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: answers
select a.answer_id, a.details, a.key_id, a.sealed_details from distillation_answers a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.distillation_id = %(distillation_id)s order by a.place

-- name: keep_events
insert into distilled_events (tenant_id, agent_id, event_id, distillation_id)
select %(tenant_id)s, %(agent_id)s, n.event_id, %(distillation_id)s from unnest(%(event_ids)s::uuid[]) as n (event_id)

-- name: existing_events
-- Those of these events that are there.
select e.event_id from events e where {{event_in_scope}} and e.event_id = any(%(event_ids)s::uuid[])

-- name: get
select {{distillation_columns}} from distillations d {{join_counts}}
where {{of_scope}} and d.distillation_id = %(distillation_id)s

-- name: page
-- Newest first, behind a cursor.
select {{distillation_columns}} from distillations d {{join_counts}}
where {{of_scope}} and (%(state)s::smallint is null or d.state = %(state)s)
    and (%(after_at)s::timestamptz is null or (d.created_at, d.distillation_id) < (%(after_at)s, %(after_id)s::uuid))
order by d.created_at desc, d.distillation_id desc limit %(size)s

-- name: lock_distillation
select d.state from distillations d where {{of_scope}} and d.distillation_id = %(distillation_id)s for update

-- name: set_reverted
update distillations d set state = 2, reverted_at = %(now)s where {{of_scope}} and d.distillation_id = %(distillation_id)s
