"""Steps of workflows by name: what lists of them look in, beside the events that tell them."""

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

# The place of a step in the order of recording, and in that of its workflow. Names are in clear text, as sessions and tags of
# events are: lists look for them. A table of its own, since an older release reads events by their columns' number.
STEPS = """
create table workflow_steps (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    event_id uuid not null,
    workflow text collate "C" not null,
    revision bigint not null,
    place integer not null,
    occurred_at timestamptz not null,
    run text collate "C" not null,
    step text collate "C" not null,
    status smallint not null,
    constraint workflow_steps_pkey primary key (tenant_id, agent_id, event_id),
    constraint workflow_steps_event_fkey foreign key (tenant_id, agent_id, event_id) references events on delete cascade
);
create index workflow_steps_order_idx on workflow_steps (tenant_id, agent_id, workflow, revision, place);
create index workflow_steps_time_idx on workflow_steps (tenant_id, agent_id, workflow, occurred_at, event_id);
"""
# The same policies as in 0028.
POLICIES = """
alter table workflow_steps enable row level security;
alter table workflow_steps force row level security;
create policy tenant_isolation on workflow_steps
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on workflow_steps as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
create policy agent_inserts on workflow_steps as restrictive for insert with check ({is_own});
create policy agent_updates on workflow_steps as restrictive for update using ({is_own});
create policy agent_deletes on workflow_steps as restrictive for delete using ({is_own});
"""
IS_OWN = """
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""
# The planner's statistics hold no texts (0019).
TEXTS = ("workflow", "run", "step")


def upgrade() -> None:
    op.execute(STEPS)
    op.execute(POLICIES.format(is_own=IS_OWN))
    for column in TEXTS:
        op.execute(f"alter table workflow_steps alter column {column} set statistics 0")


def downgrade() -> None:
    op.execute("drop table workflow_steps")
