-- Artifacts, documents, skills and links; views, recipes, handoffs and runs.

-- Bytes of artifacts, each kept once in its tenant. place: 1 Postgres, 2 at least one part may be outside. state: 1
-- being written, 2 ready, 3 condemned: nobody has it any more, and its bytes are being removed. changed_at: when it
-- became ready, or else was begun. The fingerprint tells equal contents of a tenant; that of a sealed one is made with
-- a key.
create table contents (
    tenant_id text collate "C" not null,
    content_id uuid not null,
    fingerprint bytea,
    size bigint not null,
    stored_bytes bigint not null,
    part_count integer not null,
    is_sealed boolean not null,
    place smallint not null,
    state smallint not null,
    created_at timestamptz not null,
    changed_at timestamptz not null,
    constraint contents_pkey primary key (tenant_id, content_id),
    constraint contents_fingerprint_key unique (tenant_id, fingerprint),
    constraint contents_fingerprint_of_ready check ((fingerprint is not null) = (state = 2)),
    constraint contents_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
create index contents_unready_idx on contents (tenant_id, content_id) where state <> 2;
-- What counts for a tenant's quota.
create index contents_size_idx on contents (tenant_id) include (size) where state = 2;

-- The bytes are compressed already, or sealed; null where they are outside.
create table content_parts (
    tenant_id text collate "C" not null,
    content_id uuid not null,
    number integer not null,
    first_line bigint not null,
    size integer not null,
    stored_size integer not null,
    codec smallint not null,
    key_id text collate "C" not null,
    bytes bytea,
    generation integer not null default 0,
    constraint content_parts_pkey primary key (tenant_id, content_id, number),
    constraint content_parts_content_fkey foreign key (tenant_id, content_id) references contents on delete cascade
);
alter table content_parts alter column bytes set storage external;

-- What lists are filtered by has columns of its own. All else is in `details`, or in `sealed_details` if it is
-- encrypted. Contents are checked at the commit: a tenant's rows go in no certain order.
create table artifacts (
    tenant_id text collate "C" not null,
    artifact_id text collate "C" not null,
    agent_id text collate "C" not null,
    created_by text collate "C" not null,
    content_id uuid not null,
    kind smallint not null,
    session_id text not null,
    tool text not null,
    tags text[] not null,
    sensitivity smallint not null,
    size bigint not null,
    pinned boolean not null,
    expires_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    version bigint not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint artifacts_pkey primary key (tenant_id, artifact_id),
    constraint artifacts_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint artifacts_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade,
    constraint artifacts_content_fkey foreign key (tenant_id, content_id) references contents
        deferrable initially deferred
);
create index artifacts_created_idx on artifacts (tenant_id, agent_id, created_at, artifact_id);
create index artifacts_session_idx on artifacts (tenant_id, agent_id, session_id, created_at, artifact_id)
    where session_id <> '';
create index artifacts_tool_idx on artifacts (tenant_id, agent_id, tool, created_at, artifact_id) where tool <> '';
create index artifacts_content_idx on artifacts (tenant_id, content_id);
create index artifacts_expiry_idx on artifacts (tenant_id, expires_at) where expires_at is not null;
create index artifacts_retention_idx on artifacts (tenant_id, created_at) where not pinned;
alter table artifacts
    alter column session_id set statistics 0, alter column tool set statistics 0, alter column tags set statistics 0,
    alter column details set statistics 0;

-- How far uploads have come. What their headers and bytes hashed to, and the secrets found, are in `details`, or in
-- `sealed_details` if the content is encrypted: a bare hash of it would tell what it is.
create table uploads (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    upload_id uuid not null,
    content_id uuid not null,
    held_bytes bigint not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    artifact_id text collate "C",
    created_at timestamptz not null,
    generation integer not null default 0,
    constraint uploads_pkey primary key (tenant_id, agent_id, upload_id),
    constraint uploads_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint uploads_content_fkey foreign key (tenant_id, content_id) references contents on delete cascade,
    constraint uploads_artifact_fkey foreign key (tenant_id, artifact_id) references artifacts on delete cascade
) with (fillfactor = 50);
create index uploads_content_idx on uploads (tenant_id, content_id);
create index uploads_artifact_idx on uploads (tenant_id, artifact_id) where artifact_id is not null;
create index uploads_created_idx on uploads (tenant_id, created_at);
alter table uploads alter column details set statistics 0;

-- Documents of a tenant in all of their versions; their passages are chunks.
create table documents (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    document_id uuid not null,
    name text collate "C" not null,
    version bigint not null,
    revision bigint not null,
    archived boolean not null,
    created_at timestamptz not null,
    constraint documents_pkey primary key (tenant_id, agent_id, document_id),
    constraint documents_name_key unique (tenant_id, agent_id, name),
    constraint documents_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

-- A version that changes only what is said about a document has the text of the version before: `text_version` says
-- whose. The fields that lists show are stored apart from the texts, so that a page of a list reads none.
create table document_versions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    document_id uuid not null,
    version bigint not null,
    text_version bigint not null,
    revision bigint not null,
    sensitivity smallint not null,
    categories text[] not null,
    tags text[] not null,
    effective_from timestamptz,
    effective_until timestamptz,
    sha256 bytea not null,
    text_bytes bigint not null,
    passages integer not null,
    credential text collate "C" not null,
    updated_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint document_versions_pkey primary key (tenant_id, agent_id, document_id, version),
    constraint document_versions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint document_versions_document_fkey foreign key (tenant_id, agent_id, document_id)
        references documents on delete cascade
);
alter table document_versions alter column details set statistics 0;

create table document_texts (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    document_id uuid not null,
    version bigint not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint document_texts_pkey primary key (tenant_id, agent_id, document_id, version),
    constraint document_texts_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint document_texts_version_fkey foreign key (tenant_id, agent_id, document_id, version)
        references document_versions on delete cascade
);
alter table document_texts alter column details set statistics 0;

-- The newest version of each skill.
create table skills (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    name text collate "C" not null,
    version bigint not null,
    revision bigint not null,
    constraint skills_pkey primary key (tenant_id, agent_id, name),
    constraint skills_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

-- Every version of a skill that is kept.
create table skill_versions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    name text collate "C" not null,
    version bigint not null,
    updated_at timestamptz not null,
    description text not null,
    allowed_tools text[] not null,
    front_matter jsonb not null,
    sha256 bytea not null,
    tokens integer not null,
    is_data boolean not null,
    credential text collate "C" not null,
    content_bytes integer not null,
    text text not null,
    constraint skill_versions_pkey primary key (tenant_id, agent_id, name, version),
    constraint skill_versions_skill_fkey foreign key (tenant_id, agent_id, name) references skills on delete cascade
);
alter table skill_versions
    alter column description set statistics 0, alter column allowed_tools set statistics 0,
    alter column front_matter set statistics 0, alter column text set statistics 0;

-- Skills of the operator have no tenant: every session reads them.
create table global_skills (
    name text collate "C" not null,
    version bigint not null,
    updated_at timestamptz not null,
    description text not null,
    allowed_tools text[] not null,
    front_matter jsonb not null,
    sha256 bytea not null,
    tokens integer not null,
    is_data boolean not null,
    credential text collate "C" not null,
    content_bytes integer not null,
    text text not null,
    constraint global_skills_pkey primary key (name, version)
);
alter table global_skills
    alter column description set statistics 0, alter column allowed_tools set statistics 0,
    alter column front_matter set statistics 0, alter column text set statistics 0;

-- `is_data` null: put before it was kept. Then those of the tenant are its instructions, and those of agents are data.
create table views (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    name text collate "C" not null,
    sensitivity smallint not null,
    version bigint not null,
    updated_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    is_data boolean,
    constraint views_pkey primary key (tenant_id, agent_id, name),
    constraint views_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint views_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
alter table views alter column details set statistics 0;

-- Recipes of a tenant, as YAML.
create table recipes (
    tenant_id text collate "C" not null,
    name text collate "C" not null,
    recipe text not null,
    updated_at timestamptz not null,
    constraint recipes_pkey primary key (tenant_id, name),
    constraint recipes_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
alter table recipes alter column recipe set statistics 0;

-- A handoff lies in the scope of the agent that it is for.
create table handoffs (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    handoff_id uuid not null,
    from_agent_id text collate "C" not null,
    session_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    details jsonb not null,
    constraint handoffs_pkey primary key (tenant_id, agent_id, handoff_id),
    constraint handoffs_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index handoffs_created_idx on handoffs (tenant_id, agent_id, created_at, handoff_id);
create index handoffs_from_idx on handoffs (tenant_id, from_agent_id);
alter table handoffs alter column session_id set statistics 0, alter column details set statistics 0;

-- Short-term memory of a run: `details` has its trigger and focus; `bytes` counts all that the entries tell.
create table runs (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    run_id uuid not null,
    session_id text not null,
    sensitivity smallint not null,
    max_tokens integer not null,
    idle_seconds integer not null,
    rounds integer not null,
    instructions integer not null,
    bytes bigint not null,
    started_at timestamptz not null,
    active_at timestamptz not null,
    ends_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint runs_pkey primary key (tenant_id, agent_id, run_id),
    constraint runs_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint runs_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
) with (fillfactor = 70);
create index runs_ends_idx on runs (tenant_id, ends_at);
alter table runs alter column session_id set statistics 0, alter column details set statistics 0;

-- kind: 1 a round, 2 an instruction, 3 what the round of the same place comes to.
create table run_entries (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    run_id uuid not null,
    kind smallint not null,
    place integer not null,
    appended_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint run_entries_pkey primary key (tenant_id, agent_id, run_id, kind, place),
    constraint run_entries_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint run_entries_run_fkey foreign key (tenant_id, agent_id, run_id) references runs on delete cascade
);
alter table run_entries alter column details set statistics 0;

-- Links between memories, events, slots, decisions and documents of a scope. A link holds ids alone. It names the
-- numbers of the sources beside them, which the ids tell apart by themselves. A document of the tenant's shared scope
-- is a foreign key, since an agent's links are out of reach for whoever deletes the document, and it may be deleted
-- while it is being linked: keys are checked beside policies.
create table links (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    from_id uuid not null,
    to_id uuid not null,
    type smallint not null,
    from_source smallint not null,
    to_source smallint not null,
    created_at timestamptz not null,
    credential text collate "C" not null,
    documents_of text collate "C" generated always as ('') stored,
    from_document uuid generated always as (case when from_source = 3 and agent_id <> '' then from_id end) stored,
    to_document uuid generated always as (case when to_source = 3 and agent_id <> '' then to_id end) stored,
    constraint links_pkey primary key (tenant_id, agent_id, from_id, to_id, type),
    constraint links_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade,
    constraint links_from_document_fkey foreign key (tenant_id, documents_of, from_document)
        references documents on delete cascade,
    constraint links_to_document_fkey foreign key (tenant_id, documents_of, to_document)
        references documents on delete cascade,
    constraint links_known check (type between 1 and 4 and from_source between 1 and 5 and to_source between 1 and 5),
    constraint links_of_two check (from_id <> to_id)
);
create index links_to_idx on links (tenant_id, agent_id, to_id);
create index links_from_document_idx on links (tenant_id, from_document) where from_document is not null;
create index links_to_document_idx on links (tenant_id, to_document) where to_document is not null;
alter table links alter column credential set statistics 0;

-- Deletes the links of a deleted row, in whatever way it is deleted. Where a whole scope goes, the foreign key does
-- it.
do $each$
declare
    each_table text;
    id text;
begin
    for each_table, id in
        values ('memories', 'memory_id'), ('events', 'event_id'), ('documents', 'document_id'), ('slots', 'slot_id'),
            ('decisions', 'decision_id')
    loop
        execute format($do$
create function remove_links_of_%1$s() returns trigger language plpgsql as $$
begin
    if exists (select from camillo.links l where l.tenant_id = current_setting('camillo.tenant', true)) then
        with led_from as (
            delete from camillo.links l using gone g
            where l.tenant_id = g.tenant_id and l.agent_id = g.agent_id and l.from_id = g.%2$s
            returning l.tenant_id, l.agent_id
        ), led_to as (
            delete from camillo.links l using gone g
            where l.tenant_id = g.tenant_id and l.agent_id = g.agent_id and l.to_id = g.%2$s
            returning l.tenant_id, l.agent_id
        )
        update camillo.scopes s set links_revision = s.revision
        where (s.tenant_id, s.agent_id) in (select * from led_from union select * from led_to);
    end if;
    return null;
end
$$;
create trigger %1$s_take_links_along after delete on %1$s referencing old table as gone
    for each statement execute function remove_links_of_%1$s();
$do$, each_table, id);
    end loop;
end $each$;
