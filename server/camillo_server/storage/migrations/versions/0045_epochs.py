"""Epochs: a server that notices that Postgres went on from an earlier state begins another one, in which revisions of before are
unknown."""

from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

EPOCH = """
alter table database_identity add column epoch bigint not null default 0;
create function turn_epoch(from_epoch bigint, to_epoch bigint) returns void
language sql security definer set search_path = camillo, pg_temp
begin atomic
    update camillo.database_identity set epoch = to_epoch where epoch = from_epoch;
end;
revoke all on function turn_epoch(bigint, bigint) from public;
"""


def upgrade() -> None:
    op.execute(EPOCH)


def downgrade() -> None:
    op.execute("drop function turn_epoch(bigint, bigint)")
    op.execute("alter table database_identity drop column epoch")
