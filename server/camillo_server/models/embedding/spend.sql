-- What tenants spend on models.

-- name: lock_budget
-- Whoever else sets money aside for this tenant waits until the transaction ends.
select pg_advisory_xact_lock(hashtextextended('embedding_spend/' || %(tenant_id)s, 0));

-- name: spent
select coalesce(sum(nano_usd), 0), coalesce(sum(tokens), 0) from embedding_spend
where tenant_id = %(tenant_id)s and day >= %(first_day)s and day <= %(day)s;

-- name: reserve
-- Adds the amounts to the day if the period's sums stay within the limits, and tells which ones they stay within.
with spent as (
    select coalesce(sum(nano_usd), 0) as nano_usd, coalesce(sum(tokens), 0) as tokens
    from embedding_spend
    where tenant_id = %(tenant_id)s and day >= %(first_day)s and day <= %(day)s
), fits as (
    select coalesce(nano_usd + %(nano_usd)s <= %(limit_nano_usd)s::bigint, true) as is_paid,
        coalesce(tokens + %(tokens)s <= %(limit_tokens)s::bigint, true) as is_within_tokens
    from spent
), reserved as (
    insert into embedding_spend as spend (tenant_id, day, model_id, nano_usd, tokens)
    select %(tenant_id)s, %(day)s, %(model_id)s, %(nano_usd)s, %(tokens)s
    from fits where is_paid and is_within_tokens
    on conflict on constraint embedding_spend_pkey
    do update set nano_usd = spend.nano_usd + excluded.nano_usd, tokens = spend.tokens + excluded.tokens
)
select is_paid, is_within_tokens from fits;

-- name: settle
-- Puts what was spent in the place of what was set aside, and enters it for the operation and each space.
with settled as (
    insert into embedding_spend as spend (tenant_id, day, model_id, nano_usd, tokens)
    values (%(tenant_id)s, %(day)s, %(model_id)s, %(change)s, %(tokens)s)
    on conflict on constraint embedding_spend_pkey
    do update set nano_usd = spend.nano_usd + excluded.nano_usd, tokens = spend.tokens + excluded.tokens
)
insert into token_usage as usage (
    tenant_id, day, agent_id, operation, model_id, door, requests, input_tokens, output_tokens, nano_usd
)
select %(tenant_id)s, %(day)s, each.agent_id, %(operation)s, %(model_id)s, '', each.requests, each.input_tokens,
    each.output_tokens, each.nano_usd
from unnest(
    %(agent_ids)s::text[], %(requests)s::bigint[], %(input_tokens)s::bigint[], %(output_tokens)s::bigint[],
    %(nano_usd)s::bigint[]
) as each (agent_id, requests, input_tokens, output_tokens, nano_usd)
-- Always in one order: two requests of the same spaces do not wait for each other in a circle.
order by each.agent_id
on conflict on constraint token_usage_pkey do update set
    requests = usage.requests + excluded.requests,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    output_tokens = usage.output_tokens + excluded.output_tokens,
    nano_usd = usage.nano_usd + excluded.nano_usd;
