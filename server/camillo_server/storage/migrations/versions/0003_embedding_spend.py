"""The amounts that each tenant has spent on vectors."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Billionths of a US dollar, since a token costs a few tens of them; what is set aside for requests under way is in
# it. One row per day (UTC) and model, so that a month is a sum of few.
TABLE = """
create table embedding_spend (
    tenant_id text collate "C" not null,
    day date not null,
    model_id text collate "C" not null,
    nano_usd bigint not null,
    tokens bigint not null,
    constraint embedding_spend_pkey primary key (tenant_id, day, model_id),
    constraint embedding_spend_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
) with (fillfactor = 50);
alter table embedding_spend enable row level security;
alter table embedding_spend force row level security;
create policy tenant_isolation on embedding_spend
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""


def upgrade() -> None:
    op.execute(TABLE)


def downgrade() -> None:
    op.execute("drop table embedding_spend")
