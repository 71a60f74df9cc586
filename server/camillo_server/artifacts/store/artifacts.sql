-- name: find
-- One artifact of the scope or of the tenant's shared scope, and what its content is.
select {{artifact_columns}}, c.size as content_size, c.is_sealed as is_encrypted
from artifacts a join contents c on c.tenant_id = a.tenant_id and c.content_id = a.content_id
where a.tenant_id = %(tenant_id)s and a.artifact_id = %(artifact_id)s and a.agent_id in (%(agent_id)s, '')
    and (a.expires_at is null or a.expires_at > %(now)s) and a.sensitivity = any(%(allowed)s::smallint[])

-- name: page
-- Artifacts that pass a filter, newest first, behind a cursor.
select * from (
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
    union all
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = '' and %(beside)s and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
) found
order by created_at desc, artifact_id desc limit %(limit)s

-- name: page_of_session
-- As `page`, of one session, by an index of its own.
select * from (
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and {{artifact_of_session}} and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
    union all
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = '' and %(beside)s and {{artifact_of_session}}
        and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
) found
order by created_at desc, artifact_id desc limit %(limit)s

-- name: page_of_tool
-- As `page`, of one tool, by an index of its own.
select * from (
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and {{artifact_of_tool}} and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
    union all
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = '' and %(beside)s and {{artifact_of_tool}}
        and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
) found
order by created_at desc, artifact_id desc limit %(limit)s

-- name: page_of_cited
-- As `page`, of the few that a memory cites.
select * from (
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and {{artifact_of_cited}} and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
    union all
    (select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = '' and %(beside)s and {{artifact_of_cited}}
        and {{artifact_passes}}
    order by a.created_at desc, a.artifact_id desc limit %(limit)s)
) found
order by created_at desc, artifact_id desc limit %(limit)s

-- name: citations
-- The memories that cite an artifact.
select memory_id, agent_id from memory_citations
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and artifact_id = %(artifact_id)s
    and memory_id > %(after)s
order by memory_id limit %(limit)s

-- name: keep_scope
-- Creates the scope's row for an agent that wrote nothing yet, or was deleted. A deletion of the agent waits until the
-- transaction ends.
insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
values (%(tenant_id)s, %(owner_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint, 0, 0, '', %(now)s)
on conflict on constraint scopes_pkey do update set deleted_at = null where s.deleted_at is not null

-- name: insert
-- A finished upload's artifact.
insert into artifacts (
    tenant_id, artifact_id, agent_id, created_by, content_id, kind, session_id, tool, tags, sensitivity, size, pinned,
    expires_at, created_at, updated_at, version, key_id, details, sealed_details)
values (%(tenant_id)s, %(artifact_id)s, %(owner_id)s, %(created_by)s, %(kept_content_id)s, %(kind)s, %(session_id)s,
    %(tool)s, %(tags)s, %(sensitivity)s, %(size)s, %(pinned)s, %(expires_at)s, %(created_at)s, %(updated_at)s,
    %(version)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: lock
-- The version in force, locked until the transaction ends.
select version from artifacts
where tenant_id = %(tenant_id)s and artifact_id = %(artifact_id)s and agent_id = %(owner_id)s for update

-- name: replace
-- A new version of what may change. Call it holding the row's lock.
update artifacts set
    kind = %(kind)s, session_id = %(session_id)s, tool = %(tool)s, tags = %(tags)s, sensitivity = %(sensitivity)s,
    pinned = %(pinned)s, expires_at = %(expires_at)s, updated_at = %(updated_at)s, version = %(version)s,
    key_id = %(key_id)s, details = %(details)s, sealed_details = %(sealed_details)s
where tenant_id = %(tenant_id)s and artifact_id = %(artifact_id)s

-- name: delete
-- Uploads that it came from go with it.
delete from artifacts where tenant_id = %(tenant_id)s and artifact_id = %(artifact_id)s
returning content_id

-- name: delete_of_agent
delete from artifacts where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
returning content_id

-- name: delete_of_tenant
delete from artifacts where tenant_id = %(tenant_id)s

-- name: delete_expired
-- A batch of what has expired, or is not pinned and was created before a moment.
delete from artifacts a using (
    select artifact_id from artifacts
    where tenant_id = %(tenant_id)s
        and (expires_at <= %(now)s or (not pinned and created_at < %(retention_from)s))
    order by artifact_id limit %(limit)s for update skip locked
) old
where a.tenant_id = %(tenant_id)s and a.artifact_id = old.artifact_id
returning a.content_id
