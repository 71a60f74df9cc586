-- name: put_view
insert into views (
    tenant_id, agent_id, name, sensitivity, version, updated_at, is_data, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(name)s, %(sensitivity)s, %(version)s, %(updated_at)s, %(is_data)s, %(key_id)s,
    %(details)s, %(sealed_details)s)
on conflict on constraint views_pkey do update
set sensitivity = excluded.sensitivity, version = excluded.version, updated_at = excluded.updated_at,
    is_data = excluded.is_data, key_id = excluded.key_id, details = excluded.details, sealed_details = excluded.sealed_details

-- name: lock_view
-- The version in force, locked until the transaction ends.
select version from views
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = %(name)s for update

-- name: delete_view
delete from views where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = %(name)s returning name

-- name: views
-- Those of the scope and of the shared one, by name, the scope's first.
select {{view_columns}} from views v where v.tenant_id = %(tenant_id)s and v.agent_id in (%(agent_id)s, '')
order by v.name, v.agent_id desc limit %(size)s

-- name: count_views
-- The scope's own.
select count(*) from views where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: count_recipes
-- How many the tenant has, and whether one of this name is among them.
select count(*), coalesce(bool_or(name = %(name)s), false) from recipes where tenant_id = %(tenant_id)s

-- name: put_recipe
insert into recipes (tenant_id, name, recipe, updated_at) values (%(tenant_id)s, %(name)s, %(recipe)s, %(now)s)
on conflict on constraint recipes_pkey do update set recipe = excluded.recipe, updated_at = excluded.updated_at

-- name: delete_recipe
delete from recipes where tenant_id = %(tenant_id)s and name = %(name)s returning name

-- name: recipes
select name, recipe from recipes where tenant_id = %(tenant_id)s order by name

-- name: recipe
select recipe from recipes where tenant_id = %(tenant_id)s and name = %(name)s

-- name: enter_every_agent
-- For the rest of the transaction: a handoff is written by one agent into the scope of another.
select set_config('camillo.agent', '*', true)

-- name: lock_scopes
-- No other writer of these scopes goes on until the transaction ends, one that forgets among them: in one order, so that
-- two who hand over to each other cannot deadlock.
select agent_id from scopes
where tenant_id = %(tenant_id)s and agent_id = any(%(agent_ids)s) order by agent_id for no key update

-- name: lock_receiver
-- The next revision of an agent that is there, and whether it accepts handoffs from the sender.
update scopes set revision = revision + 1
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and agent_id <> '' and deleted_at is null
returning revision, handoff_senders is null or %(from_agent_id)s = any(handoff_senders) as accepts

-- name: count_handoffs
-- Those to an agent that are still shown: of one sender, and of all.
select count(*) filter (where from_agent_id = %(from_agent_id)s) as of_sender, count(*) as of_all from handoffs
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and expires_at > %(now)s

-- name: accept_handoffs
-- Null: from any agent.
insert into scopes as s (
    tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at, handoff_senders)
values (%(tenant_id)s, %(agent_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint, 0, 0, '', %(now)s,
    %(senders)s)
on conflict on constraint scopes_pkey do update set handoff_senders = excluded.handoff_senders, deleted_at = null

-- name: delete_expired_handoffs
delete from handoffs where tenant_id = %(tenant_id)s and expires_at <= %(now)s

-- name: put_handoff
-- Those that are past their time make room.
with gone as (
    delete from handoffs where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and expires_at <= %(now)s
)
insert into handoffs (
    tenant_id, agent_id, handoff_id, from_agent_id, session_id, created_at, expires_at, details)
values (%(tenant_id)s, %(agent_id)s, %(handoff_id)s, %(from_agent_id)s, %(session_id)s, %(created_at)s, %(expires_at)s,
    %(details)s)

-- name: handoff
select {{handoff_columns}} from handoffs h
where h.tenant_id = %(tenant_id)s and h.agent_id = %(agent_id)s and h.handoff_id = %(handoff_id)s

-- name: handoffs
-- Unexpired ones to an agent, the latest first.
select {{handoff_columns}} from handoffs h
where h.tenant_id = %(tenant_id)s and h.agent_id = %(agent_id)s and h.expires_at > %(now)s
order by h.created_at desc, h.handoff_id desc limit %(size)s
