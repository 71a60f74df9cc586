-- name: policy
select policy from spool_policies where tenant_id = %(tenant_id)s

-- name: set_policy
insert into spool_policies (tenant_id, policy) values (%(tenant_id)s, %(policy)s)
on conflict (tenant_id) do update set policy = excluded.policy

-- name: policies
-- Of all tenants that have set one.
select tenant, wanted from tenants_with_spool_policies()

-- name: keep_failure
-- A write that is tried again, and fails again, has its new reason.
insert into spool_failures (
    tenant_id, agent_id, spool_id, method, request_id, content_digest, has_request_id, caller, accepted_at, byte_count, reason, message,
    failed_at, key_id, details, sealed_details
) values (
    %(tenant_id)s, %(agent_id)s, %(spool_id)s, %(method)s, %(request_id)s, %(content_digest)s, %(has_request_id)s, %(caller)s,
    %(accepted_at)s, %(byte_count)s, %(reason)s, %(message)s, %(failed_at)s, %(key_id)s, %(details)s, %(sealed_details)s
)
on conflict on constraint spool_failures_pkey do update
set reason = excluded.reason, message = excluded.message, failed_at = excluded.failed_at, key_id = excluded.key_id,
    details = excluded.details, sealed_details = excluded.sealed_details

-- name: failures
-- Behind a place in the order of acceptance.
select {{columns}} from spool_failures f
where f.tenant_id = %(tenant_id)s
    and (%(after_at)s::timestamptz is null or (f.accepted_at, f.spool_id) > (%(after_at)s, %(after_id)s))
order by f.accepted_at, f.spool_id limit %(size)s

-- name: failures_of
select {{columns}} from spool_failures f where f.tenant_id = %(tenant_id)s and f.spool_id = any(%(ids)s)

-- name: delete_failures
delete from spool_failures f where f.tenant_id = %(tenant_id)s and f.spool_id = any(%(ids)s) returning f.agent_id, f.spool_id

-- name: lock_scopes
-- A forgetting that is under way in one of them ends first, and the next one waits: what it blocks is known then.
select s.agent_id from scopes s
where s.tenant_id = %(tenant_id)s and s.agent_id in (%(agent_id)s, '') order by s.agent_id for share

-- name: kept_contents
-- Of the scope, or of every one of the tenant.
select f.agent_id, f.spool_id, f.request_id, f.details, f.key_id, f.sealed_details from spool_failures f
where f.tenant_id = %(tenant_id)s and (%(every_agent)s or f.agent_id = %(agent_id)s)
    and (f.details is not null or f.sealed_details is not null)

-- name: erase_contents
-- The id of the request is a text of its caller's, too.
update spool_failures f set request_id = '', has_request_id = false, key_id = '', details = null, sealed_details = null
where f.tenant_id = %(tenant_id)s and f.spool_id = any(%(spool_ids)s)

-- fragment: columns
f.agent_id, f.spool_id, f.method, f.request_id, f.content_digest, f.has_request_id, f.caller, f.accepted_at, f.byte_count, f.reason,
f.message, f.failed_at, f.key_id, f.details, f.sealed_details
