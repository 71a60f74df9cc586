"""Writes that were refused for a forgotten value, without the value."""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

VALUE_REFUSALS = """
create table value_refusals (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    refusal_id uuid not null,
    at timestamptz not null,
    method text not null,
    field text not null,
    receipt_id uuid not null,
    constraint value_refusals_pkey primary key (tenant_id, agent_id, refusal_id),
    constraint value_refusals_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
alter table value_refusals enable row level security;
alter table value_refusals force row level security;
create policy tenant_isolation on value_refusals
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on value_refusals as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
create policy agent_inserts on value_refusals as restrictive for insert with check ({is_own});
create policy agent_updates on value_refusals as restrictive for update using ({is_own});
create policy agent_deletes on value_refusals as restrictive for delete using ({is_own});
"""
IS_OWN = """
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""


def upgrade() -> None:
    op.execute(VALUE_REFUSALS.format(is_own=IS_OWN))


def downgrade() -> None:
    op.execute("drop table value_refusals")
