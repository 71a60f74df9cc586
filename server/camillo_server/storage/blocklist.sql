-- name: blocked_fingerprints
-- Which of these may not be stated in a scope: what was forgotten there, or in the tenant's shared scope.
select distinct b.mark from value_blocks b
where b.tenant_id = %(tenant_id)s and b.agent_id in (%(agent_id)s, '') and b.mark = any(%(marks)s::bytea[])

-- name: has_blocks
-- Whether there is anything that may not be stated in a scope.
select exists (select from value_blocks b where b.tenant_id = %(tenant_id)s and b.agent_id in (%(agent_id)s, ''))

-- name: block
insert into value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at)
select %(tenant_id)s, %(agent_id)s, n.mark, %(receipt_id)s, %(now)s from unnest(%(marks)s::bytea[]) as n (mark)
on conflict on constraint value_blocks_pkey do update
set receipt_id = excluded.receipt_id, blocked_at = excluded.blocked_at

-- name: lift_mark
delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and mark = %(mark)s

-- name: lift_receipt
delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and receipt_id = %(receipt_id)s
