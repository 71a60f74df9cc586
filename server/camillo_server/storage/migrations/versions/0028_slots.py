"""Slots: JSON by key, each with every version that it had."""

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

# A path is a key with chr(1) in the place of `/`: in the order of its bytes, what stands below a key follows it
# directly, and is a range that row-level security lets an index find. Kind: that of the chunk; a tombstone has none.
# The content of a version is in `details`, or in `sealed_details` if it is encrypted.
SLOTS = """
create table slots (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    slot_id uuid not null,
    path text collate "C" not null,
    version bigint not null,
    revision bigint not null,
    kind smallint,
    sensitivity smallint not null,
    type text collate "C" not null,
    tags text[] not null,
    importance double precision not null,
    expired_at timestamptz,
    trigger_at timestamptz,
    updated_at timestamptz not null,
    content_bytes integer not null,
    constraint slots_pkey primary key (tenant_id, agent_id, slot_id),
    constraint slots_path_key unique (tenant_id, agent_id, path),
    constraint slots_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
) with (fillfactor = 70);
create index slots_trigger_idx on slots (tenant_id, agent_id, trigger_at) where trigger_at is not null;

create table slot_versions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    slot_id uuid not null,
    version bigint not null,
    revision bigint not null,
    kind smallint,
    sensitivity smallint not null,
    trust_level smallint not null,
    credential text not null,
    updated_at timestamptz not null,
    content_bytes integer not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint slot_versions_pkey primary key (tenant_id, agent_id, slot_id, version),
    constraint slot_versions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint slot_versions_slot_fkey foreign key (tenant_id, agent_id, slot_id) references slots on delete cascade
);
"""
# The same policies as in 0006 for the tenant, and in 0016 for the agent.
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
TABLES = ("slots", "slot_versions")
# The planner's statistics hold no texts (0019).
TEXTS = {"slots": ("path", "type", "tags"), "slot_versions": ("details",)}

# An older release knows no chunks of slots.
DELETE_CHUNKS = """
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        with gone as (
            delete from memories where tenant_id = each_tenant and kind in (49, 50) returning agent_id, term_count
        )
        update scopes s set memory_count = s.memory_count - g.chunks, chunk_count = s.chunk_count - g.chunks,
            term_count = s.term_count - g.terms
        from (select agent_id, count(*) as chunks, sum(term_count) as terms from gone group by agent_id) g
        where s.tenant_id = each_tenant and s.agent_id = g.agent_id;
    end loop;
end $$
"""


def upgrade() -> None:
    op.execute(SLOTS)
    for table in TABLES:
        op.execute(POLICIES.format(table=table, is_own=IS_OWN))
        for column in TEXTS[table]:
            op.execute(f"alter table {table} alter column {column} set statistics 0")


def downgrade() -> None:
    op.execute(DELETE_CHUNKS)
    for table in reversed(TABLES):
        op.execute(f"drop table {table}")
