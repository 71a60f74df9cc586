-- name: existing
-- Which of these ids name something in the scope or in the tenant's shared scope.
select e.event_id::text from events e
where e.tenant_id = %(tenant_id)s and e.agent_id in (%(agent_id)s, '') and e.event_id = any(%(ids)s::uuid[])
union all
select m.memory_id::text from memories m
where m.tenant_id = %(tenant_id)s and m.agent_id in (%(agent_id)s, '') and m.memory_id = any(%(ids)s::uuid[])
union all
select d.decision_id::text from decisions d
where d.tenant_id = %(tenant_id)s and d.agent_id in (%(agent_id)s, '') and d.decision_id = any(%(ids)s::uuid[])
union all
select t.task_id::text from tasks t
where t.tenant_id = %(tenant_id)s and t.agent_id in (%(agent_id)s, '') and t.task_id = any(%(ids)s::uuid[])
union all
select l.slot_id::text from slots l
where l.tenant_id = %(tenant_id)s and l.agent_id in (%(agent_id)s, '') and l.slot_id = any(%(ids)s::uuid[])
union all
select a.artifact_id from artifacts a
where a.tenant_id = %(tenant_id)s and a.agent_id in (%(agent_id)s, '')
    and a.artifact_id = any(%(artifact_ids)s::text[])
