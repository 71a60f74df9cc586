-- name: citing_decisions
-- Decisions that rest on one of these records.
select d.decision_id from decisions d where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s
    and exists (select from unnest(d.refs) as n (ref) where lower(n.ref) = any(%(refs)s::text[]))

-- name: existing_decisions
select d.decision_id::text from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = any(%(ids)s::text[]::uuid[])

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

-- name: texts_of_decisions
select d.decision_id, d.agent_id, d.decision_id::text as row_id, d.details, d.key_id, d.sealed_details,
    d.session_id || d.tags || d.refs as texts, d.sensitivity
from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.revision > %(since)s
    and (%(ids)s::text[] is null or d.decision_id = any(%(ids)s::text[]::uuid[]))
