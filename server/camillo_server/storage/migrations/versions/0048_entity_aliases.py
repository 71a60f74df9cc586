"""Names that mean the same person or thing, as somebody merged or split them: an entity has aliases.

A row is one name of one change, so that a forgotten name takes its own row alone. The rows in their order tell what a
name means (features/links/entity_names.py); a reverted change stays, as history."""

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

TABLE = """
create table entity_aliases (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    alias_id uuid not null,
    change_id uuid not null,
    revision bigint not null,
    place smallint not null,
    changed_at timestamptz not null,
    reverted_at timestamptz,
    credential text collate "C" not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint entity_aliases_pkey primary key (tenant_id, agent_id, alias_id),
    constraint entity_aliases_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade,
    constraint entity_aliases_details_once check (num_nonnulls(details, sealed_details) = 1)
);
alter table entity_aliases alter column credential set statistics 0, alter column details set statistics 0;
alter table entity_aliases enable row level security, force row level security
"""
# As schema/6_policies.sql has them for every table.
IS_OWN = """case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""
POLICIES = (
    """create policy tenant_isolation on entity_aliases using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true))""",
    """create policy agent_reads on entity_aliases as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end)""",
    f"create policy agent_inserts on entity_aliases as restrictive for insert with check ({IS_OWN})",
    f"create policy agent_updates on entity_aliases as restrictive for update using ({IS_OWN})",
    f"create policy agent_deletes on entity_aliases as restrictive for delete using ({IS_OWN})",
)


def upgrade() -> None:
    op.execute(TABLE)
    for policy in POLICIES:
        op.execute(policy)


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
