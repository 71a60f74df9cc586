"""Tokens and prices of models by day, space and operation, and tokens of context that were handed out.

`embedding_spend` stays what budgets are checked against: it has a few rows for a day, this table has one for each
space. A row of the agent `*` is the whole tenant's, or has the sums of several spaces."""

from alembic import op

revision = "0054"
down_revision = "0052"
branch_labels = None
depends_on = None

TABLE = """
create table token_usage (
    tenant_id text collate "C" not null,
    day date not null,
    agent_id text collate "C" not null,
    operation text collate "C" not null,
    model_id text collate "C" not null,
    door text collate "C" not null,
    requests bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    nano_usd bigint not null,
    constraint token_usage_pkey primary key (tenant_id, day, agent_id, operation, model_id, door),
    constraint token_usage_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
) with (fillfactor = 50);
alter table token_usage enable row level security, force row level security
"""
# As 0051_sets_of_spaces.py has them for every table.
ENTERED = "current_setting('camillo.agent', true)"
ENTERED_ARE = f"case when left({ENTERED}, 1) = '{{' then {ENTERED}::text[] else array[{ENTERED}] end"
BEGINNING = f"case when (select {ENTERED} = '*') then true else agent_id ="
IS_OWN = f"{BEGINNING} any((select {ENTERED_ARE})::text[]) end"
IS_READ = f"{BEGINNING} any((select {ENTERED_ARE} || ''::text)::text[]) end"
POLICIES = (
    """create policy tenant_isolation on token_usage using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true))""",
    f"create policy agent_reads on token_usage as restrictive for select using ({IS_READ})",
    f"create policy agent_inserts on token_usage as restrictive for insert with check ({IS_OWN})",
    f"create policy agent_updates on token_usage as restrictive for update using ({IS_OWN})",
    f"create policy agent_deletes on token_usage as restrictive for delete using ({IS_OWN})",
)


def upgrade() -> None:
    op.execute(TABLE)
    for policy in POLICIES:
        op.execute(policy)


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
