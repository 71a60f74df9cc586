"""Whether the fingerprint of a forgotten value was made with a key."""

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table value_blocks add column is_keyed boolean not null default false")


def downgrade() -> None:
    op.execute("alter table value_blocks drop column is_keyed")
