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
