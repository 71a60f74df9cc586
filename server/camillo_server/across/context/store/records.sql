-- name: one_moment
-- Every statement of the transaction sees the same.
set transaction isolation level repeatable read, read only

-- name: revisions
-- Of the scope, and of the tenant's shared one, with the number of rows there that a search may find; and whether the scope
-- has decisions, in force or not.
select coalesce(max(s.revision) filter (where s.agent_id = %(agent_id)s), 0) as revision,
    coalesce(max(s.revision) filter (where s.agent_id = ''), 0) as shared_revision,
    coalesce(max(s.memory_count) filter (where s.agent_id = ''), 0) as shared_rows,
    exists (
        select 1 from decisions d where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s
    ) as has_decisions
from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id in (%(agent_id)s, '')

-- name: tasks
-- Unfinished ones, the last changed first.
select {{task_columns}} from (
    select f.* from (select %(agent_id)s::text union select '') as s (agent_id) cross join lateral (
        select t.* from tasks t
        where t.tenant_id = %(tenant_id)s and t.agent_id = s.agent_id and t.status <= 3
        order by t.updated_at desc, t.task_id desc limit %(size)s
    ) f
) t
order by t.updated_at desc, t.task_id desc limit %(size)s

-- name: decisions
-- Those in force, the latest made first.
select {{decision_columns}} from (
    select f.* from (select %(agent_id)s::text union select '') as s (agent_id) cross join lateral (
        select d.* from decisions d
        where d.tenant_id = %(tenant_id)s and d.agent_id = s.agent_id and d.status = 1
        order by d.created_at desc, d.decision_id desc limit %(size)s
    ) f
) d
order by d.created_at desc, d.decision_id desc limit %(size)s

-- name: handoffs
-- Unexpired ones of this conversation or of any, the latest first.
select {{handoff_columns}} from handoffs h
where h.tenant_id = %(tenant_id)s and h.agent_id = %(agent_id)s and h.session_id in (%(session_id)s, '')
    and h.expires_at > %(now)s
order by h.created_at desc, h.handoff_id desc limit %(size)s

-- name: recent_events
-- The last of the conversation, up to so many bytes, the latest first.
select {{event_columns}} from (
    select e.*, sum(e.content_bytes) over (order by e.revision desc, e.place desc) - e.content_bytes as bytes_behind
    from (
        select e.* from events e where {{event_in_scope}} and e.session_id = %(session_id)s
        order by e.revision desc, e.place desc limit %(size)s
    ) e
) e where e.bytes_behind < %(bytes)s
order by e.revision desc, e.place desc

-- name: earlier_events
-- The last messages of other conversations among the last 500 events, the latest first.
select {{event_columns}} from (
    select e.* from events e where {{event_in_scope}} order by e.event_id desc limit 500
) e
where e.session_id <> %(session_id)s and e.kind = 1
order by e.event_id desc limit %(size)s

-- name: unasked
-- Memories that are shown whatever the query: pinned memories and those with the tag `pinned`, instructions, and some preferences, unless they come from
-- the web or a tool; and what happened last.
select {{memory_columns}}, {{no_access_columns}}, {{encrypted_columns}} from (
    select f.* from (select %(agent_id)s::text union select '') as s (agent_id) cross join lateral (
        (
            select m.* from memories m where {{unasked}} and {{is_pinned}}
            order by m.importance desc, m.memory_id desc limit %(pinned)s
        )
        union all (
            select m.* from memories m
            where {{unasked}} and m.kind = 7 and not {{is_pinned}} and m.trust_level not in (10, 20)
            order by m.importance desc, m.memory_id desc limit %(pinned)s
        )
        union all (
            select m.* from memories m
            where {{unasked}} and m.kind = 2 and not {{is_pinned}} and m.trust_level not in (10, 20)
            order by m.importance desc, m.memory_id desc limit %(preferences)s
        )
        union all (
            select m.* from memories m
            where {{unasked}} and m.occurred_at > %(since)s and m.occurred_at <= %(now)s
            order by m.occurred_at desc, m.memory_id desc limit %(recent)s
        )
    ) f
) m

-- fragment: unasked
m.tenant_id = %(tenant_id)s and m.agent_id = s.agent_id and {{is_memory}} and not m.archived
and (m.expires_at is null or m.expires_at > %(now)s) and {{is_true}}

-- name: slots
-- Those with content that are indexed and have not expired, the newest first, then the most important, then those with the most of the tags, then
-- the last written.
select s.slot_id, s.agent_id, s.path, s.version, s.kind, s.sensitivity, s.type, s.expired_at, s.updated_at, v.trust_level,
    v.details->'fields'->>'summary' as summary, v.key_id, v.sealed_details
from (
    select f.* from (select %(agent_id)s::text union select '') as a (agent_id) cross join lateral (
        select s.*, case when s.tags && %(tags)s::text[] then {{matching_tags}} else 0 end as matching from slots s
        where s.tenant_id = %(tenant_id)s and s.agent_id = a.agent_id and s.kind is not null and not s.unindexed
            and s.sensitivity = any(%(sensitivities)s::smallint[])
            and (not %(is_public)s::boolean or s.kind <> %(private_kind)s::smallint)
            and (s.expired_at is null or s.expired_at >= %(now)s)
        order by s.updated_at desc, s.importance desc, matching desc, s.revision desc, s.path limit %(size)s
    ) f
    order by f.updated_at desc, f.importance desc, f.matching desc, f.revision desc, f.path, f.agent_id limit %(size)s
) s
join slot_versions v
    on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.slot_id = s.slot_id and v.version = s.version
order by s.updated_at desc, s.importance desc, s.matching desc, s.revision desc, s.path, s.agent_id

-- fragment: matching_tags
(select count(*) from unnest(s.tags) t where t = any(%(tags)s::text[]))
