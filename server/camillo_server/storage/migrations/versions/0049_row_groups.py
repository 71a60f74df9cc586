"""Rows of large scopes, packed as an index in memory keeps them: a copy, which a load reads in place of the tables.

A group says only what the rows of `memories` say: whoever deletes or rewrites one of them deletes the group in the
same statement, whatever the statement is (docs/adr/scopes-in-memory.md). `rewrites` counts these statements of a scope.
Who packs a group reads it together with the rows, and stores the group under a lock of the scope where it is still the
same: a group of before is not stored behind a removal, and one that was stored before is seen by it.

A row that was encrypted is in no group."""

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

TABLE = """
create table row_groups (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    first_id uuid not null,
    last_id uuid not null,
    format bytea not null,
    revision bigint not null,
    row_count integer not null,
    checksum bigint not null,
    packed bytea not null,
    constraint row_groups_pkey primary key (tenant_id, agent_id, first_id),
    constraint row_groups_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
alter table row_groups alter column packed set storage external;
alter table row_groups alter column packed set statistics 0;
alter table row_groups enable row level security, force row level security;
alter table scopes add column rewrites bigint not null default 0
"""
# As schema/6_policies.sql has them for every table.
IS_OWN = """case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""
POLICIES = (
    """create policy tenant_isolation on row_groups using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true))""",
    """create policy agent_reads on row_groups as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end)""",
    f"create policy agent_inserts on row_groups as restrictive for insert with check ({IS_OWN})",
    f"create policy agent_updates on row_groups as restrictive for update using ({IS_OWN})",
    f"create policy agent_deletes on row_groups as restrictive for delete using ({IS_OWN})",
)
# So many rows at once take all groups of their scopes along: one by one would take longer than packing them again.
DROP_GROUPS = """
create function drop_row_groups(tenants text[], agents text[], ids uuid[]) returns void language plpgsql as $$
begin
    if cardinality(ids) <= 1000 then
        delete from camillo.row_groups r where exists (
            select from unnest(tenants, agents, ids) as t (tenant_id, agent_id, memory_id)
            where t.tenant_id = r.tenant_id and t.agent_id = r.agent_id
                and t.memory_id between r.first_id and r.last_id);
    else
        delete from camillo.row_groups r where exists (
            select from unnest(tenants, agents) as t (tenant_id, agent_id)
            where t.tenant_id = r.tenant_id and t.agent_id = r.agent_id);
    end if;
end
$$
"""
# In both, the count comes first: its lock waits for whoever stores a group, and the next statement sees that group. A
# deletion counts bytes as well, as it did before.
ON_DELETE = """
create or replace function count_memory_bytes_on_delete() returns trigger language plpgsql as $$
begin
    update camillo.scopes s set memory_bytes = s.memory_bytes - c.bytes, rewrites = s.rewrites + 1 from (
        select tenant_id, agent_id, coalesce(
            sum(octet_length(content) + coalesce(octet_length(sealed), 0)) filter (where kind < 16), 0) as bytes
        from removed group by tenant_id, agent_id
    ) c where s.tenant_id = c.tenant_id and s.agent_id = c.agent_id;
    perform camillo.drop_row_groups(array_agg(tenant_id), array_agg(agent_id), array_agg(memory_id)) from removed;
    return null;
end
$$
"""
# Columns that can hold text. Others change together with the revision, by which a load finds that its copy is old.
ON_UPDATE = """
create function drop_row_groups_on_update() returns trigger language plpgsql as $$
declare
    tenants text[];
    agents text[];
    ids uuid[];
begin
    select array_agg(tenant_id), array_agg(agent_id), array_agg(memory_id) into tenants, agents, ids from (
        select tenant_id, agent_id, memory_id, content, session_id, tags, metadata, source_refs, term_codes, key_id,
            sealed, actor, credential from removed where sealed is null
        except select tenant_id, agent_id, memory_id, content, session_id, tags, metadata, source_refs, term_codes,
            key_id, sealed, actor, credential from added
    ) rewritten;
    if ids is not null then
        update camillo.scopes s set rewrites = s.rewrites + 1 from (
            select distinct t.tenant_id, t.agent_id from unnest(tenants, agents) as t (tenant_id, agent_id)
        ) c where s.tenant_id = c.tenant_id and s.agent_id = c.agent_id;
        perform camillo.drop_row_groups(tenants, agents, ids);
    end if;
    return null;
end
$$;
create trigger row_groups_on_update after update on memories
    referencing old table as removed new table as added
    for each statement execute function drop_row_groups_on_update()
"""


def upgrade() -> None:
    for statement in (TABLE, *POLICIES, DROP_GROUPS, ON_DELETE, ON_UPDATE):
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
