"""Tenants, scopes, keys, memories with history, vectors, access statistics, requests."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = """
create table database_identity (
    database_id uuid not null,
    only_row boolean not null default true,
    constraint database_identity_pkey primary key (only_row),
    constraint database_identity_only_row check (only_row)
);
insert into database_identity (database_id) values (gen_random_uuid());

create table tenants (
    tenant_id text collate "C" not null,
    display_name text not null,
    created_at timestamptz not null,
    constraint tenants_pkey primary key (tenant_id)
);

-- One row per (tenant, agent). Its revision is incremented inside every writing transaction, which makes the
-- writers of a scope take turns and the counter gap-free and in commit order. It begins with the microseconds since
-- 1970, so that a scope that is removed and made again goes on above what anyone has seen of it. A deleted agent's
-- row stays, for the tombstones of what it had; its next write brings it back.
create table scopes (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    revision bigint not null,
    memory_count bigint not null,
    term_count bigint not null,
    display_name text not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    constraint scopes_pkey primary key (tenant_id, agent_id),
    constraint scopes_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
) with (fillfactor = 50);

create table api_keys (
    tenant_id text collate "C" not null,
    key_id text collate "C" not null,
    agent_id text collate "C",
    secret_digest bytea not null,
    role smallint not null,
    description text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    constraint api_keys_pkey primary key (tenant_id, key_id),
    constraint api_keys_secret_digest_key unique (secret_digest),
    constraint api_keys_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);

-- `terms` holds the index terms of the content, each behind a short prefix of its scope, so that the inverted
-- index answers for one scope without reading another's rows; the positions of a term only count it. `term_codes` holds the same terms as
-- numbers with their counts, in the form that an index in memory is loaded from (domain/term_codes.py).
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
    constraint memories_pkey primary key (tenant_id, agent_id, memory_id),
    constraint memories_content_length check (char_length(content) between 1 and 2000),
    constraint memories_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index memories_revision_idx on memories (tenant_id, agent_id, revision, memory_id);
create index memories_created_idx on memories (tenant_id, agent_id, created_at, memory_id);
create index memories_without_vector_idx on memories (tenant_id, agent_id, memory_id) where vector_model_id = '';
-- What a recall without conditions leaves out.
create index memories_hideable_idx on memories (tenant_id, agent_id, memory_id)
    where archived or expires_at is not null;
-- What stands beside a memory in its session.
create index memories_session_idx on memories (tenant_id, agent_id, session_id, occurred_at, memory_id)
    where session_id <> '';
-- A search reads the whole pending list: 256 kB keep that under a millisecond.
create index memories_terms_idx on memories using gin (terms) with (gin_pending_list_limit = 256);

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
    constraint memory_history_pkey primary key (tenant_id, agent_id, memory_id, version),
    constraint memory_history_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);

create table memory_vectors (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    model_id text not null,
    embedding vector not null,
    constraint memory_vectors_pkey primary key (tenant_id, agent_id, memory_id, model_id),
    constraint memory_vectors_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
-- Exact search reads every vector of a scope: kept in the row as long as it fits a page, and not compressed.
alter table memory_vectors alter column embedding set storage external;
alter table memory_vectors set (toast_tuple_target = 8160);

create table memory_access (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    accessed_at timestamptz,
    access_count bigint not null,
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
    constraint memory_tombstones_pkey primary key (tenant_id, agent_id, revision, memory_id),
    constraint memory_tombstones_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

-- One row per mutation that carried a request id: what was asked, as a digest, and what was answered, as facts
-- from which the answer is made again.
create table requests (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    request_id text collate "C" not null,
    content_digest bytea not null,
    facts jsonb not null,
    revision bigint not null,
    created_at timestamptz not null,
    constraint requests_pkey primary key (tenant_id, agent_id, request_id),
    constraint requests_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
create index requests_created_idx on requests (tenant_id, created_at);
"""

TENANT_TABLES = (
    "tenants",
    "scopes",
    "api_keys",
    "memories",
    "memory_history",
    "memory_vectors",
    "memory_access",
    "memory_tombstones",
    "requests",
)

# Forced, so that it binds the owner of the tables too. `camillo.tenant` is set by the server for each
# connection it hands out (storage/database.py); unset, it is null, and no row passes.
POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""

# Two doors beside it. A key is looked up before its tenant is known, but only by whoever has its secret; the list
# of tenants is read by root and by background work, which then enters one tenant after the other.
DOORS = """
create policy key_holder on api_keys for select
    using (secret_digest = decode(nullif(current_setting('camillo.key_digest', true), ''), 'hex'));
create policy tenant_list on tenants for select
    using (current_setting('camillo.tenant_list', true) = 'on');
"""


def upgrade() -> None:
    op.execute(TABLES)
    for table in TENANT_TABLES:
        op.execute(POLICY.format(table=table))
    op.execute(DOORS)


def downgrade() -> None:
    for table in reversed((*TENANT_TABLES, "database_identity")):
        op.execute(f"drop table {table} cascade")
