"""The versions of slots in the order in which they were written, and which slots were forgotten, for those who follow them."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

# Neither what a slot said nor what it was called.
CHANGES = """
create unique index slot_versions_order_idx on slot_versions (tenant_id, agent_id, revision, slot_id, version);
create table slot_tombstones (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    revision bigint not null,
    slot_id uuid not null,
    constraint slot_tombstones_pkey primary key (tenant_id, agent_id, revision, slot_id),
    constraint slot_tombstones_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
"""
# The same policies as in 0028.
POLICIES = """
alter table slot_tombstones enable row level security;
alter table slot_tombstones force row level security;
create policy tenant_isolation on slot_tombstones
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on slot_tombstones as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
create policy agent_inserts on slot_tombstones as restrictive for insert with check ({is_own});
create policy agent_updates on slot_tombstones as restrictive for update using ({is_own});
create policy agent_deletes on slot_tombstones as restrictive for delete using ({is_own});
"""
IS_OWN = """
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""


def upgrade() -> None:
    op.execute(CHANGES)
    op.execute(POLICIES.format(is_own=IS_OWN))


def downgrade() -> None:
    op.execute("drop table slot_tombstones")
    op.execute("drop index slot_versions_order_idx")
