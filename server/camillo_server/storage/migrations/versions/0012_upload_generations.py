"""Uploads know which call goes on with them, and parts which one stored them."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

# Whoever goes on with an upload takes the next generation; a call of an earlier one stores no part and finishes nothing
# from then on. Parts outside of Postgres have it in their names, so that none takes the place of another.
GENERATIONS = """
alter table uploads add column generation integer not null default 0;
alter table content_parts add column generation integer not null default 0;
"""


def upgrade() -> None:
    op.execute(GENERATIONS)


def downgrade() -> None:
    op.execute("alter table uploads drop column generation")
    op.execute("alter table content_parts drop column generation")
