-- name: existing_proposals
select p.proposal_id::text from proposals p
where p.tenant_id = %(tenant_id)s and p.agent_id = %(agent_id)s and p.proposal_id = any(%(ids)s::text[]::uuid[])

-- name: citing_proposals
-- Proposals that quote one of these records, or became one, and those that wait to supersede or to confirm one.
select p.proposal_id from proposals p
where p.tenant_id = %(tenant_id)s and p.agent_id = %(agent_id)s and (
    p.result_id::text = any(%(refs)s::text[]) or (p.state = 1 and p.memory_id::text = any(%(refs)s::text[]))
    or exists (select from unnest(p.event_ids) as n (event_id) where n.event_id::text = any(%(refs)s::text[])))

-- name: delete_proposals
delete from proposals
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and proposal_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_proposals
select p.proposal_id, p.agent_id, p.proposal_id::text as row_id, p.details, p.key_id, p.sealed_details,
    array[]::text[] as texts, p.sensitivity
from proposals p
where p.tenant_id = %(tenant_id)s and p.agent_id = %(agent_id)s
    and (%(ids)s::text[] is null or p.proposal_id = any(%(ids)s::text[]::uuid[]))

-- name: existing_distillation_answers
select a.answer_id::text from distillation_answers a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.answer_id = any(%(ids)s::text[]::uuid[])

-- name: citing_distillation_answers
-- Answers about one of these events or memories.
select a.answer_id from distillation_answers a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s
    and exists (select from unnest(a.event_ids || a.memory_ids) as n (id) where n.id::text = any(%(refs)s::text[]))

-- name: delete_distillation_answers
delete from distillation_answers
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and answer_id = any(%(ids)s::text[]::uuid[])

-- name: texts_of_distillation_answers
select a.answer_id, a.agent_id, a.answer_id::text as row_id, a.details, a.key_id, a.sealed_details,
    array[]::text[] as texts, a.sensitivity
from distillation_answers a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s
    and (%(ids)s::text[] is null or a.answer_id = any(%(ids)s::text[]::uuid[]))
