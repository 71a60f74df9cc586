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

-- name: enter
-- An entry of its own, at a revision of the scope, or at none.
with next as (select %(revision)s::bigint - 1 as before)
{{insert_audit}}

-- name: enter_all
-- Entries of several scopes of a tenant, at no revision; those of an agent that has stored nothing are in the shared scope, which
-- is locked last, as by who prunes.
insert into audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)
select %(tenant_id)s, coalesce(s.agent_id, ''), t.at, 0, t.method, t.credential, t.facts
from json_to_recordset(%(audits)s::json) as t (
    write integer, agent_id text, at timestamptz, method text, credential text, facts json)
left join scopes s on s.tenant_id = %(tenant_id)s and s.agent_id = t.agent_id and s.deleted_at is null
order by 2 desc, t.write

-- name: tenants_with_audited_reads
select tenants_with_audited_reads()
