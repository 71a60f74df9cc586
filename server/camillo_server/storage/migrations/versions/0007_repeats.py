"""What tells exact repeats, and how often a memory was stated."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

# `fingerprint` is the same for memories that say exactly the same (domain/repeats.py); null for chunks, and for
# memories that were stored before there was one.
REPEATS = """
alter table memories add column fingerprint bytea;
create unique index memories_fingerprint_key on memories (tenant_id, agent_id, fingerprint) where fingerprint is not null;
alter table memory_access add column stated_count bigint not null default 1;
"""

BACK = """
alter table memory_access drop column stated_count;
drop index memories_fingerprint_key;
alter table memories drop column fingerprint;
"""


def upgrade() -> None:
    op.execute(REPEATS)


def downgrade() -> None:
    op.execute(BACK)
