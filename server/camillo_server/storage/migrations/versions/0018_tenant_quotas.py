"""Bounds of single tenants, by name; all others are those of the settings."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # A constant default is kept once for all rows: nothing is rewritten.
    op.execute("alter table tenants add column quotas jsonb not null default '{}'")


def downgrade() -> None:
    op.execute("alter table tenants drop column quotas")
