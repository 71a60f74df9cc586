-- name: existing_artifacts
-- The agent's own.
select a.artifact_id from artifacts a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.artifact_id = any(%(ids)s)
