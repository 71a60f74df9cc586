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
