"""Runs: short-term memory."""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

# `details` of a run: trigger and focus; of an entry: what it tells. kind: 1 a round, 2 an instruction, 3 what the round of
# the same place comes to. `bytes`: of all that the entries tell.
RUNS = """
create table runs (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    run_id uuid not null,
    session_id text not null,
    sensitivity smallint not null,
    max_tokens integer not null,
    idle_seconds integer not null,
    rounds integer not null,
    instructions integer not null,
    bytes bigint not null,
    started_at timestamptz not null,
    active_at timestamptz not null,
    ends_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint runs_pkey primary key (tenant_id, agent_id, run_id),
    constraint runs_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint runs_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
) with (fillfactor = 70);
create index runs_ends_idx on runs (tenant_id, ends_at);

create table run_entries (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    run_id uuid not null,
    kind smallint not null,
    place integer not null,
    appended_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint run_entries_pkey primary key (tenant_id, agent_id, run_id, kind, place),
    constraint run_entries_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint run_entries_run_fkey foreign key (tenant_id, agent_id, run_id) references runs on delete cascade
);
"""

POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""


def upgrade() -> None:
    op.execute(RUNS)
    for table in ("runs", "run_entries"):
        op.execute(POLICY.format(table=table))


def downgrade() -> None:
    op.execute("drop table run_entries")
    op.execute("drop table runs")
