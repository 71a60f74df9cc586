"""Distillations: what a model was asked of recorded turns, what it proposed, and how far each space has come.

A row of `distilled_events` says that a distillation has read the event: no other one sends it again."""

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

TABLES = """
create table distillations (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    distillation_id uuid not null,
    state smallint not null,
    trigger smallint not null,
    session_id text collate "C" not null,
    model_id text collate "C" not null,
    prompt_digest bytea not null,
    turns integer not null,
    turns_sent integer not null,
    said_tokens bigint not null,
    sent_tokens bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    nano_usd bigint not null,
    requests integer not null,
    first_event_id uuid not null,
    last_event_id uuid not null,
    dropped jsonb not null,
    left_out jsonb not null,
    created_at timestamptz not null,
    reverted_at timestamptz,
    constraint distillations_pkey primary key (tenant_id, agent_id, distillation_id),
    constraint distillations_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index distillations_created_idx on distillations (tenant_id, agent_id, created_at, distillation_id);
create table distillation_answers (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    answer_id uuid not null,
    distillation_id uuid not null,
    place smallint not null,
    sensitivity smallint not null,
    event_ids uuid[] not null,
    memory_ids uuid[] not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint distillation_answers_pkey primary key (tenant_id, agent_id, answer_id),
    constraint distillation_answers_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint distillation_answers_distillation_fkey foreign key (tenant_id, agent_id, distillation_id)
        references distillations on delete cascade
);
create index distillation_answers_distillation_idx
    on distillation_answers (tenant_id, agent_id, distillation_id, place);
alter table distillation_answers alter column details set statistics 0;
create table distilled_events (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    event_id uuid not null,
    distillation_id uuid not null,
    constraint distilled_events_pkey primary key (tenant_id, agent_id, event_id, distillation_id),
    constraint distilled_events_distillation_fkey foreign key (tenant_id, agent_id, distillation_id)
        references distillations on delete cascade
);
create index distilled_events_distillation_idx on distilled_events (tenant_id, agent_id, distillation_id);
create table proposals (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    proposal_id uuid not null,
    distillation_id uuid not null,
    place smallint not null,
    state smallint not null,
    operation smallint not null,
    record_type smallint not null,
    kind smallint not null,
    sensitivity smallint not null,
    trust_level smallint not null,
    confidence double precision not null,
    event_ids uuid[] not null,
    memory_id uuid,
    memory_version bigint,
    result_id uuid,
    is_new boolean not null,
    edited boolean not null,
    reviewer text collate "C" not null,
    credential text collate "C" not null,
    occurred_at timestamptz not null,
    valid_from timestamptz,
    valid_until timestamptz,
    created_at timestamptz not null,
    reviewed_at timestamptz,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint proposals_pkey primary key (tenant_id, agent_id, proposal_id),
    constraint proposals_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint proposals_distillation_fkey foreign key (tenant_id, agent_id, distillation_id)
        references distillations on delete cascade
);
create index proposals_distillation_idx on proposals (tenant_id, agent_id, distillation_id, place);
create index proposals_created_idx on proposals (tenant_id, agent_id, created_at, proposal_id);
alter table proposals alter column details set statistics 0, alter column credential set statistics 0;
create table distillation_cursors (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    revision bigint not null,
    place integer not null,
    lease_id uuid,
    leased_until timestamptz,
    constraint distillation_cursors_pkey primary key (tenant_id, agent_id),
    constraint distillation_cursors_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
)
"""
TABLES_OF_AGENTS = (
    *("distillations", "distillation_answers", "distilled_events", "proposals", "distillation_cursors"),
)
# As 0051 has them for every table.
ENTERED = "current_setting('camillo.agent', true)"
ENTERED_ARE = f"case when left({ENTERED}, 1) = '{{' then {ENTERED}::text[] else array[{ENTERED}] end"
BEGINNING = f"case when (select {ENTERED} = '*') then true else agent_id ="
IS_OWN = f"{BEGINNING} any((select {ENTERED_ARE})::text[]) end"
IS_READ = f"{BEGINNING} any((select {ENTERED_ARE} || ''::text)::text[]) end"
IS_TENANT = "tenant_id = current_setting('camillo.tenant', true)"
POLICIES = (
    f"tenant_isolation on {{}} using ({IS_TENANT}) with check ({IS_TENANT})",
    f"agent_reads on {{}} as restrictive for select using ({IS_READ})",
    f"agent_inserts on {{}} as restrictive for insert with check ({IS_OWN})",
    f"agent_updates on {{}} as restrictive for update using ({IS_OWN})",
    f"agent_deletes on {{}} as restrictive for delete using ({IS_OWN})",
)


def upgrade() -> None:
    op.execute(TABLES)
    for table in TABLES_OF_AGENTS:
        op.execute(f"alter table {table} enable row level security, force row level security")
        for policy in POLICIES:
            op.execute("create policy " + policy.replace("{}", table))


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
