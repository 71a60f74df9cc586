"""Ground truth: events that never change, decisions, tasks, views, recipes and handoffs."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

# Ordered by (revision, place). The content of an event is in `details`, as the JSON text that was written, or in
# `sealed_details` if it is encrypted; `content_bytes` is its length.
EVENTS = """
create table events (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    event_id uuid not null,
    revision bigint not null,
    place integer not null,
    session_id text not null,
    channel smallint not null,
    actor_type smallint not null,
    actor_id text not null,
    kind smallint not null,
    sensitivity smallint not null,
    tags text[] not null,
    occurred_at timestamptz not null,
    recorded_at timestamptz not null,
    refs text[] not null,
    importance double precision,
    content_bytes integer not null,
    key_id text collate "C" not null,
    details json,
    sealed_details bytea,
    constraint events_pkey primary key (tenant_id, agent_id, event_id),
    constraint events_order_key unique (tenant_id, agent_id, revision, place),
    constraint events_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint events_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index events_session_idx on events (tenant_id, agent_id, session_id, revision, place);

-- Which events name an id among their refs, in small letters. An index on the array could not be used under row-level
-- security, since its operators are not leakproof.
create table event_refs (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    ref text collate "C" not null,
    revision bigint not null,
    place integer not null,
    constraint event_refs_pkey primary key (tenant_id, agent_id, ref, revision, place),
    constraint event_refs_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

-- What a forgetting removed, as counts by store; and the events it removed, in the order of changes.
create table event_receipts (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    receipt_id uuid not null,
    forgotten_at timestamptz not null,
    counts jsonb not null,
    constraint event_receipts_pkey primary key (tenant_id, agent_id, receipt_id),
    constraint event_receipts_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create table event_tombstones (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    event_id uuid not null,
    revision bigint not null,
    place integer not null,
    receipt_id uuid not null,
    constraint event_tombstones_pkey primary key (tenant_id, agent_id, event_id),
    constraint event_tombstones_order_key unique (tenant_id, agent_id, revision, place),
    constraint event_tombstones_receipt_fkey foreign key (tenant_id, agent_id, receipt_id)
        references event_receipts on delete cascade
);
create index event_tombstones_receipt_idx on event_tombstones (tenant_id, agent_id, receipt_id);
"""

# They bind the owner, too. A tenant that is not there is gone only if nobody hides it: the function enters the tenant
# of the rows itself, whatever the statement set before.
APPEND_ONLY = """
create function refuse_to_change_events() returns trigger language plpgsql as $$
begin
    raise exception 'events are never changed' using errcode = 'restrict_violation';
end
$$;

create function keep_events() returns trigger language plpgsql as $$
declare
    entered text := current_setting('camillo.tenant', true);
    each_tenant text;
begin
    for each_tenant in select distinct tenant_id from gone loop
        perform set_config('camillo.tenant', each_tenant, true);
        if exists (select from camillo.tenants t where t.tenant_id = each_tenant) and exists (
            select from gone g where g.tenant_id = each_tenant and not exists (
                select from camillo.event_tombstones f
                where f.tenant_id = g.tenant_id and f.agent_id = g.agent_id and f.event_id = g.event_id))
        then
            raise exception 'events go only by being forgotten' using errcode = 'restrict_violation';
        end if;
    end loop;
    perform set_config('camillo.tenant', coalesce(entered, ''), true);
    return null;
end
$$;

create trigger events_never_change before update on events
    for each statement execute function refuse_to_change_events();
create trigger events_are_never_emptied before truncate on events
    for each statement execute function refuse_to_change_events();
create trigger events_go_with_a_tombstone after delete on events referencing old table as gone
    for each statement execute function keep_events();
"""

# status: 1 in force, 2 superseded. The decisions that another one supersedes are found by their `superseded_by`.
DECISIONS = """
create table decisions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    decision_id uuid not null,
    revision bigint not null,
    version bigint not null,
    status smallint not null,
    reach smallint not null,
    channel smallint not null,
    sensitivity smallint not null,
    session_id text not null,
    tags text[] not null,
    refs text[] not null,
    decided_at timestamptz not null,
    created_at timestamptz not null,
    superseded_by uuid,
    superseded_at timestamptz,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint decisions_pkey primary key (tenant_id, agent_id, decision_id),
    constraint decisions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint decisions_superseded check (
        (status = 2) = (superseded_by is not null) and (status = 2) = (superseded_at is not null)),
    constraint decisions_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade,
    constraint decisions_successor_fkey foreign key (tenant_id, agent_id, superseded_by) references decisions
);
create index decisions_created_idx on decisions (tenant_id, agent_id, created_at, decision_id);
create index decisions_in_force_idx on decisions (tenant_id, agent_id, created_at, decision_id) where status = 1;
create index decisions_successor_idx on decisions (tenant_id, agent_id, superseded_by)
    where superseded_by is not null;
"""

# status: up to 3 unfinished (domain/tasks/task.py).
TASKS = """
create table tasks (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    task_id uuid not null,
    revision bigint not null,
    version bigint not null,
    status smallint not null,
    channel smallint not null,
    sensitivity smallint not null,
    session_id text not null,
    tags text[] not null,
    refs text[] not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint tasks_pkey primary key (tenant_id, agent_id, task_id),
    constraint tasks_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint tasks_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
) with (fillfactor = 70);
create index tasks_updated_idx on tasks (tenant_id, agent_id, updated_at, task_id);
create index tasks_unfinished_idx on tasks (tenant_id, agent_id, updated_at, task_id) where status <= 3;
"""

# A handoff lies in the scope of the agent that it is for.
CONTEXT = """
create table views (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    name text collate "C" not null,
    sensitivity smallint not null,
    version bigint not null,
    updated_at timestamptz not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint views_pkey primary key (tenant_id, agent_id, name),
    constraint views_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint views_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

create table recipes (
    tenant_id text collate "C" not null,
    name text collate "C" not null,
    recipe text not null,
    updated_at timestamptz not null,
    constraint recipes_pkey primary key (tenant_id, name),
    constraint recipes_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);

create table handoffs (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    handoff_id uuid not null,
    from_agent_id text collate "C" not null,
    session_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    details jsonb not null,
    constraint handoffs_pkey primary key (tenant_id, agent_id, handoff_id),
    constraint handoffs_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index handoffs_created_idx on handoffs (tenant_id, agent_id, created_at, handoff_id);
create index handoffs_from_idx on handoffs (tenant_id, from_agent_id);
"""

MEMORIES = """
-- The chunks of an event or a decision, whose id is the first of their refs.
create index memories_origin_idx on memories (tenant_id, agent_id, (source_refs[1])) where kind >= 16;
-- Summaries, which are put away when something they cite is forgotten.
create index memories_summary_idx on memories (tenant_id, agent_id, memory_id) where kind = 8 and not archived;
-- What a bundle shows without being asked.
create index memories_occurred_idx on memories (tenant_id, agent_id, occurred_at, memory_id)
    where kind < 16 and not archived;
create index memories_pinned_idx on memories (tenant_id, agent_id, importance, memory_id)
    where kind < 16 and not archived and (pinned or 'pinned' = any(tags));
"""

POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""

NEW_TABLES = (
    "events",
    "event_refs",
    "event_receipts",
    "event_tombstones",
    "decisions",
    "tasks",
    "views",
    "recipes",
    "handoffs",
)
NEW_INDEXES = ("origin", "summary", "occurred", "pinned")


def upgrade() -> None:
    for statements in (EVENTS, APPEND_ONLY, DECISIONS, TASKS, CONTEXT, MEMORIES):
        op.execute(statements)
    for table in NEW_TABLES:
        op.execute(POLICY.format(table=table))


def downgrade() -> None:
    for name in NEW_INDEXES:
        op.execute(f"drop index memories_{name}_idx")
    for table in ("event_tombstones", *(t for t in NEW_TABLES if t != "event_tombstones")):
        op.execute(f"drop table {table}")
    op.execute("drop function keep_events")
    op.execute("drop function refuse_to_change_events")
