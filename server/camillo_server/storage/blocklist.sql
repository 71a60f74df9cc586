-- name: blocked_fingerprints
-- Which of these, 32 bytes each, are of forgotten values: of the scope, or of the tenant's shared scope.
select b.mark, b.receipt_id from value_blocks b
where b.tenant_id = %(tenant_id)s and b.agent_id in (%(agent_id)s, '') and b.mark = any (array(
    select substring(%(fingerprints)b::bytea from 32 * n + 1 for 32)
    from generate_series(0, length(%(fingerprints)b::bytea) / 32 - 1) n
))

-- name: has_blocks
-- Whether any value was forgotten in a scope, or in the tenant's shared one.
select exists (select from value_blocks b where b.tenant_id = %(tenant_id)s and b.agent_id in (%(agent_id)s, ''))

-- name: block
insert into value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at)
select %(tenant_id)s, %(agent_id)s, n.mark, %(receipt_id)s, %(now)s from unnest(%(fingerprints)s::bytea[]) as n (mark)
on conflict on constraint value_blocks_pkey do update
set receipt_id = excluded.receipt_id, blocked_at = excluded.blocked_at

-- name: lift_value
delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and mark = any(%(fingerprints)s::bytea[])

-- name: lift_receipt
delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and receipt_id = %(receipt_id)s
