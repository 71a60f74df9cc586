"""Documents of a tenant in all of their versions; their passages are chunks."""

from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

# A version that changes only what is said about a document has the text of the version before: `text_version` says
# whose. The fields that lists show are stored apart from the texts, so that a page of a list reads none.
TABLES = """
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
"""
# An older release knows no passages.
DELETE_CHUNKS = """
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        with gone as (
            delete from memories where tenant_id = each_tenant and kind = 33 returning agent_id, term_count
        )
        update scopes s set memory_count = s.memory_count - g.chunks, chunk_count = s.chunk_count - g.chunks,
            term_count = s.term_count - g.terms
        from (select agent_id, count(*) as chunks, sum(term_count) as terms from gone group by agent_id) g
        where s.tenant_id = each_tenant and s.agent_id = g.agent_id;
    end loop;
end $$
"""
# The same policies as in 0028.
POLICIES = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on {table} as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
create policy agent_inserts on {table} as restrictive for insert with check ({is_own});
create policy agent_updates on {table} as restrictive for update using ({is_own});
create policy agent_deletes on {table} as restrictive for delete using ({is_own});
"""
IS_OWN = """
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""


def upgrade() -> None:
    op.execute(TABLES)
    for table in ("documents", "document_versions", "document_texts"):
        op.execute(POLICIES.format(table=table, is_own=IS_OWN))
    op.execute("alter table document_versions alter column details set statistics 0")
    op.execute("alter table document_texts alter column details set statistics 0")


def downgrade() -> None:
    op.execute(DELETE_CHUNKS)
    op.execute("drop table document_texts, document_versions, documents")
