-- name: enter_every_agent
-- Until the transaction ends.
select set_config('camillo.agent', '*', true)

-- name: insert
insert into actions (
    tenant_id, agent_id, action_id, revision, sensitivity, session_id, occurred_at, salt, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(action_id)s, %(revision)s, %(sensitivity)s, %(session_id)s, %(occurred_at)s, %(salt)s,
    %(key_id)s, %(details)s, %(sealed_details)s)
