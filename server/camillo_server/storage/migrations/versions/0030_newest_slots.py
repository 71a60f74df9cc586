"""The newest slots of a scope are found by an index: a digest shows them first."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "create index slots_newest_idx on slots (tenant_id, agent_id, updated_at desc, importance desc) where kind is not null"
    )


def downgrade() -> None:
    op.execute("drop index slots_newest_idx")
