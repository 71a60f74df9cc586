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

-- name: trust_of_sources
-- The level of each of these memories, chunks or slots; of each event its actor's type and whether that is verified.
select w.source_id, m.trust_level, 0, 0 from unnest(%(source_ids)s::uuid[]) as w (source_id)
cross join unnest(array[%(agent_id)s, '']) as s (agent_id) cross join lateral (
    select * from memories m
    where m.tenant_id = %(tenant_id)s and m.agent_id = s.agent_id and m.memory_id = w.source_id offset 0
) m
union all
select w.source_id, null, e.actor_type, e.trust from unnest(%(source_ids)s::uuid[]) as w (source_id)
cross join unnest(array[%(agent_id)s, '']) as s (agent_id) cross join lateral (
    select * from events e
    where e.tenant_id = %(tenant_id)s and e.agent_id = s.agent_id and e.event_id = w.source_id offset 0
) e
union all
select w.source_id, v.trust_level, 0, 0 from unnest(%(source_ids)s::uuid[]) as w (source_id)
cross join unnest(array[%(agent_id)s, '']) as s (agent_id) cross join lateral (
    select v.trust_level from slots l join slot_versions v
        on v.tenant_id = l.tenant_id and v.agent_id = l.agent_id and v.slot_id = l.slot_id and v.version = l.version
    where l.tenant_id = %(tenant_id)s and l.agent_id = s.agent_id and l.slot_id = w.source_id offset 0
) v
