"""Keys of one agent may have rights in other spaces, such as users/42:write and teams/eu/*:read."""

from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table api_keys add column spaces text[]")


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
