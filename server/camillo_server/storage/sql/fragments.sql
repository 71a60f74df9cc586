-- fragment: memory_columns
m.memory_id, m.agent_id, m.content, m.kind, m.session_id, m.occurred_at, m.tags, m.sensitivity, m.importance,
m.metadata, m.expires_at, m.pinned, m.archived, m.version, m.source_refs, m.created_at, m.updated_at, m.vector_model_id

-- fragment: access_columns
a.accessed_at, coalesce(a.access_count, 0)

-- fragment: join_access
left join memory_access a
    on a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id

-- fragment: in_scope
m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s

-- fragment: passes_filter
(m.expires_at is null or m.expires_at > %(now)s)
and (%(archived)s::boolean is null or m.archived = %(archived)s)
and (%(tags_any)s::text[] is null or m.tags && %(tags_any)s)
and (%(tags_all)s::text[] is null or m.tags @> %(tags_all)s)
and (%(kinds)s::smallint[] is null or m.kind = any(%(kinds)s))
and (%(session_id)s::text is null or m.session_id = %(session_id)s)
and (%(occurred_from)s::timestamptz is null or m.occurred_at >= %(occurred_from)s)
and (%(occurred_before)s::timestamptz is null or m.occurred_at < %(occurred_before)s)
and (%(min_importance)s::real is null or m.importance >= %(min_importance)s)
and (%(max_sensitivity)s::smallint is null or m.sensitivity <= %(max_sensitivity)s)
and (%(metadata)s::jsonb is null or m.metadata @> %(metadata)s)

-- fragment: next_revision
insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
values (%(tenant_id)s, %(agent_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint, %(added_memories)s, %(added_terms)s, '', %(now)s)
on conflict (tenant_id, agent_id) do update
set revision = s.revision + 1,
    memory_count = s.memory_count + excluded.memory_count,
    term_count = s.term_count + excluded.term_count,
    deleted_at = null
returning revision

-- fragment: scope_revision
select coalesce((select s.revision from scopes s
                 where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s), 0) as revision

-- fragment: artifact_columns
a.artifact_id, a.agent_id, a.created_by, a.content_id, a.kind, a.session_id, a.tool, a.tags, a.sensitivity, a.size,
a.pinned, a.expires_at, a.created_at, a.updated_at, a.version, a.key_id, a.details, a.sealed_details

-- fragment: artifact_of_session
a.session_id <> '' and a.session_id = %(session_id)s

-- fragment: artifact_of_tool
a.tool <> '' and a.tool = %(tool)s

-- fragment: artifact_of_cited
a.artifact_id = any(array(
    select c.artifact_id from memory_citations c
    where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.memory_id = %(cited_by)s))

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
