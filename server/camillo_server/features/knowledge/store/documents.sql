-- name: newest
-- The newest version of a document by its name or id, with the ids of its passages. The form keeps their lookup going by key:
-- under row-level security a cast in a condition would not.
select {{document_columns}}, array(
    select m.memory_id from (select d.document_id::text as origin offset 0) o cross join lateral (
        select m.memory_id from memories m
        where m.tenant_id = d.tenant_id and m.agent_id = '' and m.kind >= 16 and m.source_refs[1] = o.origin offset 0
    ) m
) as passage_ids
from documents d {{join_newest}}
where {{document_in_scope}} and {{named_document}}

-- name: readable
-- A version of a document by its name or id that a reader may see, as may be the newest one.
select {{document_columns}} from documents d
join document_versions n on n.tenant_id = d.tenant_id and n.agent_id = d.agent_id and n.document_id = d.document_id
    and n.version = d.version
join document_versions v on v.tenant_id = d.tenant_id and v.agent_id = d.agent_id and v.document_id = d.document_id
    and v.version = coalesce(%(version)s::bigint, d.version)
where {{document_in_scope}} and {{named_document}} and {{readable_version}} and {{newest_is_readable}}

-- name: text
select t.agent_id, t.key_id, t.details, t.sealed_details from document_texts t
where t.tenant_id = %(tenant_id)s and t.agent_id = '' and t.document_id = %(document_id)s and t.version = %(version)s

-- name: text_bytes
-- Some bytes of a text that is not encrypted, in UTF-8.
select substring(convert_to(t.details ->> 'text', 'UTF8') from %(byte_from)s::integer + 1 for %(size)s::integer) as part
from document_texts t
where t.tenant_id = %(tenant_id)s and t.agent_id = '' and t.document_id = %(document_id)s and t.version = %(version)s

-- name: page
-- Documents behind a name that a reader may see and that pass a filter.
select {{document_columns}} from documents d {{join_newest}}
where {{document_in_scope}} and d.name > %(after)s and d.name >= %(name_from)s
    and (%(name_until)s::text is null or d.name < %(name_until)s)
    and (%(archived)s::boolean is null or d.archived = %(archived)s)
    and {{readable_version}}
    and (%(categories_any)s::text[] is null or v.categories && %(categories_any)s)
    and (%(tags_any)s::text[] is null or v.tags && %(tags_any)s)
order by d.name limit %(size)s

-- name: versions
-- Versions of a document below one that a reader may see, the newest first.
select {{document_columns}} from documents d
join document_versions n on n.tenant_id = d.tenant_id and n.agent_id = d.agent_id and n.document_id = d.document_id
    and n.version = d.version
join document_versions v on v.tenant_id = d.tenant_id and v.agent_id = d.agent_id and v.document_id = d.document_id
where {{document_in_scope}} and d.document_id = %(document_id)s and v.version < %(before)s
    and {{readable_version}} and {{newest_is_readable}}
order by v.version desc limit %(size)s

-- name: state
-- What changes with every change of a document; for one who holds the lock of the scope.
select d.document_id, d.version, d.archived from documents d where {{document_in_scope}} and {{named_document}}

-- name: put_document
insert into documents (tenant_id, agent_id, document_id, name, version, revision, archived, created_at)
values (%(tenant_id)s, '', %(document_id)s, %(name)s, %(version)s, %(revision)s, %(archived)s, %(created_at)s)
on conflict (tenant_id, agent_id, document_id) do update set version = excluded.version, revision = excluded.revision

-- name: insert_version
insert into document_versions (
    tenant_id, agent_id, document_id, version, text_version, revision, sensitivity, categories, tags, effective_from,
    effective_until, sha256, text_bytes, passages, credential, updated_at, key_id, details, sealed_details)
values (%(tenant_id)s, '', %(document_id)s, %(version)s, %(text_version)s, %(revision)s, %(sensitivity)s,
    %(categories)s, %(tags)s, %(effective_from)s, %(effective_until)s, %(sha256)s, %(text_bytes)s, %(passages)s,
    %(credential)s, %(updated_at)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: insert_text
insert into document_texts (tenant_id, agent_id, document_id, version, key_id, details, sealed_details)
values (%(tenant_id)s, '', %(document_id)s, %(version)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: keep_passages
-- Passages that a new version has, too, as that has them: their texts, and so their terms and vectors, are the same.
with next as (select %(revision)s::bigint - 1 as before)
{{keep_passages}}

-- name: lock_scope
-- Locks the scope at its next revision, so that the statement behind it sees whatever was committed before. Blocked values are
-- looked for when the scope is locked.
{{lock_scope}}

-- name: put_version
-- A version of a document behind the one that was read, at the revision at which the scope was locked: its text, its few
-- passages, new ones with vectors, and its request. Its number is null, which no column takes, where the document is another by now.
with next as (
    select s.revision - 1 as before from ({{scope_revision}}) s
), numbered as (
    select case when found = same and found = least(%(version)s::bigint - 1, 1) then %(version)s::bigint end as version from (
        select count(*) as found, count(*) filter (
            where d.document_id = %(document_id)s and d.version = %(version)s::bigint - 1 and d.archived = %(archived)s) as same
        from documents d where {{document_in_scope}} and d.name = %(name)s
    ) d
), document as (
    insert into documents (tenant_id, agent_id, document_id, name, version, revision, archived, created_at)
    select %(tenant_id)s, '', %(document_id)s, %(name)s, numbered.version, next.before + 1, %(archived)s, %(created_at)s
    from next cross join numbered
    on conflict (tenant_id, agent_id, document_id) do update set version = excluded.version, revision = excluded.revision
), version as (
    insert into document_versions (
        tenant_id, agent_id, document_id, version, text_version, revision, sensitivity, categories, tags, effective_from,
        effective_until, sha256, text_bytes, passages, credential, updated_at, key_id, details)
    select %(tenant_id)s, '', %(document_id)s, %(version)s, %(text_version)s, next.before + 1, %(sensitivity)s,
        %(categories)s, %(tags)s, %(effective_from)s, %(effective_until)s, %(sha256)s, %(text_bytes)s, %(passages)s,
        %(credential)s, %(updated_at)s, '', %(details)s
    from next
), text as (
    insert into document_texts (tenant_id, agent_id, document_id, version, key_id, details)
    select %(tenant_id)s, '', %(document_id)s, %(version)s, '', jsonb_build_object('text', %(text)s::text)
    where %(text)s::text is not null
), kept as (
    {{keep_passages}}
), gone as (
    delete from memories m where {{in_scope}} and m.memory_id = any(%(gone)s::uuid[])
    returning m.memory_id, m.term_count
), tombstone as (
    insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
    select %(tenant_id)s, %(agent_id)s, next.before + 1, g.memory_id, %(now)s, true from next cross join gone g
), chunk as (
    {{insert_chunks}}
    returning term_count
), vector as (
    {{insert_vectors}}
), counted as (
    update scopes s set
        memory_count = s.memory_count + n.chunks - g.chunks, chunk_count = s.chunk_count + n.chunks - g.chunks,
        term_count = s.term_count + n.terms - g.terms
    from (select count(*) as chunks, coalesce(sum(term_count), 0) as terms from chunk) n,
        (select count(*) as chunks, coalesce(sum(term_count), 0) as terms from gone) g
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, %(agent_id)s, %(request_id)s, %(content_digest)s, %(facts)s, next.before + 1, %(now)s
    from next where %(request_id)s::text is not null
), audit as (
    {{insert_audit}}
)
select next.before + 1 as revision from next

-- name: archive
update documents d set archived = %(archived)s, revision = %(revision)s
where {{document_in_scope}} and d.document_id = %(document_id)s

-- name: archive_passages
update memories m set archived = %(archived)s, revision = %(revision)s, updated_at = %(now)s
where {{in_scope}} and m.kind = 33 and m.source_refs[1] = %(document_id)s::uuid::text and m.archived <> %(archived)s

-- name: delete
-- With every version and its text.
delete from documents d where {{document_in_scope}} and d.document_id = %(document_id)s

-- name: count_versions
select count(*) from document_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = '' and v.document_id = %(document_id)s

-- fragment: keep_passages
update memories m set
    revision = next.before + 1, version = n.version, occurred_at = n.occurred_at, tags = n.tags, sensitivity = n.sensitivity,
    metadata = n.metadata, expires_at = n.expires_at, archived = n.archived, updated_at = n.updated_at,
    credential = n.credential, key_id = n.key_id, sealed = n.sealed
from next cross join json_to_recordset(%(rows)s::json) as n (
    memory_id uuid, version bigint, occurred_at timestamptz, tags text[], sensitivity smallint, metadata jsonb,
    expires_at timestamptz, archived boolean, updated_at timestamptz, credential text, key_id text, sealed bytea)
where {{in_scope}} and m.memory_id = n.memory_id

-- fragment: document_columns
d.document_id, d.agent_id, d.name, d.archived, d.revision, d.created_at, v.version, v.text_version, v.sha256, v.text_bytes, v.passages,
v.sensitivity, v.categories, v.tags, v.effective_from, v.effective_until, v.updated_at, v.credential, v.key_id, v.details,
v.sealed_details

-- fragment: join_newest
join document_versions v on v.tenant_id = d.tenant_id and v.agent_id = d.agent_id and v.document_id = d.document_id
    and v.version = d.version

-- fragment: document_in_scope
d.tenant_id = %(tenant_id)s and d.agent_id = ''

-- fragment: named_document
(d.name = %(name)s::text or d.document_id = %(document_id)s::uuid)

-- fragment: readable_version
v.sensitivity = any(%(sensitivities)s::smallint[]) and (%(granted)s::text[] is null or v.categories && %(granted)s)

-- fragment: newest_is_readable
n.sensitivity = any(%(sensitivities)s::smallint[]) and (%(granted)s::text[] is null or n.categories && %(granted)s)
