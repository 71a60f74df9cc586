"""Memories tell from when until when they are true, and which took the place of which."""

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

# Columns without a default rewrite no row. Null: unknown, still true, and none.
COLUMNS = """
alter table {table}
    add column valid_from timestamptz,
    add column valid_until timestamptz,
    add column supersedes uuid[],
    add column superseded_by uuid
"""
TABLES = ("memories", "memory_history")
# Indexes rows that a recall without conditions may leave out, beside those in `memories_hideable_idx`; there are none
# yet.
INDEX = """
create index memories_dated_idx on memories (tenant_id, agent_id, memory_id)
    where valid_from is not null or valid_until is not null
"""


def upgrade() -> None:
    for table in TABLES:
        op.execute(COLUMNS.format(table=table))
    op.execute(INDEX)


def downgrade() -> None:
    op.execute("drop index memories_dated_idx")
    for table in TABLES:
        op.execute(
            f"alter table {table} drop column superseded_by, drop column supersedes,"
            " drop column valid_until, drop column valid_from"
        )
