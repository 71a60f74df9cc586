-- name: page
-- Entries that pass a filter, the last committed first, behind a cursor.
select {{entry_columns}} from audit_entries e {{join_action}}
where {{entry_passes}}
    and (e.transaction_id, e.agent_id, e.position) < (%(transaction_id)s::text::xid8, %(agent_id)s::text, %(position)s::bigint)
order by e.transaction_id desc, e.agent_id desc, e.position desc limit %(size)s

-- name: changes
-- Entries that pass a filter behind a cursor and before a horizon, in the order of their commits.
select {{entry_columns}} from audit_entries e {{join_action}}
where {{entry_passes}} and e.transaction_id < %(horizon)s::text::xid8
    and (e.transaction_id, e.agent_id, e.position) > (%(transaction_id)s::text::xid8, %(agent_id)s::text, %(position)s::bigint)
order by e.transaction_id, e.agent_id, e.position limit %(size)s

-- name: horizon
-- The oldest transaction that still runs, as entries count them: of those before it none comes later.
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint + audit_offset from database_identity

-- name: chains
-- The chains of a tenant; of what has entries and no chain, one that has none.
select agent_id, position, hash, pruned_position, pruned_hash from audit_chains where tenant_id = %(tenant_id)s
union all
select distinct e.agent_id, 0::bigint, ''::bytea, 0::bigint, ''::bytea from audit_entries e
where e.tenant_id = %(tenant_id)s and not exists (
    select from audit_chains c where c.tenant_id = e.tenant_id and c.agent_id = e.agent_id)
order by 1

-- name: of_chain
-- Entries of a chain behind one, in the order of their positions; of several at one place all.
select {{entry_columns}} from audit_entries e {{join_action}}
where e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s and (e.position, e.at) > (%(position)s, %(at)s::timestamptz)
order by e.position, e.at limit %(size)s

-- fragment: entry_columns
e.agent_id, e.position, e.at, e.transaction_id::text::bigint as transaction_id, e.revision, e.method, e.credential,
e.facts::text as facts, e.action_id, e.action_digest, e.hash, a.sensitivity, a.session_id, a.occurred_at, a.salt, a.key_id,
a.details, a.sealed_details

-- fragment: join_action
left join actions a on a.tenant_id = e.tenant_id and a.agent_id = e.agent_id and a.action_id = e.action_id

-- fragment: entry_passes
e.tenant_id = %(tenant_id)s
and (%(of_agent_id)s::text is null or e.agent_id = %(of_agent_id)s)
and (%(method)s::text is null or e.method = %(method)s)
and (%(service)s::text is null or starts_with(e.method, %(service)s))
and (%(credential)s::text is null or e.credential = %(credential)s)
and (%(id)s::text is null or strpos(e.facts::text, %(id)s) > 0)
and (%(at_from)s::timestamptz is null or e.at >= %(at_from)s)
and (%(at_before)s::timestamptz is null or e.at < %(at_before)s)

-- name: policy
select retention_days, audit_reads from audit_policies where tenant_id = %(tenant_id)s

-- name: set_policy
insert into audit_policies (tenant_id, retention_days, audit_reads)
values (%(tenant_id)s, %(retention_days)s, %(audit_reads)s)
on conflict (tenant_id) do update set retention_days = excluded.retention_days, audit_reads = excluded.audit_reads

-- name: chains_to_prune
-- The chains whose oldest entry is of before a moment, in the order in which they are locked: the shared scope's last.
select c.agent_id from audit_chains c cross join lateral (
    select e.at from audit_entries e
    where e.tenant_id = c.tenant_id and e.agent_id = c.agent_id and e.position > c.pruned_position
    order by e.position limit 1
) oldest
where c.tenant_id = %(tenant_id)s and oldest.at < %(before)s order by 1 desc

-- name: prune
-- By the tenant's policy, which the function reads itself.
select prune_audit_entries(%(chains)s::text[], %(now)s, %(most)s)

-- name: keep_partitions
select keep_audit_partitions()

-- name: enter_every_agent
-- Until the transaction ends.
select set_config('camillo.agent', '*', true)

-- name: insert_action
insert into actions (
    tenant_id, agent_id, action_id, revision, sensitivity, session_id, occurred_at, salt, key_id, details, sealed_details,
    acting_agent_id)
values (%(tenant_id)s, %(agent_id)s, %(action_id)s, %(revision)s, %(sensitivity)s, %(session_id)s, %(occurred_at)s, %(salt)s,
    %(key_id)s, %(details)s, %(sealed_details)s, %(acting_agent_id)s)

-- name: page_of_actions
-- So many actions of a scope behind an id, in the order of their ids.
select agent_id, action_id, sensitivity, session_id, occurred_at, salt, key_id, details, sealed_details, acting_agent_id
from actions
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and action_id > %(after_id)s
order by action_id limit %(size)s
