"""Keys that read the documents of some categories alone."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Null: all documents. Servers that do not know the column create keys without it.
    op.execute("alter table api_keys add column document_categories text[]")


def downgrade() -> None:
    op.execute("alter table api_keys drop column document_categories")
