"""Fingerprints of removed values that may not be stated again; the sources of each memory."""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

# cause: domain/forgetting/receipt.py. `mark` is that of a whole value (domain/forgetting/value_marks.py).
FORGETTING = """
create table receipts (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    receipt_id uuid not null,
    cause smallint not null,
    at timestamptz not null,
    stores jsonb not null,
    blocked_values bigint not null,
    constraint receipts_pkey primary key (tenant_id, agent_id, receipt_id),
    constraint receipts_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index receipts_at_idx on receipts (tenant_id, agent_id, at, receipt_id);

create table value_blocks (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    mark bytea not null,
    receipt_id uuid not null,
    blocked_at timestamptz not null,
    constraint value_blocks_pkey primary key (tenant_id, agent_id, mark),
    constraint value_blocks_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index value_blocks_receipt_idx on value_blocks (tenant_id, agent_id, receipt_id);

-- Which memories name an id among their sources, in small letters. An index on the array could not be used under
-- row-level security, since its operators are not leakproof.
create table memory_sources (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    source_ref text collate "C" not null,
    memory_id uuid not null,
    constraint memory_sources_pkey primary key (tenant_id, agent_id, source_ref, memory_id),
    constraint memory_sources_memory_fkey foreign key (tenant_id, agent_id, memory_id)
        references memories on delete cascade
);
-- The memory first: before there are statistics, an index that begins like the key would be taken in its place.
create index memory_sources_memory_idx on memory_sources (memory_id, tenant_id, agent_id);
"""

# Adds the sources of existing memories, tenant by tenant: row-level security shows them in their own tenant alone.
BACKFILL = """
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        insert into memory_sources (tenant_id, agent_id, source_ref, memory_id)
        select distinct tenant_id, agent_id, lower(ref), memory_id from memories, unnest(source_refs) as ref
        where kind < 16;
    end loop;
end $$;
"""

SOURCES = r"""
create function keep_memory_sources() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from camillo.memory_sources
        where tenant_id = old.tenant_id and agent_id = old.agent_id and memory_id = old.memory_id;
    end if;
    insert into camillo.memory_sources (tenant_id, agent_id, source_ref, memory_id)
    select distinct new.tenant_id, new.agent_id, lower(ref), new.memory_id from unnest(new.source_refs) as ref;
    return null;
end
$$;
create trigger memories_rest_when_inserted after insert on memories for each row
    when (new.kind < 16 and new.source_refs <> '{}')
    execute function keep_memory_sources();
create trigger memories_rest_when_updated after update of source_refs on memories for each row
    when (new.kind < 16 and new.source_refs is distinct from old.source_refs)
    execute function keep_memory_sources();

-- For statements that take the scope's turn themselves: its query sees what was committed before the turn was taken,
-- which the statement's own snapshot does not. Without marks, any block at all is one too many.
create function refuse_blocked_values(scope_tenant text, scope_agent text, marks bytea[])
returns void language plpgsql as $$
begin
    if exists (
        select from camillo.value_blocks b
        where b.tenant_id = scope_tenant and b.agent_id in (scope_agent, '')
            and (marks is null or b.mark = any(marks)))
    then
        raise exception 'value was forgotten' using errcode = 'check_violation',
            constraint = case when marks is null then 'value_blocks_unread' else 'value_blocks_hold' end;
    end if;
end
$$;
"""

POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""

BACK = """
drop function refuse_blocked_values;
drop trigger memories_rest_when_updated on memories;
drop trigger memories_rest_when_inserted on memories;
drop function keep_memory_sources;
drop table memory_sources;
drop table value_blocks;
drop table receipts;
"""


def upgrade() -> None:
    op.execute(FORGETTING)
    op.execute(BACKFILL)
    op.execute(SOURCES)
    for table in ("receipts", "value_blocks", "memory_sources"):
        op.execute(POLICY.format(table=table))


def downgrade() -> None:
    op.execute(BACK)
