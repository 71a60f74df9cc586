-- name: keep
-- A forgetting in all scopes keeps that of the shared one twice: when it blocks values there, and when it removes records.
insert into receipts (tenant_id, agent_id, receipt_id, cause, at, stores, blocked_values)
values (%(tenant_id)s, %(agent_id)s, %(receipt_id)s, %(cause)s, %(at)s, %(stores)s, %(blocked_values)s)
on conflict on constraint receipts_pkey do update set stores = excluded.stores

-- name: page
-- Newest first, behind a cursor.
select r.receipt_id, r.cause, r.stores, r.blocked_values, r.at from receipts r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s
    and (%(after_at)s::timestamptz is null or (r.at, r.receipt_id) < (%(after_at)s, %(after_id)s::uuid))
order by r.at desc, r.receipt_id desc limit %(size)s

-- name: find
select r.receipt_id from receipts r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.receipt_id = %(receipt_id)s

-- name: keep_refusals
-- Keeps refusals of a scope, and of all its refusals the newest ones.
with new as (
    insert into value_refusals (tenant_id, agent_id, refusal_id, at, method, field, receipt_id)
    select s.tenant_id, s.agent_id, n.refusal_id, %(now)s, %(method)s, n.field, n.receipt_id
    from scopes s cross join unnest(%(refusal_ids)s::uuid[], %(fields)s::text[], %(receipt_ids)s::uuid[])
        as n (refusal_id, field, receipt_id)
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
)
delete from value_refusals r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.refusal_id <= (
    select o.refusal_id from value_refusals o where o.tenant_id = %(tenant_id)s and o.agent_id = %(agent_id)s
    order by o.refusal_id desc offset %(kept)s limit 1)

-- name: page_refusals
-- Newest first, behind an id.
select r.refusal_id, r.at, r.method, r.field, r.receipt_id from value_refusals r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.refusal_id < %(after_id)s
order by r.refusal_id desc limit %(size)s
