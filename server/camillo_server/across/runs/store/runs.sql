-- name: count_open
-- How many runs of a scope have not ended.
select count(*) from runs r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.ends_at > %(now)s

-- name: insert
insert into runs (
    tenant_id, agent_id, run_id, session_id, sensitivity, max_tokens, idle_seconds, rounds, instructions, bytes,
    started_at, active_at, ends_at, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(run_id)s, %(session_id)s, %(sensitivity)s, %(max_tokens)s, %(idle_seconds)s,
    0, 0, 0, %(started_at)s, %(started_at)s, %(ends_at)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: get
select {{run_columns}} from runs r where {{open_run}}

-- name: page
-- Those that have not ended, the last started first, after a cursor: ids ascend with time.
select {{run_columns}} from runs r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.run_id < %(after_id)s and r.ends_at > %(now)s
    and (%(session_id)s::text is null or r.session_id = %(session_id)s)
order by r.run_id desc limit %(size)s

-- name: add_entries
-- Entries of one number, a round with its summary or an instruction, with the request, at the scope's next revision: one
-- statement, one transaction, one round trip. Of a run that is not there, is encrypted or has no room for them, they have no
-- place, which violates the entries' constraint. Blocked values are looked for when the scope is locked.
with next as (
    {{next_revision}}
), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, %(agent_id)s, %(request_id)s, %(content_digest)s, %(facts)s, next.revision, %(now)s
    from next where %(request_id)s::text is not null
), audit as (
    {{insert_audit}}
), run as (
    update runs r set {{counted_entry}}
    from next
    where {{open_run}} and r.sensitivity < %(min_encrypted)s and r.rounds + %(added_rounds)s <= %(max_rounds)s
        and r.instructions + %(added_instructions)s <= %(max_instructions)s
        and r.bytes + %(added_bytes)s <= %(max_bytes)s
    returning {{run_columns}}
), entry as (
    insert into run_entries (tenant_id, agent_id, run_id, kind, place, appended_at, key_id, details)
    select %(tenant_id)s, %(agent_id)s, %(run_id)s, e.kind::smallint,
        case when %(added_rounds)s > 0 then run.rounds else run.instructions end, %(now)s, '', e.details::jsonb
    from json_each(%(entries)s::json) as e (kind, details) left join run on true
)
select next.revision, refuse_blocked_values(%(tenant_id)s, %(agent_id)s, %(marks)s::bytea[]), run.*
from next left join run on true

-- fragment: counted_entry
rounds = r.rounds + %(added_rounds)s, instructions = r.instructions + %(added_instructions)s,
bytes = r.bytes + %(added_bytes)s, active_at = %(now)s,
ends_at = greatest(r.ends_at, %(now)s::timestamptz + make_interval(secs => r.idle_seconds))

-- name: count_entry
-- Makes room for a round or an instruction, whose place is the new count.
update runs r set {{counted_entry}}
where {{open_run}}
returning {{run_columns}}, r.bytes

-- name: insert_entry
insert into run_entries (
    tenant_id, agent_id, run_id, kind, place, appended_at, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(run_id)s, %(kind)s, %(place)s, %(now)s, %(key_id)s, %(details)s,
    %(sealed_details)s)

-- name: touch
-- Notes a rendering; what it writes holds for those that follow within so many seconds.
update runs r set
    active_at = %(now)s,
    ends_at = greatest(r.ends_at, %(now)s::timestamptz + make_interval(secs => r.idle_seconds + %(holds_seconds)s))
where {{open_run}}

-- name: entries
-- Those of one kind, the last ones first.
select e.place, e.details, e.key_id, e.sealed_details from run_entries e
where e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s and e.run_id = %(run_id)s and e.kind = %(kind)s
order by e.place desc limit %(size)s

-- name: lock
-- How many rounds it has; locked until the transaction ends.
select r.rounds, r.session_id, r.sensitivity, r.started_at from runs r where {{open_run}} for update

-- name: delete
-- With all that it holds.
delete from runs r where {{open_run}}

-- name: remove_ended
-- The rows of runs that have ended by themselves.
delete from runs where tenant_id = %(tenant_id)s and ends_at <= %(now)s
