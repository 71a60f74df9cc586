"""Links between memories, events, slots, decisions and documents of a scope."""

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

# A link holds ids alone. It names the numbers of the sources beside them, which the ids tell apart by themselves.
TABLE = """
create table links (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    from_id uuid not null,
    to_id uuid not null,
    type smallint not null,
    from_source smallint not null,
    to_source smallint not null,
    created_at timestamptz not null,
    credential text collate "C" not null,
    constraint links_pkey primary key (tenant_id, agent_id, from_id, to_id, type),
    constraint links_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade,
    constraint links_known check (type between 1 and 4 and from_source between 1 and 5 and to_source between 1 and 5),
    constraint links_of_two check (from_id <> to_id)
);
create index links_to_idx on links (tenant_id, agent_id, to_id);
alter table links alter column credential set statistics 0;
alter table links enable row level security;
alter table links force row level security;
create policy tenant_isolation on links
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on links as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
"""
WRITES = """
create policy agent_{name} on links as restrictive for {command} {kind} (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end);
"""
# The revision that last changed the links of a scope, 0 before the first: a recall of a scope without links looks for none.
REVISION = "alter table scopes add column links_revision bigint not null default 0"
# Deletes the links of a deleted row, in whatever way it is deleted. Where a whole scope goes, the foreign key does it.
FOLLOW = """
create function remove_links_of_{table}() returns trigger language plpgsql as $$
begin
    if exists (select from camillo.links l where l.tenant_id = current_setting('camillo.tenant', true)) then
        with led_from as (
            delete from camillo.links l using gone g
            where l.tenant_id = g.tenant_id and l.agent_id = g.agent_id and l.from_id = g.{column}
            returning l.tenant_id, l.agent_id
        ), led_to as (
            delete from camillo.links l using gone g
            where l.tenant_id = g.tenant_id and l.agent_id = g.agent_id and l.to_id = g.{column}
            returning l.tenant_id, l.agent_id
        )
        update camillo.scopes s set links_revision = s.revision
        where (s.tenant_id, s.agent_id) in (select * from led_from union select * from led_to);
    end if;
    return null;
end
$$;
create trigger {table}_take_links_along after delete on {table} referencing old table as gone
    for each statement execute function remove_links_of_{table}();
"""
ENDS = {
    "memories": "memory_id",
    "events": "event_id",
    "documents": "document_id",
    "slots": "slot_id",
    "decisions": "decision_id",
}


def upgrade() -> None:
    op.execute(REVISION)
    op.execute(TABLE)
    op.execute(WRITES.format(name="inserts", command="insert", kind="with check"))
    op.execute(WRITES.format(name="updates", command="update", kind="using"))
    op.execute(WRITES.format(name="deletes", command="delete", kind="using"))
    for table, column in ENDS.items():
        op.execute(FOLLOW.format(table=table, column=column))


def downgrade() -> None:
    for table in ENDS:
        op.execute(f"drop trigger {table}_take_links_along on {table}")
        op.execute(f"drop function remove_links_of_{table}()")
    op.execute("drop table links")
    op.execute("alter table scopes drop column links_revision")
