-- name: insert
insert into decisions (
    tenant_id, agent_id, decision_id, revision, version, status, reach, channel, sensitivity, session_id, tags, refs,
    decided_at, created_at, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(decision_id)s, %(revision)s, %(version)s, 1, %(reach)s, %(channel)s,
    %(sensitivity)s, %(session_id)s, %(tags)s, %(refs)s, %(decided_at)s, %(created_at)s, %(key_id)s, %(details)s,
    %(sealed_details)s)

-- name: lock
-- Version and status of one, locked until the transaction ends.
select version, status from decisions
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and decision_id = %(decision_id)s for update

-- name: successors
-- The decision itself, and all that superseded it, directly or through others.
with recursive successor (decision_id) as (
    select %(decision_id)s::uuid
    union
    select d.superseded_by from successor s join decisions d
        on d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = s.decision_id
    where d.superseded_by is not null
)
select decision_id from successor

-- name: supersede
-- The superseded decision.
update decisions set
    status = 2, superseded_by = %(successor_id)s, superseded_at = %(now)s, version = version + 1,
    revision = %(revision)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and decision_id = %(decision_id)s

-- name: touch
-- A successor that existed before.
update decisions set version = version + 1, revision = %(revision)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and decision_id = %(successor_id)s

-- name: archive_chunk
update memories m set archived = true, revision = %(revision)s, updated_at = %(now)s
where {{in_scope}} and m.kind = 65 and m.source_refs[1] = %(decision_id)s::uuid::text

-- name: get
select {{decision_columns}} from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id in (%(agent_id)s, '') and d.decision_id = any(%(decision_ids)s::uuid[])

-- name: page
-- Those of the scope and of the shared one that pass a filter, the latest first, after a cursor.
select {{decision_columns}} from (
    select f.* from (select %(agent_id)s::text union select '') as s (agent_id) cross join lateral (
        select d.* from decisions d
        where d.tenant_id = %(tenant_id)s and d.agent_id = s.agent_id
            and (d.created_at, d.decision_id) < (%(after_at)s, %(after_id)s)
            and d.status = any(%(statuses)s::smallint[]) and d.sensitivity = any(%(sensitivities)s::smallint[])
            and (%(reaches)s::smallint[] is null or d.reach = any(%(reaches)s))
            and (%(session_id)s::text is null or d.session_id = %(session_id)s)
            and (%(tags_any)s::text[] is null or d.tags && %(tags_any)s)
            and (%(ref)s::text is null or exists (select from unnest(d.refs) as n (ref) where lower(n.ref) = %(ref)s))
            and (not %(is_public)s::boolean or d.channel = 1)
        order by d.created_at desc, d.decision_id desc limit %(size)s
    ) f
) d
order by d.created_at desc, d.decision_id desc limit %(size)s
