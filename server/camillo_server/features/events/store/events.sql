-- name: record
-- Some writes, each at a revision of its own: locks the scope and keeps their requests (a repeat violates their key), stores
-- their events in order, what these cite, and some chunks, which are counted, with vectors: one statement, one transaction,
-- one round trip. Revisions are reckoned once: with a parameter in each row, Postgres takes a plan for all parameters for dearer
-- than to plan anew. Blocked values are looked for when the scope is locked.
with next as (
    insert into scopes as s (
        tenant_id, agent_id, revision, memory_count, chunk_count, term_count, display_name, created_at)
    values (%(tenant_id)s, %(agent_id)s,
        (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint + %(writes)s::integer - 1,
        %(added_chunks)s, %(added_chunks)s, %(added_terms)s, '', %(now)s)
    on conflict (tenant_id, agent_id) do update
    set revision = s.revision + %(writes)s::integer,
        memory_count = s.memory_count + excluded.memory_count,
        chunk_count = s.chunk_count + excluded.chunk_count,
        term_count = s.term_count + excluded.term_count,
        deleted_at = null
    returning revision, revision - %(writes)s::integer as before
), audit as (
    {{insert_audit}}
), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, %(agent_id)s, t.request_id, t.content_digest, t.facts, {{revision_of_write}}, t.created_at
    from next cross join json_to_recordset(%(requests)s::json) as t (
        write integer, request_id text, content_digest bytea, facts jsonb, created_at timestamptz)
), event as (
    {{event_values}}
), ref as (
    insert into event_refs (tenant_id, agent_id, ref, revision, place)
    select distinct %(tenant_id)s, %(agent_id)s, lower(r.ref), {{revision_of_write}}, t.place
    from next cross join event t cross join lateral unnest(t.refs) as r (ref)
), recorded as (
    {{insert_events}}
){steps}, chunk as (
    {{insert_chunks}}
){vectors}
select revision, refuse_blocked_values(%(tenant_id)s, %(agent_id)s, %(fingerprints)b::bytea[]) from next

-- name: insert_steps
-- A part of `record`, for writes with steps of workflows.
, step as (
    insert into workflow_steps (
        tenant_id, agent_id, event_id, workflow, revision, place, occurred_at, run, step, status)
    select %(tenant_id)s, %(agent_id)s, t.event_id, t.workflow, {{revision_of_write}}, t.place, t.occurred_at, t.run, t.step,
        t.status
    from next cross join json_to_recordset(%(steps)s::json) as t (
        write integer, event_id uuid, workflow text, place integer, occurred_at timestamptz, run text, step text, status smallint)
)

-- name: insert_vectors
-- A part of `record`, for chunks with vectors. Without it, nothing of pgvector is needed.
, vector as (
    {{insert_vectors}}
)

-- name: insert_event
-- Events without chunks that cite nothing, at the scope's present revision.
with next as (select s.revision - 1 as before from ({{scope_revision}}) s), event as (
    {{event_values}}
)
{{insert_events}}

-- name: recount_without_chunks
-- Counts a scope anew that has no chunks: whatever became of its rows, the counts are right again.
update scopes set chunk_count = 0,
    memory_count = (select count(*) from memories m where {{in_scope}}),
    term_count = (select coalesce(sum(m.term_count), 0) from memories m where {{in_scope}})
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- fragment: staged_origin
-- What a staged chunk is of, by the id of anything but an artifact, which is no UUID.
case when s.kind <> 113 then s.source_refs[1]::uuid end

-- name: unstage_orphans
-- Removes chunks from the staging table whose event, decision or action was deleted meanwhile, or whose slot, document or artifact
-- has another version.
delete from staging s where not exists (
    select from events e where {{event_in_scope}} and e.event_id = {{staged_origin}}
) and not exists (
    select from decisions d
    where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.decision_id = {{staged_origin}}
) and not exists (
    select from slots l
    where l.tenant_id = %(tenant_id)s and l.agent_id = %(agent_id)s and l.slot_id = {{staged_origin}}
        and l.version = s.version and l.kind is not null
) and not exists (
    select from documents o
    where o.tenant_id = %(tenant_id)s and o.agent_id = %(agent_id)s and o.document_id = {{staged_origin}}
        and o.version = s.version
) and not exists (
    select from actions a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.action_id = {{staged_origin}}
) and not exists (
    select from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and s.kind = 113 and a.artifact_id = s.source_refs[1]
        and a.version = s.version
)

-- name: unstage_redacted
-- Removes chunks of events that were redacted behind a revision: they were read before, and have new chunks.
delete from staging s using event_tombstones f
where f.tenant_id = %(tenant_id)s and f.agent_id = %(agent_id)s and f.event_id = {{staged_origin}}
    and f.revision > %(since)s

-- name: archive_passages
-- The chunks of documents are archived as these are.
update memories m set archived = d.archived, revision = ({{scope_revision}})
from documents d
where {{in_scope}} and m.memory_id = any(%(memory_ids)s) and m.kind = 33 and m.archived <> d.archived
    and d.tenant_id = m.tenant_id and d.agent_id = m.agent_id and d.document_id = m.source_refs[1]::uuid

-- name: archive_superseded
-- Archives the chunks of decisions that are not in force any more.
update memories m set archived = true, revision = ({{scope_revision}})
from decisions d
where {{in_scope}} and m.memory_id = any(%(memory_ids)s) and m.kind = 65 and not m.archived
    and d.tenant_id = m.tenant_id and d.agent_id = m.agent_id and d.decision_id = m.source_refs[1]::uuid
    and d.status = 2

-- name: chunk_ids
-- Every chunk of a scope.
select m.memory_id from memories m where {{in_scope}} and m.kind >= 16 order by m.memory_id

-- name: get
select {{event_columns}}, array(
    select m.memory_id from memories m
    where {{in_scope}} and m.kind >= 16 and m.source_refs[1] = %(event_id)s::text order by m.occurred_at, m.memory_id) as chunk_ids
from events e where {{event_in_scope}} and e.event_id = %(event_id)s::uuid

-- name: page
-- Events that pass a filter after a position, in this order, up to so many bytes and one event more; with how many there
-- are before the bytes are counted. The scope's revision is in every row, and alone if there is none.
select s.revision as scope_revision, p.* from ({{scope_revision}}) s left join (
    select {{event_columns}}, e.found from (
        select e.*, count(*) over () as found,
            sum(e.content_bytes) over (order by e.revision {order}, e.place {order}) - e.content_bytes as bytes_before
        from (
            select e.* from {source}
            where {{event_in_scope}} and (e.revision, e.place) {comparison} (%(after_revision)s, %(after_place)s)
                and {{event_passes}}
            order by e.revision {order}, e.place {order} limit %(size)s
        ) e
    ) e where e.bytes_before < %(bytes)s
) p on true
order by p.revision {order}, p.place {order}

-- name: workflow
-- Steps of a workflow of these agents, the earliest first, after a position, up to so many bytes and one step more; with how
-- many there are before the bytes are counted.
select {{event_columns}}, e.found from (
    select e.*, count(*) over () as found,
        sum(e.content_bytes) over (order by e.occurred_at, e.event_id) - e.content_bytes as bytes_before
    from (
        select e.* from unnest(%(agent_ids)s::text[]) as a (agent_id) cross join lateral (
            select e.* from workflow_steps w join events e
                on e.tenant_id = w.tenant_id and e.agent_id = w.agent_id and e.event_id = w.event_id
            where w.tenant_id = %(tenant_id)s and w.agent_id = a.agent_id and w.workflow = %(workflow)s
                and (w.occurred_at, w.event_id) > (%(after_time)s, %(after_id)s)
                and (%(workflow_run)s::text is null or w.run = %(workflow_run)s)
                and (%(workflow_statuses)s::smallint[] is null or w.status = any(%(workflow_statuses)s))
                and e.sensitivity = any(%(sensitivities)s::smallint[])
            order by w.occurred_at, w.event_id limit %(size)s
        ) e
        order by e.occurred_at, e.event_id limit %(size)s
    ) e
) e where e.bytes_before < %(bytes)s
order by e.occurred_at, e.event_id

-- name: changes
-- Events that pass a filter and tombstones after a position, in the order of recording, up to so many bytes and the end of
-- the revision in which that is; with how many there are before the bytes are counted. The tombstone of an event that is
-- there says that it was redacted: there, it is told anew, with its own place beside that of the change.
select s.revision as scope_revision, c.* from ({{scope_revision}}) s left join (
    select {{event_columns}}, e.changed_revision, e.changed_place, e.found from (
        select e.*, count(*) over () as found,
            coalesce(sum(e.content_bytes) over (
                order by e.changed_revision range between unbounded preceding and current row exclude group), 0)
                as bytes_before
        from (
            (select e.*, e.revision as changed_revision, e.place as changed_place from events e
             where {{event_in_scope}} and (e.revision, e.place) > (%(after_revision)s, %(after_place)s)
                and {{event_passes}}
             order by e.revision, e.place limit %(size)s)
            union all
            (select f.tenant_id, f.agent_id, f.event_id, coalesce(e.revision, f.revision), coalesce(e.place, f.place),
                e.session_id, e.channel, e.actor_type, e.actor_id, e.kind, e.sensitivity, e.tags, e.occurred_at,
                e.recorded_at, e.refs, e.importance, coalesce(e.content_bytes, 0), e.key_id, e.details, e.sealed_details,
                e.trust, e.credential, f.revision, f.place
             from (
                select * from event_tombstones f
                where f.tenant_id = %(tenant_id)s and f.agent_id = %(agent_id)s
                    and (f.revision, f.place) > (%(after_revision)s, %(after_place)s)
                order by f.revision, f.place limit %(size)s
             ) f left join events e
                on e.tenant_id = f.tenant_id and e.agent_id = f.agent_id and e.event_id = f.event_id and {{event_passes}})
            order by changed_revision, changed_place limit %(size)s
        ) e
    ) e where e.bytes_before < %(bytes)s
) c on true
order by c.changed_revision, c.changed_place
