-- fragment: proposal_columns
p.proposal_id, p.distillation_id, p.place, p.state, p.operation, p.record_type, p.kind, p.sensitivity, p.trust_level,
p.confidence, p.memory_id, p.memory_version, p.result_id, p.is_new, p.edited, p.reviewer, p.credential, p.occurred_at,
p.valid_from, p.valid_until, p.created_at, p.reviewed_at, p.key_id, p.details, p.sealed_details

-- fragment: of_scope
p.tenant_id = %(tenant_id)s and p.agent_id = %(agent_id)s

-- name: keep
insert into proposals (
    tenant_id, agent_id, proposal_id, distillation_id, place, state, operation, record_type, kind, sensitivity, trust_level,
    confidence, event_ids, memory_id, memory_version, is_new, edited, reviewer, credential, occurred_at, valid_from,
    valid_until, created_at, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(proposal_id)s, %(distillation_id)s, %(place)s, %(state)s, %(operation)s,
    %(record_type)s, %(kind)s, %(sensitivity)s, %(trust_level)s, %(confidence)s, %(event_ids)s, %(memory_id)s,
    %(memory_version)s, false, false, '', '', %(occurred_at)s, %(valid_from)s, %(valid_until)s, %(created_at)s, %(key_id)s,
    %(details)s, %(sealed_details)s)

-- name: get
select {{proposal_columns}} from proposals p
where {{of_scope}} and p.proposal_id = any(%(proposal_ids)s::uuid[])

-- name: lock
-- Proposals in the order of what was said, locked until the transaction ends.
select {{proposal_columns}} from proposals p
where {{of_scope}} and p.proposal_id = any(%(proposal_ids)s::uuid[]) order by p.created_at, p.place for update

-- name: of_distillation
select {{proposal_columns}} from proposals p
where {{of_scope}} and p.distillation_id = %(distillation_id)s order by p.place for update

-- name: page
-- Newest first, behind a cursor.
select {{proposal_columns}} from proposals p
where {{of_scope}} and (%(state)s::smallint is null or p.state = %(state)s)
    and (%(distillation_id)s::uuid is null or p.distillation_id = %(distillation_id)s)
    and (%(proposal_ids)s::uuid[] is null or p.proposal_id = any(%(proposal_ids)s))
    and (%(after_at)s::timestamptz is null or (p.created_at, p.proposal_id) < (%(after_at)s, %(after_id)s::uuid))
order by p.created_at desc, p.proposal_id desc limit %(size)s

-- name: pending
-- The oldest that wait, of distillations that nobody has reverted.
select {{proposal_columns}} from proposals p
where {{of_scope}} and p.state = 1 order by p.created_at, p.place limit %(size)s

-- name: set_state
update proposals p set
    state = n.state, result_id = coalesce(n.result_id, p.result_id), is_new = coalesce(n.is_new, p.is_new),
    reviewer = %(reviewer)s, credential = %(credential)s, reviewed_at = %(now)s
from unnest(%(proposal_ids)s::uuid[], %(states)s::smallint[], %(result_ids)s::uuid[], %(are_new)s::boolean[])
    as n (proposal_id, state, result_id, is_new)
where {{of_scope}} and p.proposal_id = n.proposal_id

-- name: edit
update proposals p set
    edited = true, reviewer = %(reviewer)s, credential = %(credential)s, key_id = %(key_id)s, details = %(details)s,
    sealed_details = %(sealed_details)s
where {{of_scope}} and p.proposal_id = %(proposal_id)s

-- name: changed
-- Those of these decisions and tasks that are not as they were recorded.
select d.decision_id::text from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = any(%(ids)s::text[]::uuid[])
    and d.version <> 1
union all
select t.task_id::text from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s and t.task_id = any(%(ids)s::text[]::uuid[])
    and t.version <> 1
