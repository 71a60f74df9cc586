-- name: blocked_marks
-- Which of these, 32 bytes each, are of forgotten values: of the scope, or of the tenant's shared scope.
select b.mark, b.receipt_id from value_blocks b
where b.tenant_id = %(tenant_id)s and b.agent_id in (%(agent_id)s, '') and b.mark = any (array(
    select substring(%(marks)b::bytea from 32 * n + 1 for 32)
    from generate_series(0, length(%(marks)b::bytea) / 32 - 1) n
))

-- name: has_blocks
-- Whether any value was forgotten in a scope, or in the tenant's shared one.
select exists (select from value_blocks b where b.tenant_id = %(tenant_id)s and b.agent_id in (%(agent_id)s, ''))

-- name: block
with plain as (
    delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and mark = any(%(plain)s::bytea[])
        and %(is_keyed)s and not is_keyed
)
insert into value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at, is_keyed)
select %(tenant_id)s, %(agent_id)s, n.mark, %(receipt_id)s, %(now)s, %(is_keyed)s
from unnest(%(marks)s::bytea[]) as n (mark)
on conflict on constraint value_blocks_pkey do update
set receipt_id = excluded.receipt_id, blocked_at = excluded.blocked_at

-- name: plain_marks
-- Marks that were made without a key.
select distinct mark from value_blocks where tenant_id = %(tenant_id)s and not is_keyed

-- name: key_marks
-- Takes the keyed marks in their place; one that is there already stays.
with plain as (
    delete from value_blocks b using unnest(%(plain)s::bytea[], %(keyed)s::bytea[]) as n (plain, keyed)
    where b.tenant_id = %(tenant_id)s and b.mark = n.plain and not b.is_keyed
    returning b.tenant_id, b.agent_id, n.keyed, b.receipt_id, b.blocked_at
)
insert into value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at, is_keyed)
select tenant_id, agent_id, keyed, receipt_id, blocked_at, true from plain
on conflict on constraint value_blocks_pkey do nothing

-- name: lift_value
delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and mark = any(%(marks)s::bytea[])

-- name: lift_receipt
delete from value_blocks where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and receipt_id = %(receipt_id)s
