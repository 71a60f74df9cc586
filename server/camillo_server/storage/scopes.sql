-- name: next_revision
-- Locks the scope for writing: later writers of the scope wait until this transaction ends.
{{next_revision}}

-- name: scope_revision
-- The revision of the latest write, or 0.
{{scope_revision}}

-- name: tenant_ids
select tenant_id from all_tenants() order by tenant_id

-- name: scopes_with_memories
-- Chunks alone make none.
select agent_id from scopes where tenant_id = %(tenant_id)s and memory_count > chunk_count order by agent_id
