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
