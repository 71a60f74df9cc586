-- Events, decisions, tasks and slots.

-- Append-only, ordered by (revision, place). The content of an event is in `details`, as the JSON text that was
-- written, or in `sealed_details` if it is encrypted; `content_bytes` is its length. trust: 0 for what was recorded
-- before trust was kept.
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
    trust smallint not null default 0,
    credential text not null default '',
    constraint events_pkey primary key (tenant_id, agent_id, event_id),
    constraint events_order_key unique (tenant_id, agent_id, revision, place),
    constraint events_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint events_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index events_session_idx on events (tenant_id, agent_id, session_id, revision, place);
alter table events
    alter column session_id set statistics 0, alter column actor_id set statistics 0,
    alter column tags set statistics 0, alter column refs set statistics 0;

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
alter table event_refs alter column ref set statistics 0;

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

create function refuse_to_change_events() returns trigger language plpgsql as $$
begin
    raise exception 'events are never changed' using errcode = 'restrict_violation';
end
$$;
-- The owner may encrypt events anew, and change nothing else of them.
create trigger events_never_change before update of
    tenant_id, agent_id, event_id, revision, place, session_id, channel, actor_type, actor_id, kind,
    sensitivity, tags, occurred_at, recorded_at, refs, importance, content_bytes, details, trust, credential
    on events for each statement execute function refuse_to_change_events();
create trigger events_are_never_emptied before truncate on events
    for each statement execute function refuse_to_change_events();

-- Binds the owner, too. A tenant that is not there is gone only if nobody hides it: the function enters the tenant of
-- the rows itself, whatever the statement set before. The order of the inner query is that of the primary key, which
-- alone has it without sorting: another index would read all tombstones of the agent for every event.
create function keep_events() returns trigger language plpgsql set enable_sort = off as $$
declare
    entered text := current_setting('camillo.tenant', true);
    entered_agent text := current_setting('camillo.agent', true);
    each_tenant text;
begin
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select distinct tenant_id from gone loop
        perform set_config('camillo.tenant', each_tenant, true);
        if exists (select from camillo.tenants t where t.tenant_id = each_tenant) and exists (
            select from gone g where g.tenant_id = each_tenant and g.event_id is distinct from (
                select f.event_id from camillo.event_tombstones f
                where f.tenant_id = g.tenant_id and f.agent_id = g.agent_id and f.event_id >= g.event_id
                order by f.event_id limit 1))
        then
            raise exception 'events go only by being forgotten' using errcode = 'restrict_violation';
        end if;
    end loop;
    perform set_config('camillo.tenant', coalesce(entered, ''), true);
    perform set_config('camillo.agent', coalesce(entered_agent, ''), true);
    return null;
end
$$;
create trigger events_go_with_a_tombstone after delete on events referencing old table as gone
    for each statement execute function keep_events();

-- Steps of workflows by name: what lists of them look in, beside the events that tell them. Names are in clear text,
-- as sessions and tags of events are.
create table workflow_steps (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    event_id uuid not null,
    workflow text collate "C" not null,
    revision bigint not null,
    place integer not null,
    occurred_at timestamptz not null,
    run text collate "C" not null,
    step text collate "C" not null,
    status smallint not null,
    constraint workflow_steps_pkey primary key (tenant_id, agent_id, event_id),
    constraint workflow_steps_event_fkey foreign key (tenant_id, agent_id, event_id) references events on delete cascade
);
create index workflow_steps_order_idx on workflow_steps (tenant_id, agent_id, workflow, revision, place);
create index workflow_steps_time_idx on workflow_steps (tenant_id, agent_id, workflow, occurred_at, event_id);
alter table workflow_steps
    alter column workflow set statistics 0, alter column run set statistics 0, alter column step set statistics 0;

-- status: 1 in force, 2 superseded. The decisions that another one supersedes are found by their `superseded_by`.
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
alter table decisions
    alter column session_id set statistics 0, alter column tags set statistics 0, alter column refs set statistics 0,
    alter column details set statistics 0;

-- status: up to 3 unfinished.
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
alter table tasks
    alter column session_id set statistics 0, alter column tags set statistics 0, alter column refs set statistics 0,
    alter column details set statistics 0;

-- JSON by key. A path is a key with chr(1) in the place of `/`: in the order of its bytes, what stands below a key
-- follows it directly, and is a range that row-level security lets an index find. Kind: that of the chunk; a tombstone
-- has none.
create table slots (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    slot_id uuid not null,
    path text collate "C" not null,
    version bigint not null,
    revision bigint not null,
    kind smallint,
    sensitivity smallint not null,
    type text collate "C" not null,
    tags text[] not null,
    importance double precision not null,
    expired_at timestamptz,
    trigger_at timestamptz,
    updated_at timestamptz not null,
    content_bytes integer not null,
    constraint slots_pkey primary key (tenant_id, agent_id, slot_id),
    constraint slots_path_key unique (tenant_id, agent_id, path),
    constraint slots_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
) with (fillfactor = 70);
create index slots_trigger_idx on slots (tenant_id, agent_id, trigger_at) where trigger_at is not null;
-- A digest shows the newest first.
create index slots_newest_idx on slots (tenant_id, agent_id, updated_at desc, importance desc)
    where kind is not null;
alter table slots
    alter column path set statistics 0, alter column type set statistics 0, alter column tags set statistics 0;

-- Every version of a slot. Its content is in `details`, or in `sealed_details` if it is encrypted.
create table slot_versions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    slot_id uuid not null,
    version bigint not null,
    revision bigint not null,
    kind smallint,
    sensitivity smallint not null,
    trust_level smallint not null,
    credential text not null,
    updated_at timestamptz not null,
    content_bytes integer not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint slot_versions_pkey primary key (tenant_id, agent_id, slot_id, version),
    constraint slot_versions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint slot_versions_slot_fkey foreign key (tenant_id, agent_id, slot_id) references slots on delete cascade
);
create unique index slot_versions_order_idx on slot_versions (tenant_id, agent_id, revision, slot_id, version);
alter table slot_versions alter column details set statistics 0;

-- Which slots were forgotten: neither what a slot said nor what it was called.
create table slot_tombstones (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    revision bigint not null,
    slot_id uuid not null,
    constraint slot_tombstones_pkey primary key (tenant_id, agent_id, revision, slot_id),
    constraint slot_tombstones_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
