-- fragment: memory_columns
m.memory_id, m.agent_id, m.content, m.kind, m.session_id, m.occurred_at, m.tags, m.sensitivity, m.importance,
m.metadata, m.expires_at, m.pinned, m.archived, m.version, m.source_refs, m.created_at, m.updated_at, m.vector_model_id

-- fragment: access_columns
a.accessed_at, coalesce(a.access_count, 0)

-- fragment: sealed_columns
m.key_id, m.sealed

-- fragment: join_access
left join memory_access a
    on a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id

-- fragment: in_scope
m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s

-- fragment: is_memory
m.kind < 16

-- fragment: passes_filter
(m.expires_at is null or m.expires_at > %(now)s)
and (%(archived)s::boolean is null or m.archived = %(archived)s)
and (%(tags_any)s::text[] is null or m.tags && %(tags_any)s)
and (%(tags_all)s::text[] is null or m.tags @> %(tags_all)s)
and m.kind = any(%(passing_kinds)s::smallint[])
and (%(session_id)s::text is null or m.session_id = %(session_id)s)
and (%(occurred_from)s::timestamptz is null or m.occurred_at >= %(occurred_from)s)
and (%(occurred_before)s::timestamptz is null or m.occurred_at < %(occurred_before)s)
and (%(min_importance)s::real is null or m.importance >= %(min_importance)s)
and (%(max_sensitivity)s::smallint is null or m.sensitivity <= %(max_sensitivity)s)
and (%(sensitivities)s::smallint[] is null or m.sensitivity = any(%(sensitivities)s))
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

-- fragment: event_columns
e.event_id, e.agent_id, e.revision, e.place, e.session_id, e.channel, e.actor_type, e.actor_id, e.kind, e.sensitivity,
e.tags, e.occurred_at, e.recorded_at, e.refs, e.importance, e.content_bytes, e.key_id, e.details::text, e.sealed_details

-- fragment: event_passes
e.sensitivity = any(%(sensitivities)s::smallint[])
and (%(session_id)s::text is null or e.session_id = %(session_id)s)
and (%(kinds)s::smallint[] is null or e.kind = any(%(kinds)s))
and (%(actor_types)s::smallint[] is null or e.actor_type = any(%(actor_types)s))
and (%(tags_any)s::text[] is null or e.tags && %(tags_any)s)
and (%(tags_all)s::text[] is null or e.tags @> %(tags_all)s)
and (%(occurred_from)s::timestamptz is null or e.occurred_at >= %(occurred_from)s)
and (%(occurred_before)s::timestamptz is null or e.occurred_at < %(occurred_before)s)
and (%(ref)s::text is null or exists (
    select 1 from event_refs r
    where r.tenant_id = e.tenant_id and r.agent_id = e.agent_id and r.ref = %(ref)s and r.revision = e.revision
        and r.place = e.place))
and (not %(is_public)s::boolean or e.kind <> 4 or e.channel = 1)

-- fragment: event_in_scope
e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s

-- fragment: insert_chunks
insert into memories (
    tenant_id, agent_id, memory_id, revision, version, content, kind, session_id, occurred_at, tags, sensitivity,
    importance, metadata, expires_at, pinned, archived, source_refs, created_at, updated_at, vector_model_id,
    term_count, terms, term_codes, key_id, sealed, cited_refs)
select %(tenant_id)s, %(agent_id)s, n.memory_id, next.revision, n.version, n.content, n.kind, n.session_id,
    n.occurred_at, n.tags::text[], n.sensitivity, n.importance, n.metadata, n.expires_at, n.pinned, n.archived,
    n.source_refs::text[], n.created_at, n.updated_at, n.vector_model_id, n.term_count, n.terms::tsvector,
    n.term_codes, n.key_id, n.sealed, '{}'
from next cross join unnest(
    %(memory_id)b::uuid[], %(version)b::bigint[], %(content)b::text[], %(kind)b::smallint[], %(session_id)b::text[],
    %(occurred_at)b::timestamptz[], %(tags)b::text[], %(sensitivity)b::smallint[], %(importance)b::real[],
    %(metadata)b::jsonb[], %(expires_at)b::timestamptz[], %(pinned)b::boolean[], %(archived)b::boolean[],
    %(source_refs)b::text[], %(created_at)b::timestamptz[], %(updated_at)b::timestamptz[],
    %(vector_model_id)b::text[], %(term_count)b::integer[], %(terms)b::text[], %(term_codes)b::bytea[],
    %(key_id)b::text[], %(sealed)b::bytea[]
) as n (
    memory_id, version, content, kind, session_id, occurred_at, tags, sensitivity, importance, metadata, expires_at,
    pinned, archived, source_refs, created_at, updated_at, vector_model_id, term_count, terms, term_codes, key_id,
    sealed)

-- fragment: decision_columns
d.decision_id, d.agent_id, d.version, d.status, d.reach, d.channel, d.sensitivity, d.session_id, d.tags, d.refs,
d.decided_at, d.created_at, d.superseded_by, d.superseded_at, array(
    select s.decision_id from decisions s
    where s.tenant_id = d.tenant_id and s.agent_id = d.agent_id and s.superseded_by = d.decision_id
    order by s.superseded_at, s.decision_id),
d.details, d.key_id, d.sealed_details

-- fragment: task_columns
t.task_id, t.agent_id, t.version, t.status, t.channel, t.sensitivity, t.session_id, t.tags, t.refs, t.created_at,
t.updated_at, t.details, t.key_id, t.sealed_details

-- fragment: view_columns
v.name, v.agent_id, v.sensitivity, v.version, v.updated_at, v.details, v.key_id, v.sealed_details

-- fragment: handoff_columns
h.handoff_id, h.from_agent_id, h.agent_id, h.session_id, h.created_at, h.expires_at, h.details
