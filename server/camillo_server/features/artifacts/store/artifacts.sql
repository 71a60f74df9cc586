-- fragment: artifact_columns
a.artifact_id, a.agent_id, a.created_by, a.content_id, a.kind, a.session_id, a.tool, a.tags, a.sensitivity, a.size,
a.pinned, a.expires_at, a.created_at, a.updated_at, a.version, a.key_id, a.details, a.sealed_details

-- fragment: artifact_passes
(a.created_at, a.artifact_id) < (coalesce(%(after_at)s::timestamptz, 'infinity'), %(after_id)s)
and a.sensitivity = any(%(allowed)s::smallint[])
and (a.expires_at is null or a.expires_at > %(now)s)
and (%(session_id)s::text is null or a.session_id = %(session_id)s)
and (%(tool)s::text is null or a.tool = %(tool)s)
and (%(kinds)s::smallint[] is null or a.kind = any(%(kinds)s))
and a.created_at >= coalesce(%(created_from)s::timestamptz, '-infinity')
and a.created_at < coalesce(%(created_before)s::timestamptz, 'infinity')
and a.size >= %(min_size)s::bigint
and (%(max_size)s::bigint is null or a.size <= %(max_size)s)
and (%(tags_any)s::text[] is null or a.tags && %(tags_any)s)
and (%(tags_all)s::text[] is null or a.tags @> %(tags_all)s)
and (%(max_sensitivity)s::smallint is null or a.sensitivity <= %(max_sensitivity)s)

-- name: find
-- One artifact of the scope or of the tenant's shared scope, and what its content is.
select {{artifact_columns}}, c.size as content_size, c.is_sealed as is_encrypted
from artifacts a join contents c on c.tenant_id = a.tenant_id and c.content_id = a.content_id
where a.tenant_id = %(tenant_id)s and a.artifact_id = %(artifact_id)s and a.agent_id in (%(agent_id)s, '')
    and (a.expires_at is null or a.expires_at > %(now)s) and a.sensitivity = any(%(allowed)s::smallint[])

-- fragment: own_artifacts
select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and {{artifact_passes}}

-- fragment: shared_artifacts
select {{artifact_columns}} from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = '' and %(beside)s and {{artifact_passes}}

-- fragment: newest_first
order by created_at desc, artifact_id desc limit %(limit)s

-- name: page
-- Artifacts that pass a filter, newest first, behind a cursor; `narrowed` is a condition below, or nothing.
select * from (
    ({{own_artifacts}} {narrowed} {{newest_first}})
    union all
    ({{shared_artifacts}} {narrowed} {{newest_first}})
) found
{{newest_first}}

-- name: of_session
-- By an index of its own.
and a.session_id <> '' and a.session_id = %(session_id)s

-- name: of_tool
-- By an index of its own.
and a.tool <> '' and a.tool = %(tool)s

-- name: of_cited
-- The few that a memory cites.
and a.artifact_id = any(array(
    select c.artifact_id from memory_citations c
    where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.memory_id = %(cited_by)s))

-- name: page_of_scope
-- All artifacts of a scope, newest first, behind a cursor, and what their contents are.
select {{artifact_columns}}, c.size as content_size, c.is_sealed as is_encrypted
from artifacts a join contents c on c.tenant_id = a.tenant_id and c.content_id = a.content_id
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s
    and (a.created_at, a.artifact_id) < (coalesce(%(after_at)s::timestamptz, 'infinity'), %(after_id)s)
order by a.created_at desc, a.artifact_id desc limit %(size)s

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
-- A finished upload's artifact and its chunk, at the next revision of its scope. Call it holding the scope's lock.
with artifact as (
    insert into artifacts (
        tenant_id, artifact_id, agent_id, created_by, content_id, kind, session_id, tool, tags, sensitivity, size, pinned,
        expires_at, created_at, updated_at, version, key_id, details, sealed_details)
    values (%(tenant_id)s, %(artifact_id)s, %(owner_id)s, %(created_by)s, %(kept_content_id)s, %(kind)s, %(session_id)s,
        %(tool)s, %(tags)s, %(sensitivity)s, %(size)s, %(pinned)s, %(expires_at)s, %(created_at)s, %(updated_at)s,
        %(version)s, %(key_id)s, %(details)s, %(sealed_details)s)
), next as (
    update scopes s set revision = s.revision + 1, memory_count = s.memory_count + %(added_chunks)s,
        chunk_count = s.chunk_count + %(added_chunks)s, term_count = s.term_count + %(added_terms)s
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(owner_id)s
    returning s.revision, s.revision - 1 as before
), chunk as (
    {{insert_chunks}}
), vector as (
    {{insert_vectors}}
)
select revision from next

-- name: lock_scopes
-- Before the artifacts of these scopes, in one order, so that changes of them cannot deadlock.
select agent_id from scopes
where tenant_id = %(tenant_id)s and agent_id = any(%(owner_ids)s) order by agent_id for no key update

-- name: lock
-- The version in force, locked until the transaction ends.
select version from artifacts
where tenant_id = %(tenant_id)s and artifact_id = %(artifact_id)s and agent_id = %(owner_id)s for update

-- fragment: chunk_of_artifact
delete from memories m where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = %(artifact_id)s
returning m.memory_id, m.term_count

-- fragment: scope_without_chunk
-- With as many chunks and terms instead of those that are gone.
update scopes s set revision = s.revision + 1, memory_count = s.memory_count + %(added_chunks)s - g.chunks,
    chunk_count = s.chunk_count + %(added_chunks)s - g.chunks, term_count = s.term_count + %(added_terms)s - g.terms
from (select count(*) as chunks, coalesce(sum(term_count), 0) as terms from gone) g
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
returning s.revision, s.revision - 1 as before

-- fragment: tombstone_of_chunk
insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
select %(tenant_id)s, %(agent_id)s, next.revision, gone.memory_id, %(now)s, true from next cross join gone

-- name: replace
-- A new version of what may change, and its chunk in the place of the one before, at the next revision of its scope. Call it
-- holding the locks of the scope and the row.
with artifact as (
    update artifacts set
        kind = %(kind)s, session_id = %(session_id)s, tool = %(tool)s, tags = %(tags)s, sensitivity = %(sensitivity)s,
        pinned = %(pinned)s, expires_at = %(expires_at)s, updated_at = %(updated_at)s, version = %(version)s,
        key_id = %(key_id)s, details = %(details)s, sealed_details = %(sealed_details)s
    where tenant_id = %(tenant_id)s and artifact_id = %(artifact_id)s
), gone as (
    {{chunk_of_artifact}}
), next as (
    {{scope_without_chunk}}
), tombstone as (
    {{tombstone_of_chunk}}
), chunk as (
    {{insert_chunks}}
), vector as (
    {{insert_vectors}}
)
select revision from next

-- name: parts_for_nobody_else
-- The number of a content's parts, unless an artifact has it: of the tenant for an operator, else of those that the agent
-- may read. Call it holding the content's lock.
select c.part_count from contents c
where c.tenant_id = %(tenant_id)s and c.content_id = %(content_id)s and not exists (
    select from artifacts a where a.tenant_id = c.tenant_id and a.content_id = c.content_id
        and (%(is_operator)s or a.agent_id in (%(agent_id)s, ''))
)

-- name: delete
-- Uploads that it came from and its chunk go with it, at the next revision of its scope. Call it holding the locks of the scope
-- and the row.
with artifact as (
    delete from artifacts where tenant_id = %(tenant_id)s and artifact_id = %(artifact_id)s
    returning content_id
), gone as (
    {{chunk_of_artifact}}
), next as (
    {{scope_without_chunk}}
), tombstone as (
    {{tombstone_of_chunk}}
)
select artifact.content_id, next.revision from artifact cross join next

-- name: delete_some
-- Their chunks are deleted by the caller.
delete from artifacts
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and artifact_id = any(%(artifact_ids)s)
returning content_id

-- name: delete_of_agent
-- As `delete_some`.
delete from artifacts where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
returning content_id

-- name: delete_of_tenant
delete from artifacts where tenant_id = %(tenant_id)s

-- fragment: is_expired
(a.expires_at <= %(now)s or (not a.pinned and a.created_at < %(retention_from)s))

-- name: expired
-- A batch of what has expired, or is not pinned and was created before a moment.
select a.artifact_id, a.agent_id from artifacts a
where a.tenant_id = %(tenant_id)s and {{is_expired}}
order by a.artifact_id limit %(limit)s

-- name: delete_expired
-- Those of these artifacts that are expired still, with their chunks, at the next revision of each scope that had one. Call it
-- holding the locks of the scopes. The form keeps the lookups of chunks going by key, however many there are.
with artifact as (
    delete from artifacts a
    where a.tenant_id = %(tenant_id)s and a.artifact_id = any(%(artifact_ids)s) and {{is_expired}}
    returning a.artifact_id, a.agent_id, a.content_id
), gone as (
    delete from memories m
    where m.tenant_id = %(tenant_id)s and m.agent_id = any(%(owner_ids)s) and m.memory_id = any(array(
        select c.memory_id from artifact a cross join lateral (
            select m.memory_id from memories m
            where m.tenant_id = %(tenant_id)s and m.agent_id = a.agent_id and m.kind >= 16
                and m.source_refs[1] = a.artifact_id offset 0
        ) c
    ))
    returning m.agent_id, m.memory_id, m.term_count
), next as (
    update scopes s set revision = s.revision + 1, memory_count = s.memory_count - g.chunks,
        chunk_count = s.chunk_count - g.chunks, term_count = s.term_count - g.terms
    from (select agent_id, count(*) as chunks, sum(term_count) as terms from gone group by agent_id) g
    where s.tenant_id = %(tenant_id)s and s.agent_id = g.agent_id
    returning s.agent_id, s.revision
), tombstone as (
    insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
    select %(tenant_id)s, gone.agent_id, next.revision, gone.memory_id, %(now)s, true
    from gone join next on next.agent_id = gone.agent_id
)
select artifact.content_id, artifact.agent_id, next.revision
from artifact left join next on next.agent_id = artifact.agent_id
