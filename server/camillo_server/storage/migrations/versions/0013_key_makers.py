"""Keys record the key that created them, so that one can be revoked with all that it created."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute('alter table api_keys add column created_by text collate "C"')
    op.execute(
        "create index api_keys_created_by on api_keys (tenant_id, created_by)"
        " where created_by is not null"
    )


def downgrade() -> None:
    op.execute("alter table api_keys drop column created_by")
