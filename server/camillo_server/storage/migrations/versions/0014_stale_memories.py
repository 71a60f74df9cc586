"""Memories whose source says something else since they were derived from it."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

# The mark of a version: one that was updated, restored or stated again since is not stale any more.
STALE_MEMORIES = """
create table stale_memories (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    memory_id uuid not null,
    version bigint not null,
    source_ref text collate "C" not null,
    since timestamptz not null,
    constraint stale_memories_pkey primary key (tenant_id, agent_id, memory_id),
    constraint stale_memories_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
alter table stale_memories enable row level security;
alter table stale_memories force row level security;
create policy tenant_isolation on stale_memories
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""


def upgrade() -> None:
    op.execute(STALE_MEMORIES)


def downgrade() -> None:
    op.execute("drop table stale_memories")
