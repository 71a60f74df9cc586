"""Who acted, beside each action: its chunk, which tells it, can be made again."""

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Empty for the operator, and for what was recorded before.
    op.execute(
        "alter table actions add column acting_agent_id text collate \"C\" not null default ''"
    )
    # The planner's statistics hold no texts (0019).
    op.execute("alter table actions alter column acting_agent_id set statistics 0")


def downgrade() -> None:
    op.execute("alter table actions drop column acting_agent_id")
