-- fragment: join_access
left join memory_access a
    on a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id

-- fragment: in_scope
m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s

-- fragment: memories_with_fingerprint
unnest(%(fingerprints)s::bytea[]) as f (fingerprint) cross join lateral (
    select m.memory_id, m.fingerprint from memories m
    where m.tenant_id = %(tenant_id)s and m.fingerprint = f.fingerprint offset 0
) m

-- fragment: rests_on
-- A source is named by an id in small letters, in any of the forms that ids are read in.
s.source_ref = any(array[g.ref, 'urn:uuid:' || g.ref, replace(g.ref, '-', ''), '{' || g.ref || '}'])

-- fragment: is_memory
m.kind < 16

-- fragment: waits_for_vector
m.vector_model_id = '' and not exists (
    select from memory_vectors v
    where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
        and v.model_id = %(model_id)s)

-- fragment: passes_filter
(m.expires_at is null or m.expires_at > %(now)s)
and (%(archived)s::boolean is null or m.archived = %(archived)s)
and (%(tags_any)s::text[] is null or m.tags && %(tags_any)s)
and (%(tags_all)s::text[] is null or m.tags @> %(tags_all)s)
and m.kind = any(%(passing_kinds)s::smallint[])
and (%(session_id)s::text is null or m.session_id = %(session_id)s or m.metadata @> %(session_occurrence)s::jsonb)
and ((%(occurred_from)s::timestamptz is null or m.occurred_at >= %(occurred_from)s)
    and (%(occurred_before)s::timestamptz is null or m.occurred_at < %(occurred_before)s)
    or m.metadata ? '' and exists (
        select from jsonb_array_elements(m.metadata -> '' -> 'kept') o
        where (%(occurred_from)s::timestamptz is null or (o ->> 'occurred_at')::timestamptz >= %(occurred_from)s)
            and (%(occurred_before)s::timestamptz is null or (o ->> 'occurred_at')::timestamptz < %(occurred_before)s)))
and (%(min_importance)s::real is null or m.importance >= %(min_importance)s)
and (%(min_trust)s::smallint is null or m.trust_level >= %(min_trust)s)
and (%(max_sensitivity)s::smallint is null or m.sensitivity <= %(max_sensitivity)s)
and (%(sensitivities)s::smallint[] is null or m.sensitivity = any(%(sensitivities)s))
and (%(metadata)s::jsonb is null or m.metadata @> %(metadata)s or m.metadata ? '' and not exists (
    select from jsonb_each(%(metadata)s::jsonb) e
    where not m.metadata @> jsonb_build_object(e.key, e.value)
        and not m.metadata -> '' -> 'kept' @> jsonb_build_array(jsonb_build_object('metadata', jsonb_build_object(e.key, e.value)))))
and (%(conditions)s::jsonb is null or m.sealed is null and meets_conditions(m.metadata, %(conditions)s))
and (%(is_true)s::boolean is null or %(is_true)s = {{is_true_then}})
and (%(known_at)s::timestamptz is null or m.updated_at <= %(known_at)s)
and (%(acting_agents)s::text[] is null or m.kind <> 81 or m.metadata ->> 'agent' = any(%(acting_agents)s))
and {{is_readable_document}}

-- fragment: is_true
-- Now.
(m.valid_until is null or m.valid_until > %(now)s) and (m.valid_from is null or m.valid_from <= %(now)s)

-- fragment: is_true_then
-- At the moment that is asked for, if any; what does not say since when is true since it happened.
case when %(as_of)s::timestamptz is null then {{is_true}}
    else (m.valid_until is null or m.valid_until > %(as_of)s) and coalesce(m.valid_from, m.occurred_at) <= %(as_of)s end

-- fragment: is_readable_document
-- Any other row is, too.
(m.kind not between 32 and 47 or m.occurred_at <= %(now)s
    and (%(document_tags)s::text[] is null or m.tags && %(document_tags)s)
    and (%(granted_tags)s::text[] is null or m.tags && %(granted_tags)s))

-- fragment: next_revision
insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
values (%(tenant_id)s, %(agent_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint, %(added_memories)s, %(added_terms)s, '', %(now)s)
on conflict (tenant_id, agent_id) do update
set revision = s.revision + 1,
    memory_count = s.memory_count + excluded.memory_count,
    term_count = s.term_count + excluded.term_count,
    deleted_at = null
returning revision, revision - 1 as before

-- fragment: next_revisions
insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
values (%(tenant_id)s, %(agent_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint + %(writes)s::integer - 1, %(added_memories)s, %(added_terms)s, '', %(now)s)
on conflict (tenant_id, agent_id) do update
set revision = s.revision + %(writes)s::integer,
    memory_count = s.memory_count + excluded.memory_count,
    term_count = s.term_count + excluded.term_count,
    deleted_at = null
returning revision, revision - %(writes)s::integer as before

-- fragment: lock_scope
with next as (
    {{next_revisions}}
)
select refuse_blocked_values(%(tenant_id)s, %(agent_id)s, %(marks)s::bytea[]) from next

-- fragment: scope_revision
select coalesce((select s.revision from scopes s
                 where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s), 0) as revision

-- fragment: event_columns
e.event_id, e.agent_id, e.revision, e.place, e.session_id, e.channel, e.actor_type, e.actor_id, e.kind, e.sensitivity,
e.tags, e.occurred_at, e.recorded_at, e.refs, e.importance, e.content_bytes, e.key_id, e.details::text, e.sealed_details,
e.trust, e.credential

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
and (not %(is_step)s::boolean or exists (
    select from workflow_steps w
    where w.tenant_id = e.tenant_id and w.agent_id = e.agent_id and w.event_id = e.event_id
        and (%(workflow)s::text is null or w.workflow = %(workflow)s)
        and (%(workflow_run)s::text is null or w.run = %(workflow_run)s)
        and (%(workflow_step)s::text is null or w.step = %(workflow_step)s)
        and (%(workflow_statuses)s::smallint[] is null or w.status = any(%(workflow_statuses)s))))

-- fragment: event_in_scope
e.tenant_id = %(tenant_id)s and e.agent_id = %(agent_id)s

-- fragment: event_values
select w.write, e.* from json_array_elements(%(events)s::json) with ordinality as w (events, write)
cross join lateral json_to_recordset(w.events) as e (
    place integer, event_id uuid, session_id text, channel smallint, actor_type smallint, actor_id text, kind smallint,
    sensitivity smallint, tags text[], occurred_at timestamptz, recorded_at timestamptz, refs text[], importance float8,
    content_bytes integer, key_id text, details json, sealed_details bytea, trust smallint, credential text)

-- fragment: insert_events
insert into events (
    tenant_id, agent_id, event_id, revision, place, session_id, channel, actor_type, actor_id, kind, sensitivity,
    tags, occurred_at, recorded_at, refs, importance, content_bytes, key_id, details, sealed_details, trust, credential)
select %(tenant_id)s, %(agent_id)s, event_id, {{revision_of_write}}, place, session_id, channel, actor_type, actor_id,
    kind, sensitivity, tags, occurred_at, recorded_at, refs, importance, content_bytes, key_id, details, sealed_details,
    trust, credential
from next cross join event t

-- fragment: insert_chunks
{{insert_chunks_from}} json_array_elements(%(chunks)s::json) with ordinality as t (chunks, write)
{{chunks_of_write}}

-- fragment: insert_chunks_from
insert into memories (tenant_id, agent_id, memory_id, revision, {{chunk_columns}}, cited_refs)
select %(tenant_id)s, %(agent_id)s, memory_id, {{revision_of_write}}, {{chunk_columns}}, '{}'
from next cross join

-- fragment: chunks_of_write
cross join lateral json_to_recordset(t.chunks) as n ({{chunk_types}})

-- fragment: insert_vectors
-- Of chunks that could have their vectors at once.
insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id)
select %(tenant_id)s, %(agent_id)s, v.memory_id, v.model_id, v.embedding, ''
from unnest(%(embedded_ids)b::uuid[], %(embedded_models)b::text[], %(embeddings)b::vector[])
    as v (memory_id, model_id, embedding)

-- fragment: revision_of_write
next.before + t.write

-- fragment: insert_audit
insert into audit_entries (tenant_id, agent_id, at, revision, method, credential, facts, action_id, action_digest)
select %(tenant_id)s, %(agent_id)s, t.at, {{revision_of_write}}, t.method, t.credential, t.facts,
    t.action_id, t.action_digest
from next cross join json_to_recordset(%(audits)s::json) as t (
    write integer, at timestamptz, method text, credential text, facts json, action_id uuid, action_digest bytea)

-- fragment: decision_columns
d.decision_id, d.agent_id, d.version, d.status, d.reach, d.channel, d.sensitivity, d.session_id, d.tags, d.refs,
d.decided_at, d.created_at, d.superseded_by, d.superseded_at, array(
    select s.decision_id from decisions s
    where s.tenant_id = d.tenant_id and s.agent_id = d.agent_id and s.superseded_by = d.decision_id
    order by s.superseded_at, s.decision_id) as supersedes,
d.details, d.key_id, d.sealed_details

-- fragment: task_columns
t.task_id, t.agent_id, t.version, t.status, t.channel, t.sensitivity, t.session_id, t.tags, t.refs, t.created_at,
t.updated_at, t.details, t.key_id, t.sealed_details

-- fragment: view_columns
v.name, v.agent_id, v.sensitivity, v.version, v.updated_at, coalesce(v.is_data, v.agent_id <> '') as is_data, v.details, v.key_id, v.sealed_details

-- fragment: handoff_columns
h.handoff_id, h.from_agent_id, h.agent_id, h.session_id, h.created_at, h.expires_at, h.details

-- fragment: look_up_access
left join lateral (
    select a.accessed_at, a.access_count from memory_access a
    where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id offset 0
) a on true

-- fragment: is_pinned
(m.pinned or 'pinned' = any(m.tags))

-- fragment: last_used_at
greatest(a.accessed_at, m.created_at, case when not m.archived then m.updated_at end)

-- fragment: decayed_importance
m.importance * exp(greatest(ln(%(weekly_decay)s::double precision)
    * greatest(extract(epoch from %(now)s::timestamptz - {{last_used_at}})::double precision / 604800, 0), -300))

-- fragment: planned_columns
m.memory_id, m.version, m.kind, {{decayed_importance}} as decayed_importance, {{last_used_at}} as last_used_at

-- fragment: passes_selector
not {{is_pinned}}
and not (m.archived and %(only_unarchived)s)
and (%(archived)s::boolean is null or m.archived = %(archived)s)
and (%(unused_since)s::timestamptz is null or {{last_used_at}} < %(unused_since)s)
and (%(created_before)s::timestamptz is null or m.created_at < %(created_before)s)
and (%(tags_any)s::text[] is null or m.tags && %(tags_any)s)
and (%(tags_all)s::text[] is null or m.tags @> %(tags_all)s)
and (%(kinds)s::smallint[] is null or m.kind = any(%(kinds)s))
and (%(max_access_count)s::bigint is null or coalesce(a.access_count, 0) <= %(max_access_count)s)
and (%(importance_below)s::real is null or m.importance < %(importance_below)s::real)

-- fragment: metadata_bytes
case when m.metadata <> '{}' then octet_length(m.metadata::text) else 0 end

-- fragment: details_bytes
coalesce(octet_length(d.details::text), octet_length(d.sealed_details))

-- fragment: run_columns
r.run_id, r.agent_id, r.session_id, r.sensitivity, r.max_tokens, r.idle_seconds, r.rounds, r.instructions, r.started_at,
r.active_at, r.ends_at, r.details, r.key_id, r.sealed_details

-- fragment: open_run
r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.run_id = %(run_id)s and r.ends_at > %(now)s

-- fragment: may_be_compacted
{{in_scope}} and m.kind = any(%(kinds)s::smallint[]) and not m.archived and not {{is_pinned}}
and m.valid_from is null and m.valid_until is null and m.superseded_by is null
and (m.expires_at is null or m.expires_at > %(now)s)
and (%(tags_any)s::text[] is null or m.tags && %(tags_any)s)
and m.memory_id not in (
    select s.memory_id from compactions c cross join unnest(c.source_ids) as s (memory_id)
    where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.state = 2)

-- fragment: compaction_columns
c.compaction_id, c.state, c.reason, c.refusal, c.sensitivity, c.source_ids, c.source_versions, c.memory_id,
c.summary_model_id, c.created_at, c.committed_at, c.reverted_at, c.details, c.key_id, c.sealed_details

-- fragment: visible_compaction
c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s
and (c.state <> 1 or c.created_at > %(proposed_after)s)

-- fragment: action_of_scope
a.tenant_id = %(tenant_id)s and a.agent_id in (%(agent_id)s, '') and %(agent_id)s in (a.agent_id, a.acting_agent_id)
