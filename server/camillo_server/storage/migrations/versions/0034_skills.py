"""Skills of agents and tenants, in every version that is kept, and those of the operator for all tenants."""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

# The newest version of each, and all of them. Global ones have no tenant: every session reads them.
TABLES = """
create table skills (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    name text collate "C" not null,
    version bigint not null,
    revision bigint not null,
    constraint skills_pkey primary key (tenant_id, agent_id, name),
    constraint skills_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
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
"""
# The same policies as in 0031.
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
# Whoever is bound to a tenant reads them and cannot write them.
GLOBAL_POLICIES = """
alter table global_skills enable row level security;
alter table global_skills force row level security;
create policy every_tenant_reads on global_skills for select using (true);
create policy no_tenant_inserts on global_skills for insert with check (current_setting('camillo.tenant', true) = '');
create policy no_tenant_updates on global_skills for update using (current_setting('camillo.tenant', true) = '');
create policy no_tenant_deletes on global_skills for delete using (current_setting('camillo.tenant', true) = '');
"""


def upgrade() -> None:
    op.execute(TABLES)
    for table in ("skills", "skill_versions"):
        op.execute(POLICIES.format(table=table, is_own=IS_OWN))
    op.execute(GLOBAL_POLICIES)
    for table in ("skill_versions", "global_skills"):
        for column in ("description", "allowed_tools", "front_matter", "text"):
            op.execute(f"alter table {table} alter column {column} set statistics 0")


def downgrade() -> None:
    op.execute("drop table global_skills, skill_versions, skills")
