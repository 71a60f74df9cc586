-- name: open_key
select set_config('camillo.key_digest', %(secret_digest)s, true)

-- name: tenants
select tenant_id, display_name, created_at from all_tenants()
where tenant_id > %(after)s order by tenant_id limit %(size)s

-- name: all_tenants
select tenant_id from all_tenants()

-- name: create_tenant
insert into tenants (tenant_id, display_name, created_at) values (%(tenant_id)s, %(display_name)s, %(now)s)
on conflict on constraint tenants_pkey do nothing returning tenant_id

-- name: find_tenant
select tenant_id, display_name, created_at from tenants where tenant_id = %(tenant_id)s

-- name: set_quotas
-- Bounds that are given, beside those that stay; the others are the server's.
update tenants set quotas = quotas - %(reset)s::text[] || %(limits)s::jsonb where tenant_id = %(tenant_id)s

-- name: scopes_of_tenant
select agent_id from scopes where tenant_id = %(tenant_id)s

-- name: delete_tenant
delete from tenants where tenant_id = %(tenant_id)s

-- name: count_memories
-- Without chunks.
select coalesce(sum(memory_count - chunk_count), 0)::bigint from scopes
where tenant_id = %(tenant_id)s and (%(agent_id)s::text is null or agent_id = %(agent_id)s)

-- name: create_agent
insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
values (%(tenant_id)s, %(agent_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint, 0, 0, %(display_name)s, %(now)s)
on conflict on constraint scopes_pkey do update
set deleted_at = null, display_name = excluded.display_name, created_at = excluded.created_at
where s.deleted_at is not null
returning agent_id

-- name: find_agent
select from scopes where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and deleted_at is null

-- name: delete_agent
-- The revision at which its memories go. Their tombstones stay: those who follow it learn of it as of any forgetting.
update scopes set revision = revision + 1, memory_count = 0, chunk_count = 0, term_count = 0, display_name = '', deleted_at = %(now)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and deleted_at is null
returning revision

-- name: delete_agent_requests
delete from requests where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: revoke_agent_keys
update api_keys set revoked_at = %(now)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and revoked_at is null

-- name: find_key_by_digest
select tenant_id, key_id, agent_id, role, description, created_at, expires_at, revoked_at, created_by, channel, max_sensitivity,
    actors, document_categories, spaces from api_keys
where secret_digest = decode(%(secret_digest)s, 'hex')

-- name: find_key
select tenant_id, key_id, agent_id, role, description, created_at, expires_at, revoked_at, created_by, channel, max_sensitivity,
    actors, document_categories, spaces from api_keys
where tenant_id = %(tenant_id)s and key_id = %(key_id)s

-- name: create_key
insert into api_keys (tenant_id, key_id, agent_id, secret_digest, role, description, created_at, expires_at, created_by,
    channel, max_sensitivity, actors, document_categories, spaces)
values (%(tenant_id)s, %(key_id)s, %(agent_id)s, %(secret_digest)s, %(role)s, %(description)s, %(now)s, %(expires_at)s,
    %(created_by)s, %(channel)s, %(max_sensitivity)s, %(actors)s, %(document_categories)s, %(spaces)s)

-- name: keys
select tenant_id, key_id, agent_id, role, description, created_at, expires_at, revoked_at, created_by, channel, max_sensitivity,
    actors, document_categories, spaces from api_keys
where tenant_id = %(tenant_id)s
    and (%(after_at)s::timestamptz is null or (created_at, key_id) < (%(after_at)s, %(after_id)s))
order by created_at desc, key_id desc limit %(size)s

-- name: revoke_key
update api_keys set revoked_at = coalesce(revoked_at, %(now)s)
where tenant_id = %(tenant_id)s and key_id = %(key_id)s
returning tenant_id, key_id, agent_id, role, description, created_at, expires_at, revoked_at, created_by, channel, max_sensitivity,
    actors, document_categories, spaces

-- name: created_keys
select key_id from api_keys where tenant_id = %(tenant_id)s and created_by = any(%(makers)s)

-- name: revoke_keys
update api_keys set revoked_at = %(now)s
where tenant_id = %(tenant_id)s and key_id = any(%(key_ids)s) and revoked_at is null
returning key_id

-- name: signing_secrets
select array(
    select secret from key_secrets order by (created_at <= %(used_before)s) desc, created_at desc
), has_unsigned_keys from database_identity

-- name: enter_tenant
-- For the rest of the transaction: administration works in another tenant than the caller's.
select set_config('camillo.tenant', %(tenant_id)s, true)
