-- name: find_request
-- What was answered when this request came before.
select content_digest, facts, revision, created_at from requests
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and request_id = %(request_id)s

-- name: drop_old_request
-- A request id may be used again after its lifetime.
delete from requests
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and request_id = %(request_id)s and created_at < %(before)s

-- name: purge_requests
-- Forgets the requests of a tenant that are past their lifetime.
delete from requests where tenant_id = %(tenant_id)s and created_at < %(before)s

-- name: keep_request
-- Remembers the answer of a mutation, where its request has an id, and enters the mutation in the audit trail.
with next as (select %(revision)s::bigint - 1 as before), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, %(agent_id)s, %(request_id)s, %(content_digest)s, %(facts)s, %(revision)s, %(now)s
    where %(request_id)s::text is not null
)
{{insert_audit}}
