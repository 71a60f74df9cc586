"""Secrets that sign the keys that this installation issues; a database with tenants may have keys without a signature."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

TABLE = """
create table key_secrets (
    secret bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    created_at timestamptz not null default now(),
    constraint key_secrets_pkey primary key (secret)
);
insert into key_secrets default values;
alter table database_identity add column has_unsigned_keys boolean not null default false;
select set_config('camillo.tenant_list', 'on', true);
update database_identity set has_unsigned_keys = exists (select from tenants);
"""


def upgrade() -> None:
    op.execute(TABLE)


def downgrade() -> None:
    op.execute("alter table database_identity drop column has_unsigned_keys")
    op.execute("drop table key_secrets")
