"""Memories that became one, and what they were."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

# state, reason and refusal: domain/compaction/compaction.py; 0 is no refusal. `details` holds the merged text, the tag and what would be lost.
COMPACTIONS = """
create table compactions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    compaction_id uuid not null,
    state smallint not null,
    reason smallint not null,
    refusal smallint not null,
    sensitivity smallint not null,
    source_ids uuid[] not null,
    source_versions bigint[] not null,
    memory_id uuid,
    summary_model_id text not null,
    created_at timestamptz not null,
    committed_at timestamptz,
    reverted_at timestamptz,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint compactions_pkey primary key (tenant_id, agent_id, compaction_id),
    constraint compactions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint compactions_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index compactions_created_idx on compactions (tenant_id, agent_id, created_at, compaction_id);
create index compactions_memory_idx on compactions (tenant_id, agent_id, memory_id) where memory_id is not null;
"""

POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""


def upgrade() -> None:
    op.execute(COMPACTIONS)
    op.execute(POLICY.format(table="compactions"))


def downgrade() -> None:
    op.execute("drop table compactions")
