"""The bytes of each scope's memories, counted where rows change."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

COLUMN = "alter table scopes add column if not exists memory_bytes bigint not null default 0"
# As stored; chunks repeat what events are counted for.
BYTES = "octet_length(content) + coalesce(octet_length(sealed), 0)"
ADDED = "select tenant_id, agent_id, {bytes} as bytes from added where kind < 16"
REMOVED = "select tenant_id, agent_id, -({bytes}) as bytes from removed where kind < 16"
TRIGGERS = {
    "insert": (ADDED, "new table as added"),
    "update": (ADDED + " union all " + REMOVED, "old table as removed new table as added"),
    "delete": (REMOVED, "old table as removed"),
}
# Whoever writes, and in whatever way. Writers have locked the scope before.
TRIGGER = """
create or replace function count_memory_bytes_on_{event}() returns trigger language plpgsql as $$
begin
    update camillo.scopes s set memory_bytes = s.memory_bytes + c.bytes from (
        select tenant_id, agent_id, sum(bytes) as bytes from ({changes}) each_row
        group by tenant_id, agent_id having sum(bytes) <> 0
    ) c where s.tenant_id = c.tenant_id and s.agent_id = c.agent_id;
    return null;
end
$$;
create or replace trigger memory_bytes_on_{event} after {event} on memories
    referencing {rows} for each statement execute function count_memory_bytes_on_{event}();
"""
# A scope's lock is taken first, so that no write falls between count and result. Its writers wait meanwhile: about a second for a
# million memories.
BACKFILL = """
do $$
declare each_tenant text; each_agent text;
begin
    perform set_config('camillo.tenant_list', 'on', false), set_config('camillo.agent', '*', false);
    for each_tenant in select tenant_id from camillo.tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, false);
        for each_agent in select agent_id from camillo.scopes where tenant_id = each_tenant order by agent_id loop
            perform from camillo.scopes where tenant_id = each_tenant and agent_id = each_agent for update;
            update camillo.scopes set memory_bytes = (
                select coalesce(sum({bytes}), 0) from camillo.memories
                where tenant_id = each_tenant and agent_id = each_agent and kind < 16
            ) where tenant_id = each_tenant and agent_id = each_agent;
            commit;
        end loop;
    end loop;
    perform set_config('camillo.tenant_list', '', false), set_config('camillo.agent', '', false),
        set_config('camillo.tenant', '', false);
end $$
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute(COLUMN)
        for event, (changes, rows) in TRIGGERS.items():
            counted = changes.format(bytes=BYTES)
            op.execute(TRIGGER.format(event=event, changes=counted, rows=rows))
        op.execute(BACKFILL.format(bytes=BYTES))


def downgrade() -> None:
    for event in TRIGGERS:
        op.execute(f"drop trigger memory_bytes_on_{event} on memories")
        op.execute(f"drop function count_memory_bytes_on_{event}()")
    op.execute("alter table scopes drop column memory_bytes")
