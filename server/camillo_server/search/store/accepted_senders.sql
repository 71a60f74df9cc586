-- name: senders
select handoff_senders from scopes where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
