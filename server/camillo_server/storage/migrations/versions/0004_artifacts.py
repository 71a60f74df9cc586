"""Artifacts: what is said about them, their contents in parts, uploads under way, and which memories cite them."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

TABLES = """
-- Bytes of artifacts, each kept once in its tenant. place: 1 Postgres, 2 at least one part may be outside.
-- state: 1 being written, 2 ready, 3 condemned: nobody has it any more, and its bytes are being removed.
-- changed_at: when it became ready, or else was begun. The fingerprint tells equal contents of a tenant; that of a sealed one is made with a key.
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
    constraint uploads_pkey primary key (tenant_id, agent_id, upload_id),
    constraint uploads_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint uploads_content_fkey foreign key (tenant_id, content_id) references contents on delete cascade,
    constraint uploads_artifact_fkey foreign key (tenant_id, artifact_id) references artifacts on delete cascade
) with (fillfactor = 50);
create index uploads_content_idx on uploads (tenant_id, content_id);
create index uploads_artifact_idx on uploads (tenant_id, artifact_id) where artifact_id is not null;
create index uploads_created_idx on uploads (tenant_id, created_at);

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
"""

POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""

# The form of a memory ref is that of domain/memory_ref.py. The conditions of the triggers keep a memory that cites
# nothing from calling anything.
CITATIONS = r"""
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

create function keep_memory_citations() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from camillo.memory_citations
        where tenant_id = old.tenant_id and agent_id = old.agent_id and memory_id = old.memory_id;
    end if;
    insert into camillo.memory_citations (tenant_id, agent_id, artifact_id, memory_id)
    select new.tenant_id, new.agent_id, cited, new.memory_id
    from camillo.artifacts_cited(new.content, new.source_refs) as cited;
    return null;
end
$$;

create trigger memories_cite_when_inserted after insert on memories for each row
    when (new.source_refs <> '{}' or new.content like '%[MemoryRef: %')
    execute function keep_memory_citations();
create trigger memories_cite_when_updated after update of content, source_refs on memories for each row
    when (new.source_refs <> '{}' or new.content like '%[MemoryRef: %'
        or old.source_refs <> '{}' or old.content like '%[MemoryRef: %')
    execute function keep_memory_citations();
"""

BACKFILL = """
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        insert into memory_citations (tenant_id, agent_id, artifact_id, memory_id)
        select m.tenant_id, m.agent_id, cited, m.memory_id
        from memories m, artifacts_cited(m.content, m.source_refs) as cited
        where m.source_refs <> '{}' or m.content like '%[MemoryRef: %';
    end loop;
end $$;
"""

NEW_TABLES = ("contents", "content_parts", "artifacts", "uploads", "memory_citations")


def upgrade() -> None:
    op.execute(TABLES)
    for table in NEW_TABLES:
        op.execute(POLICY.format(table=table))
    op.execute(CITATIONS)
    op.execute(BACKFILL)


def downgrade() -> None:
    op.execute("drop trigger memories_cite_when_inserted on memories")
    op.execute("drop trigger memories_cite_when_updated on memories")
    op.execute("drop function keep_memory_citations")
    op.execute("drop function artifacts_cited")
    for table in ("memory_citations", "uploads", "artifacts", "content_parts", "contents"):
        op.execute(f"drop table {table}")
