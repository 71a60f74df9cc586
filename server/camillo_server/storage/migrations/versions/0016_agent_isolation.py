"""Row-level security knows the agent, too: `camillo.agent` beside `camillo.tenant`."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

# Beside the tenant's policy, and not in its place: both have to pass. An agent reads its own rows and those of the
# tenant's shared scope, whose agent is empty, and writes its own; `*` stands for every agent. Unset, nothing is written
# and the shared rows alone are read. A subquery is evaluated once for a statement, not for every row; with `case` the
# planner does not take the same condition, which the statements state as well, for another one (docs/adr/isolation.md).
POLICIES = """
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
NAMES = ("agent_reads", "agent_inserts", "agent_updates", "agent_deletes")

TABLES = (
    "api_keys",
    "artifacts",
    "compactions",
    "decisions",
    "event_receipts",
    "event_refs",
    "event_tombstones",
    "events",
    "handoffs",
    "memories",
    "memory_access",
    "memory_citations",
    "memory_history",
    "memory_sources",
    "memory_tombstones",
    "memory_vectors",
    "receipts",
    "reembeddings",
    "requests",
    "run_entries",
    "runs",
    "scopes",
    "stale_memories",
    "tasks",
    "uploads",
    "value_blocks",
    "views",
)

# The same function as before, which now reads the tombstones of every agent.
KEEP_EVENTS = """
create or replace function keep_events() returns trigger language plpgsql as $$
declare
    entered text := current_setting('camillo.tenant', true);
    entered_agent text := current_setting('camillo.agent', true);
    each_tenant text;
begin
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select distinct tenant_id from gone loop
        perform set_config('camillo.tenant', each_tenant, true);
        if exists (select from camillo.tenants t where t.tenant_id = each_tenant) and exists (
            select from gone g where g.tenant_id = each_tenant and not exists (
                select from camillo.event_tombstones f
                where f.tenant_id = g.tenant_id and f.agent_id = g.agent_id and f.event_id = g.event_id))
        then
            raise exception 'events go only by being forgotten' using errcode = 'restrict_violation';
        end if;
    end loop;
    perform set_config('camillo.tenant', coalesce(entered, ''), true);
    perform set_config('camillo.agent', coalesce(entered_agent, ''), true);
    return null;
end
$$;
"""


def upgrade() -> None:
    for table in TABLES:
        op.execute(POLICIES.format(table=table, is_own=IS_OWN))
    op.execute(KEEP_EVENTS)


def downgrade() -> None:
    for table in TABLES:
        for name in NAMES:
            op.execute(f"drop policy {name} on {table}")
