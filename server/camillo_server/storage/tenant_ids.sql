-- name: open_tenant_list
select set_config('camillo.tenant_list', 'on', true)

-- name: tenant_ids
select tenant_id from tenants order by tenant_id

-- name: scopes_with_memories
-- Chunks alone make none.
select agent_id from scopes where tenant_id = %(tenant_id)s and memory_count > chunk_count order by agent_id
