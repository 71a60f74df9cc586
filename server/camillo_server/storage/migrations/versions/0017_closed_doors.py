"""The list of tenants and the queue of jobs: closed to sessions that have entered a tenant."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

# A setting of the session opened the list to the role that serves. Now it does so to the owner alone, as whom this
# function runs; the server's role gets the right to call it with its other rights.
TENANT_LIST = """
drop policy tenant_list on tenants;
create policy tenant_list on tenants for select to current_user
    using (current_setting('camillo.tenant_list', true) = 'on');
create function all_tenants() returns setof tenants
    language plpgsql security definer set search_path = camillo, pg_temp as $$
begin
    perform set_config('camillo.tenant_list', 'on', true);
    return query select * from camillo.tenants;
    perform set_config('camillo.tenant_list', '', true);
end
$$;
revoke execute on function all_tenants() from public;
"""

# The queue's own connections enter no tenant and see every job; a session of a tenant sees its jobs, and what happened
# to them. Jobs that belong to no tenant, such as those that defer others, are seen by the former alone.
QUEUE = """
alter table camillo_jobs.{table} enable row level security;
alter table camillo_jobs.{table} force row level security;
create policy tenant_isolation on camillo_jobs.{table} using (
    case coalesce((select current_setting('camillo.tenant', true)), '') when '' then true else {is_own} end);
"""
IS_OWN = {
    "procrastinate_jobs": "args ->> 'tenant_id' = (select current_setting('camillo.tenant', true))",
    "procrastinate_events": (
        "exists (select from camillo_jobs.procrastinate_jobs j where j.id = job_id)"
    ),
    "procrastinate_periodic_defers": "false",
}


def upgrade() -> None:
    op.execute(TENANT_LIST)
    for table, is_own in IS_OWN.items():
        op.execute(QUEUE.format(table=table, is_own=is_own))


def downgrade() -> None:
    for table in IS_OWN:
        op.execute(f"drop policy tenant_isolation on camillo_jobs.{table}")
        op.execute(f"alter table camillo_jobs.{table} disable row level security")
    op.execute("drop function all_tenants()")
    op.execute("drop policy tenant_list on tenants")
    op.execute(
        "create policy tenant_list on tenants for select"
        " using (current_setting('camillo.tenant_list', true) = 'on')"
    )
