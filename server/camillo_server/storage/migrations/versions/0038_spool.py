"""Spooled writes that could not be stored, and what tenants want of their writes while Postgres is away."""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

# A tenant without a row has its writes spooled. The owner's function below reads those of all tenants.
SPOOL_POLICIES = """
create table spool_policies (
    tenant_id text collate "C" not null,
    policy smallint not null,
    constraint spool_policies_pkey primary key (tenant_id),
    constraint spool_policies_known check (policy between 1 and 3),
    constraint spool_policies_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
alter table spool_policies enable row level security;
alter table spool_policies force row level security;
create policy tenant_isolation on spool_policies
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy tenant_list on spool_policies for select to current_user
    using (current_setting('camillo.tenant_list', true) = 'on');

create function tenants_with_spool_policies() returns table (tenant text, wanted smallint)
language plpgsql security definer set search_path = camillo, pg_catalog, pg_temp as $$
begin
    perform set_config('camillo.tenant_list', 'on', true);
    return query select p.tenant_id::text, p.policy from spool_policies p;
    perform set_config('camillo.tenant_list', '', true);
end $$;
"""
# `details` has the request as JSON, encrypted where there are keys; neither where it had a forgotten value, or could
# not be read. The table refers to no scope: that of a failed write may not be there yet.
FAILURES = """
create table spool_failures (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    spool_id uuid not null,
    method text collate "C" not null,
    request_id text not null,
    content_digest bytea not null,
    has_request_id boolean not null,
    caller jsonb not null,
    accepted_at timestamptz not null,
    byte_count bigint not null,
    reason text not null,
    message text not null,
    failed_at timestamptz not null,
    key_id text not null,
    details jsonb,
    sealed_details bytea,
    constraint spool_failures_pkey primary key (tenant_id, agent_id, spool_id),
    constraint spool_failures_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
create index spool_failures_order_idx on spool_failures (tenant_id, accepted_at, spool_id);
alter table spool_failures alter column details set statistics 0;
alter table spool_failures alter column sealed_details set statistics 0;
alter table spool_failures enable row level security;
alter table spool_failures force row level security;
create policy tenant_isolation on spool_failures
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on spool_failures as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
"""
WRITES = """
create policy agent_{name} on spool_failures as restrictive for {command} {kind} (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end);
"""


def upgrade() -> None:
    op.execute(SPOOL_POLICIES)
    op.execute(FAILURES)
    op.execute(WRITES.format(name="inserts", command="insert", kind="with check"))
    op.execute(WRITES.format(name="updates", command="update", kind="using"))
    op.execute(WRITES.format(name="deletes", command="delete", kind="using"))


def downgrade() -> None:
    op.execute("drop function tenants_with_spool_policies()")
    op.execute("drop table spool_failures, spool_policies")
