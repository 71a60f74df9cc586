"""The trigger that keeps events finds each one's tombstone by the primary key, however many the agent has."""

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

# The same function as before, but for the order of the inner query, which the primary key alone has without sorting.
# Where autovacuum had not analyzed the table yet, the planner took another index that begins with the agent, and read
# all of its tombstones for every event.
KEEP_EVENTS = """
create or replace function keep_events() returns trigger language plpgsql set enable_sort = off as $$
declare
    entered text := current_setting('camillo.tenant', true);
    entered_agent text := current_setting('camillo.agent', true);
    each_tenant text;
begin
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select distinct tenant_id from gone loop
        perform set_config('camillo.tenant', each_tenant, true);
        if exists (select from camillo.tenants t where t.tenant_id = each_tenant) and exists (
            select from gone g where g.tenant_id = each_tenant and g.event_id is distinct from (
                select f.event_id from camillo.event_tombstones f
                where f.tenant_id = g.tenant_id and f.agent_id = g.agent_id and f.event_id >= g.event_id
                order by f.event_id limit 1))
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
    op.execute(KEEP_EVENTS)


def downgrade() -> None:
    """The function of 0016 does the same, slower."""
