-- name: counts
-- What a tenant has of each thing that is bounded, and its own bounds.
select
    (select coalesce(sum(s.memory_count - s.chunk_count), 0)::bigint from scopes s where s.tenant_id = %(tenant_id)s) as memories,
    (select count(*) from events e where e.tenant_id = %(tenant_id)s) as events,
    (select count(*) from scopes s where s.tenant_id = %(tenant_id)s and s.deleted_at is null and s.agent_id <> '') as agents,
    (select count(*) from api_keys k where k.tenant_id = %(tenant_id)s and k.revoked_at is null) as keys,
    (select count(*) from tasks t where t.tenant_id = %(tenant_id)s) as tasks,
    (select count(*) from handoffs h where h.tenant_id = %(tenant_id)s) as handoffs,
    (select count(*) from runs r where r.tenant_id = %(tenant_id)s) as runs,
    (select count(*) from slot_versions v where v.tenant_id = %(tenant_id)s) as slot_versions,
    (select count(*) from documents d where d.tenant_id = %(tenant_id)s) as documents,
    (select coalesce(sum(s.memory_bytes), 0)::bigint from scopes s where s.tenant_id = %(tenant_id)s)
        + (select coalesce(sum(e.content_bytes), 0)::bigint from events e where e.tenant_id = %(tenant_id)s)
        + (select coalesce(sum(v.content_bytes), 0)::bigint from slot_versions v where v.tenant_id = %(tenant_id)s)
        + (select coalesce(sum(k.content_bytes), 0)::bigint from skill_versions k where k.tenant_id = %(tenant_id)s)
        + (select coalesce(sum(v.text_bytes), 0)::bigint from document_versions v where v.tenant_id = %(tenant_id)s)
        + (select coalesce(sum(c.stored_bytes), 0)::bigint from contents c where c.tenant_id = %(tenant_id)s) as bytes,
    (select t.quotas from tenants t where t.tenant_id = %(tenant_id)s) as own

-- name: has_agent
select 1 from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.deleted_at is null
