-- Memories and chunks, and what belongs to each.

-- Memories and chunks: a kind of 16 and more is a chunk's. `terms` holds the index terms of the content, each behind a
-- short prefix of its scope, so that the inverted index answers for one scope without reading another's rows; the
-- positions of a term only count it. `term_codes` holds the same terms as numbers with their counts, in the form that
-- an index in memory is loaded from. The values of an encrypted row are in `sealed`; the columns that hold them in
-- other rows are empty, and `cited_refs` has the artifacts that its text cites. `fingerprint` is the same for memories
-- of a scope that say exactly the same; null for chunks. `trust_level` 0 is unknown. Validity that is null: unknown,
-- still true.
create table memories (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    revision bigint not null,
    version bigint not null,
    content text not null,
    kind smallint not null,
    session_id text not null,
    occurred_at timestamptz not null,
    tags text[] not null,
    sensitivity smallint not null,
    importance real not null,
    metadata jsonb not null,
    expires_at timestamptz,
    pinned boolean not null,
    archived boolean not null,
    source_refs text[] not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    vector_model_id text not null,
    term_count integer not null,
    terms tsvector not null,
    term_codes bytea not null,
    key_id text collate "C" not null default '',
    sealed bytea,
    cited_refs text[] not null default '{}',
    fingerprint bytea,
    trust_level smallint not null default 0,
    actor text not null default '',
    credential text not null default '',
    valid_from timestamptz,
    valid_until timestamptz,
    supersedes uuid[],
    superseded_by uuid,
    constraint memories_pkey primary key (tenant_id, agent_id, memory_id),
    constraint memories_content_length check (
        case when sealed is null then char_length(content) between 1 and 2000 else content = '' end),
    constraint memories_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index memories_revision_idx on memories (tenant_id, agent_id, revision, memory_id);
-- In which memories are listed; chunks never are.
create index memories_created_idx on memories (tenant_id, agent_id, created_at, memory_id) where kind < 16;
create index memories_without_vector_idx on memories (tenant_id, agent_id, memory_id) where vector_model_id = '';
-- What a recall without conditions leaves out.
create index memories_hideable_idx on memories (tenant_id, agent_id, memory_id)
    where archived or expires_at is not null or kind >= 16;
-- What stands beside a memory in its session.
create index memories_session_idx on memories (tenant_id, agent_id, session_id, occurred_at, memory_id)
    where session_id <> '';
-- A search reads the whole pending list: 256 kB keep that under a millisecond.
create index memories_terms_idx on memories using gin (terms) with (gin_pending_list_limit = 256);
-- Whether there is something that a recall in Postgres cannot look at.
create index memories_sealed_idx on memories (tenant_id, agent_id, sensitivity, kind) where sealed is not null;
-- The chunks of an event or a decision, whose id is the first of their refs.
create index memories_origin_idx on memories (tenant_id, agent_id, (source_refs[1])) where kind >= 16;
-- Summaries, which are put away when something they cite is forgotten.
create index memories_summary_idx on memories (tenant_id, agent_id, memory_id) where kind = 8 and not archived;
-- What a bundle shows without being asked.
create index memories_occurred_idx on memories (tenant_id, agent_id, occurred_at, memory_id)
    where kind < 16 and not archived;
create index memories_pinned_idx on memories (tenant_id, agent_id, importance, memory_id)
    where kind < 16 and not archived and (pinned or 'pinned' = any(tags));
create unique index memories_fingerprint_key on memories (fingerprint, tenant_id) where fingerprint is not null;
-- Rows that a recall without conditions may leave out, beside those in `memories_hideable_idx`.
create index memories_dated_idx on memories (tenant_id, agent_id, memory_id)
    where valid_from is not null or valid_until is not null;
-- What bundles show whatever the query, beside what is pinned: instructions and preferences.
create index memories_standing_idx on memories (tenant_id, agent_id, kind, importance, memory_id)
    where kind in (2, 7) and not archived;
alter table memories
    alter column content set statistics 0, alter column session_id set statistics 0,
    alter column tags set statistics 0, alter column metadata set statistics 0,
    alter column source_refs set statistics 0, alter column terms set statistics 0,
    alter column term_codes set statistics 0, alter column cited_refs set statistics 0,
    alter column fingerprint set statistics 0, alter column actor set statistics 0;

-- The versions that a memory had before.
create table memory_history (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    version bigint not null,
    content text not null,
    kind smallint not null,
    session_id text not null,
    occurred_at timestamptz not null,
    tags text[] not null,
    sensitivity smallint not null,
    importance real not null,
    metadata jsonb not null,
    expires_at timestamptz,
    pinned boolean not null,
    archived boolean not null,
    source_refs text[] not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    vector_model_id text not null,
    replaced_at timestamptz not null,
    key_id text collate "C" not null default '',
    sealed bytea,
    trust_level smallint not null default 0,
    actor text not null default '',
    credential text not null default '',
    valid_from timestamptz,
    valid_until timestamptz,
    supersedes uuid[],
    superseded_by uuid,
    constraint memory_history_pkey primary key (tenant_id, agent_id, memory_id, version),
    constraint memory_history_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
alter table memory_history
    alter column content set statistics 0, alter column session_id set statistics 0,
    alter column tags set statistics 0, alter column metadata set statistics 0,
    alter column source_refs set statistics 0, alter column actor set statistics 0;

-- A text without any feature has no vector; a row with neither `embedding` nor `sealed` tells that it was looked at.
create table memory_vectors (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    model_id text not null,
    embedding vector,
    key_id text collate "C" not null default '',
    sealed bytea,
    constraint memory_vectors_pkey primary key (tenant_id, agent_id, memory_id, model_id),
    constraint memory_vectors_once check (num_nonnulls(embedding, sealed) <= 1),
    constraint memory_vectors_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
-- Exact search reads every vector of a scope: kept in the row as long as it fits a page, and not compressed.
alter table memory_vectors alter column embedding set storage external;
alter table memory_vectors set (toast_tuple_target = 8160);
alter table memory_vectors alter column embedding set statistics 0;

-- When and how often a memory was read, and how often it was stated.
create table memory_access (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    accessed_at timestamptz,
    access_count bigint not null,
    stated_count bigint not null default 1,
    constraint memory_access_pkey primary key (tenant_id, agent_id, memory_id),
    constraint memory_access_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
) with (fillfactor = 70);

-- What is gone, so that deletions travel to followers in revision order like every other change.
create table memory_tombstones (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    revision bigint not null,
    memory_id uuid not null,
    forgotten_at timestamptz not null,
    is_chunk boolean not null default false,
    constraint memory_tombstones_pkey primary key (tenant_id, agent_id, revision, memory_id),
    constraint memory_tombstones_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

-- Which memories name an id among their sources, in small letters. An index on the array could not be used under
-- row-level security, since its operators are not leakproof.
create table memory_sources (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    source_ref text collate "C" not null,
    memory_id uuid not null,
    constraint memory_sources_pkey primary key (tenant_id, agent_id, source_ref, memory_id),
    constraint memory_sources_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
-- The memory first: before there are statistics, an index that begins like the key would be taken in its place.
create index memory_sources_memory_idx on memory_sources (memory_id, tenant_id, agent_id);
alter table memory_sources alter column source_ref set statistics 0;

create function keep_memory_sources() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from camillo.memory_sources
        where tenant_id = old.tenant_id and agent_id = old.agent_id and memory_id = old.memory_id;
    end if;
    insert into camillo.memory_sources (tenant_id, agent_id, source_ref, memory_id)
    select distinct new.tenant_id, new.agent_id, lower(ref), new.memory_id from unnest(new.source_refs) as ref;
    return null;
end
$$;
create trigger memories_rest_when_inserted after insert on memories for each row
    when (new.kind < 16 and new.source_refs <> '{}')
    execute function keep_memory_sources();
create trigger memories_rest_when_updated after update of source_refs on memories for each row
    when (new.kind < 16 and new.source_refs is distinct from old.source_refs)
    execute function keep_memory_sources();

-- Which memories cite which artifacts, whether these are there or not.
create table memory_citations (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    artifact_id text collate "C" not null,
    memory_id uuid not null,
    constraint memory_citations_pkey primary key (tenant_id, agent_id, artifact_id, memory_id),
    constraint memory_citations_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
create index memory_citations_memory_idx on memory_citations (tenant_id, agent_id, memory_id, artifact_id);

-- The form of a memory ref is that of the domain.
create function artifacts_cited(content text, source_refs text[]) returns setof text
language sql immutable parallel safe as $$
    select found[1] from regexp_matches(
        content,
        '\[MemoryRef: ([a-z0-9][a-z0-9_]{2,63})'
            '(?: - (?=\S)[^\[\]\u0001-\u001f\u007f-\u009f\u2028\u2029]*(?<=\S))?\]',
        'g') as found
    union
    select ref from unnest(source_refs) as ref where ref ~ '^[a-z0-9][a-z0-9_]{2,63}$'
$$;

-- Keeps citations of memories alone. The conditions of the triggers keep a memory that cites nothing from calling
-- anything.
create function keep_memory_citations() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from camillo.memory_citations
        where tenant_id = old.tenant_id and agent_id = old.agent_id and memory_id = old.memory_id;
    end if;
    insert into camillo.memory_citations (tenant_id, agent_id, artifact_id, memory_id)
    select new.tenant_id, new.agent_id, cited, new.memory_id
    from camillo.artifacts_cited(new.content, new.source_refs || new.cited_refs) as cited;
    return null;
end
$$;
create trigger memories_cite_when_inserted after insert on memories for each row
    when (new.kind < 16
        and (new.source_refs <> '{}' or new.cited_refs <> '{}' or new.content like '%[MemoryRef: %'))
    execute function keep_memory_citations();
create trigger memories_cite_when_updated after update of content, source_refs, cited_refs on memories for each row
    when (new.kind < 16
        and (new.source_refs <> '{}' or new.cited_refs <> '{}' or new.content like '%[MemoryRef: %'
            or old.source_refs <> '{}' or old.cited_refs <> '{}' or old.content like '%[MemoryRef: %'))
    execute function keep_memory_citations();

-- Counts the bytes of each scope's memories as stored, whoever writes, and in whatever way. Writers have locked the
-- scope before. Chunks repeat what events are counted for.
do $each$
declare
    each_event text;
    bytes text := 'octet_length(content) + coalesce(octet_length(sealed), 0)';
    added text := format('select tenant_id, agent_id, %s as bytes from added where kind < 16', bytes);
    removed text := format('select tenant_id, agent_id, -(%s) as bytes from removed where kind < 16', bytes);
    changes text;
    rows text;
begin
    for each_event, changes, rows in
        values ('insert', added, 'new table as added'), ('delete', removed, 'old table as removed'),
            ('update', added || ' union all ' || removed, 'old table as removed new table as added')
    loop
        execute format($do$
create function count_memory_bytes_on_%1$s() returns trigger language plpgsql as $$
begin
    update camillo.scopes s set memory_bytes = s.memory_bytes + c.bytes from (
        select tenant_id, agent_id, sum(bytes) as bytes from (%2$s) each_row
        group by tenant_id, agent_id having sum(bytes) <> 0
    ) c where s.tenant_id = c.tenant_id and s.agent_id = c.agent_id;
    return null;
end
$$;
create trigger memory_bytes_on_%1$s after %1$s on memories
    referencing %3$s for each statement execute function count_memory_bytes_on_%1$s();
$do$, each_event, changes, rows);
    end loop;
end $each$;

-- Compares metadata as filters of memories do: a function, since the statements that filter are long, and most filters
-- compare nothing. `stored` is metadata with its occurrences: one statement has to fulfil every condition.
create function meets_conditions(stored jsonb, conditions jsonb) returns boolean
language sql immutable parallel safe
begin atomic
    select exists (
        select from (
            select stored as told
            union all select o -> 'metadata' from jsonb_array_elements(stored -> '' -> 'kept') o
        ) s where not exists (
            select from jsonb_array_elements(conditions) c
            cross join lateral (
                select s.told -> (c ->> 'key') as found, s.told ->> (c ->> 'key') as text, c -> 'operand' as operand
            ) v
            where (case c ->> 'operator'
                when 'exists' then (v.found is not null) = v.operand::boolean
                when 'ne' then v.found is distinct from v.operand
                when 'in' then v.found is not null and v.operand @> jsonb_build_array(v.found)
                else c -> 'signs' @> case jsonb_typeof(v.found) || jsonb_typeof(v.operand)
                    when 'numbernumber' then to_jsonb(sign(v.found::numeric - v.operand::numeric))
                    when 'stringstring' then to_jsonb(case when v.found = v.operand then 0
                        when v.text collate "C" < c ->> 'operand' then -1 else 1 end)
                end
            end) is not true
        )
    );
end;

-- Memories whose source says something else since they were derived from it. One that was updated, restored or stated
-- again since, and so has another version, is not stale any more.
create table stale_memories (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    version bigint not null,
    source_ref text collate "C" not null,
    since timestamptz not null,
    constraint stale_memories_pkey primary key (tenant_id, agent_id, memory_id),
    constraint stale_memories_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);

-- Memories that became one, and what they were. `details` holds the merged text, the tag and what would be lost. A
-- `refusal` of 0 is none.
create table compactions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    compaction_id uuid not null,
    state smallint not null,
    reason smallint not null,
    refusal smallint not null,
    sensitivity smallint not null,
    source_ids uuid[] not null,
    source_versions bigint[] not null,
    memory_id uuid,
    summary_model_id text not null,
    created_at timestamptz not null,
    committed_at timestamptz,
    reverted_at timestamptz,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint compactions_pkey primary key (tenant_id, agent_id, compaction_id),
    constraint compactions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint compactions_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index compactions_created_idx on compactions (tenant_id, agent_id, created_at, compaction_id);
create index compactions_memory_idx on compactions (tenant_id, agent_id, memory_id) where memory_id is not null;
alter table compactions alter column details set statistics 0;
