-- Tokens and prices by day, space, operation, model and door.

-- name: add_context
-- Adds tokens of context that were handed out.
insert into token_usage as usage (
    tenant_id, day, agent_id, operation, model_id, door, requests, input_tokens, output_tokens, nano_usd
)
select %(tenant_id)s, %(day)s, each.agent_id, each.operation, '', each.door, each.requests, each.tokens, 0, 0
from unnest(
    %(agent_ids)s::text[], %(operations)s::text[], %(doors)s::text[], %(requests)s::bigint[], %(tokens)s::bigint[]
) as each (agent_id, operation, door, requests, tokens)
-- A tenant may have been deleted since.
where exists (select from tenants t where t.tenant_id = %(tenant_id)s)
order by each.agent_id, each.operation, each.door
on conflict on constraint token_usage_pkey do update set
    requests = usage.requests + excluded.requests,
    input_tokens = usage.input_tokens + excluded.input_tokens;

-- name: sums
-- One sum for each value of what is grouped by; what is not is its least value. Behind the last one of the page before.
with sums as (
    select case when %(by_day)s then u.day else date '0001-01-01' end as day,
        case when %(by_space)s then u.agent_id else '' end as agent_id,
        case when %(by_operation)s then u.operation else '' end as operation,
        case when %(by_model)s then u.model_id else '' end as model_id,
        case when %(by_door)s then u.door else '' end as door,
        sum(u.requests)::bigint as requests, sum(u.input_tokens)::bigint as input_tokens,
        sum(u.output_tokens)::bigint as output_tokens, sum(u.nano_usd)::bigint as nano_usd
    from token_usage u
    where u.tenant_id = %(tenant_id)s
        and (%(agent_id)s::text is null or u.agent_id = %(agent_id)s)
        and u.day between %(since)s and %(until)s
        and (%(operation)s = '' or u.operation = %(operation)s)
        and (%(model_id)s = '' or u.model_id = %(model_id)s)
    group by 1, 2, 3, 4, 5
)
select s.day, s.agent_id, s.operation, s.model_id, s.door, s.requests, s.input_tokens, s.output_tokens, s.nano_usd
from sums s
where %(after_day)s::date is null
    or (s.day, s.agent_id, s.operation, s.model_id, s.door)
        > (%(after_day)s, %(after_agent_id)s, %(after_operation)s, %(after_model_id)s, %(after_door)s)
order by 1, 2, 3, 4, 5 limit %(size)s;

-- fragment: fold_gone
insert into token_usage as usage (
    tenant_id, day, agent_id, operation, model_id, door, requests, input_tokens, output_tokens, nano_usd
)
select %(tenant_id)s, g.day, '*', g.operation, g.model_id, g.door, sum(g.requests), sum(g.input_tokens),
    sum(g.output_tokens), sum(g.nano_usd)
from gone g group by g.day, g.operation, g.model_id, g.door order by g.day, g.operation, g.model_id, g.door
on conflict on constraint token_usage_pkey do update set
    requests = usage.requests + excluded.requests,
    input_tokens = usage.input_tokens + excluded.input_tokens,
    output_tokens = usage.output_tokens + excluded.output_tokens,
    nano_usd = usage.nano_usd + excluded.nano_usd

-- name: fold_space
-- Adds what a space has used to the sums of the whole tenant, which name none.
with gone as (
    delete from token_usage where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
    returning day, operation, model_id, door, requests, input_tokens, output_tokens, nano_usd
)
{{fold_gone}};

-- name: crowded_days
-- Days that are over on which more spaces have rows than are kept apart.
select u.day from token_usage u
where u.tenant_id = %(tenant_id)s and u.day >= %(since)s and u.day < %(today)s and u.agent_id <> '*'
group by u.day having count(distinct u.agent_id) > %(spaces)s order by 1;

-- name: fold_day
-- Keeps the spaces that used most of a day that is over, the costliest first, and adds the others to the sums of the whole
-- tenant.
with others as (
    select u.agent_id from token_usage u
    where u.tenant_id = %(tenant_id)s and u.day = %(day)s and u.agent_id <> '*'
    group by u.agent_id order by sum(u.nano_usd) desc, sum(u.input_tokens + u.output_tokens) desc, u.agent_id
    offset %(spaces)s
), gone as (
    delete from token_usage u using others o
    where u.tenant_id = %(tenant_id)s and u.day = %(day)s and u.agent_id = o.agent_id
    returning u.day, u.operation, u.model_id, u.door, u.requests, u.input_tokens, u.output_tokens, u.nano_usd
)
{{fold_gone}};

-- name: remove_old
delete from token_usage where tenant_id = %(tenant_id)s and day < %(day)s;
