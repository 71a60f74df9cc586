"""An index on what bundles show whatever the query: instructions and preferences, beside what is pinned."""

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

STANDING = """
create index concurrently if not exists memories_standing_idx on memories (tenant_id, agent_id, kind, importance, memory_id)
    where kind in (2, 7) and not archived
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # One that was begun and not finished serves nobody.
        op.execute("drop index concurrently if exists memories_standing_idx")
        op.execute(STANDING)


def downgrade() -> None:
    op.execute("drop index if exists memories_standing_idx")
