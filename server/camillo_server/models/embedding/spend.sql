-- What tenants spend on vectors.

-- name: lock_budget
-- Whoever else sets money aside for this tenant waits until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('embedding_spend/' || %(tenant_id)s, 0));

-- name: reserve
-- Adds the amount to the day if the period's sum stays within the limit; no row where it would not.
insert into embedding_spend (tenant_id, day, model_id, nano_usd, tokens)
select %(tenant_id)s, %(day)s, %(model_id)s, %(nano_usd)s, 0
where %(nano_usd)s + (
    select coalesce(sum(nano_usd), 0)
    from embedding_spend
    where tenant_id = %(tenant_id)s and day >= %(first_day)s and day <= %(day)s
) <= %(limit_nano_usd)s
on conflict on constraint embedding_spend_pkey
do update set nano_usd = embedding_spend.nano_usd + excluded.nano_usd
returning nano_usd;

-- name: settle
-- Puts what was spent in the place of what was set aside.
insert into embedding_spend as spend (tenant_id, day, model_id, nano_usd, tokens)
values (%(tenant_id)s, %(day)s, %(model_id)s, %(change)s, %(tokens)s)
on conflict on constraint embedding_spend_pkey
do update set nano_usd = spend.nano_usd + excluded.nano_usd, tokens = spend.tokens + excluded.tokens;
