-- name: enter_every_agent
-- Until the transaction ends.
select set_config('camillo.agent', '*', true)

-- name: insert
insert into actions (
    tenant_id, agent_id, action_id, revision, sensitivity, session_id, occurred_at, salt, key_id, details, sealed_details,
    acting_agent_id)
values (%(tenant_id)s, %(agent_id)s, %(action_id)s, %(revision)s, %(sensitivity)s, %(session_id)s, %(occurred_at)s, %(salt)s,
    %(key_id)s, %(details)s, %(sealed_details)s, %(acting_agent_id)s)

-- name: page
-- So many actions of a scope behind an id, in the order of their ids.
select agent_id, action_id, sensitivity, session_id, occurred_at, salt, key_id, details, sealed_details, acting_agent_id
from actions
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and action_id > %(after_id)s
order by action_id limit %(size)s
