"""Memories tell who said them, by which credential, and how far they are to be trusted; views, whether an administrator wrote
them."""

from alembic import op

revision = "0026"
down_revision = "0024"
branch_labels = None
depends_on = None

# Columns with a constant default rewrite no row, and wait for nobody but who is changing the table. 0 is unknown.
COLUMNS = """
alter table {table}
    add column trust_level smallint not null default 0,
    add column actor text not null default '',
    add column credential text not null default ''
"""
# The actor is a text: the planner's statistics hold none (0019).
NO_STATISTICS = "alter table {table} alter column actor set statistics 0"
TABLES = ("memories", "memory_history")
# Null: put before it was kept. Then those of the tenant are its instructions, and those of agents are data.
VIEWS = "alter table views add column is_data boolean"


def upgrade() -> None:
    for table in TABLES:
        op.execute(COLUMNS.format(table=table))
        op.execute(NO_STATISTICS.format(table=table))
    op.execute(VIEWS)


def downgrade() -> None:
    op.execute("alter table views drop column is_data")
    for table in TABLES:
        op.execute(
            f"alter table {table} drop column credential, drop column actor, drop column trust_level"
        )
