"""Keys that are bound to a channel, a level and actors; events tell which credential recorded them; agents say from whom
they accept handoffs."""

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

# Columns with a constant default rewrite no row. trust: 0 for what was recorded before, else that of the contract.
COLUMNS = """
alter table api_keys
    add column channel smallint,
    add column max_sensitivity smallint,
    add column actors text[];
alter table events
    add column trust smallint not null default 0,
    add column credential text not null default '';
-- Null: from any agent.
alter table scopes add column handoff_senders text[];
"""


def upgrade() -> None:
    op.execute(COLUMNS)


def downgrade() -> None:
    op.execute("alter table scopes drop column handoff_senders")
    op.execute("alter table events drop column credential, drop column trust")
    op.execute(
        "alter table api_keys drop column actors, drop column max_sensitivity, drop column channel"
    )
