"""A connection may be bound to a set of spaces, `camillo.agent` being the literal of an array: row-level security lets
through the rows of each of them, as it does those of one. No id of an agent and no path begins with a brace.

Runs table by table, and can run again: both forms of a policy say the same of what servers have bound so far."""

from alembic import op
from psycopg import Connection

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

ENTERED = "current_setting('camillo.agent', true)"
# A connection that is bound to one scope is bound to a set of one: each subquery is evaluated once for a statement, and
# costs it some microseconds, so that there are as many of them as before. The cast outside makes it a comparison with
# the elements of one array. The planner may evaluate what is in a subquery, whatever is entered.
ENTERED_ARE = f"case when left({ENTERED}, 1) = '{{' then {ENTERED}::text[] else array[{ENTERED}] end"
BEGINNING = f"case when (select {ENTERED} = '*') then true else agent_id ="
IS_OWN = f"{BEGINNING} any((select {ENTERED_ARE})::text[]) end"
IS_READ = f"{BEGINNING} any((select {ENTERED_ARE} || ''::text)::text[]) end"
POLICIES = {
    "agent_reads": f"using ({IS_READ})",
    "agent_inserts": f"with check ({IS_OWN})",
    "agent_updates": f"using ({IS_OWN})",
    "agent_deletes": f"using ({IS_OWN})",
}
TABLES = """
select c.relname from pg_policy p join pg_class c on c.oid = p.polrelid
where c.relnamespace = 'camillo'::regnamespace and p.polname = 'agent_reads' order by c.relname
"""
# As schema/5_audit.sql has it, but for the policies, which it takes from the partition that every installation has.
CREATE_PARTITION = r"""
create or replace function create_audit_partition(month timestamptz) returns void language plpgsql
set search_path = camillo, pg_catalog, pg_temp as $function$
declare
    partition text := 'audit_entries_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    each record;
begin
    execute format('create table %I (like audit_entries including defaults including storage)', partition);
    execute format('alter table %I enable row level security', partition);
    execute format('alter table %I force row level security', partition);
    for each in
        select polname as name, polpermissive as is_permissive,
            case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
                else 'all' end as command,
            coalesce(' using (' || pg_get_expr(polqual, polrelid) || ')', '')
                || coalesce(' with check (' || pg_get_expr(polwithcheck, polrelid) || ')', '') as conditions
        from pg_policy where polrelid = 'audit_entries_default'::regclass
    loop
        execute format('create policy %I on %I as %s for %s%s', each.name, partition,
            case when each.is_permissive then 'permissive' else 'restrictive' end, each.command, each.conditions);
    end loop;
    execute format('alter table %I alter column credential set statistics 0, alter column facts set statistics 0',
        partition);
    execute format('create trigger audit_entries_not_truncated before truncate on %I'
        ' for each statement execute function refuse_audit_change()', partition);
    execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)', partition, month,
        (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
end $function$
"""


def upgrade() -> None:
    # The driver's connection, since SQLAlchemy would take percent signs and colons in the SQL for its own.
    with op.get_context().autocommit_block():
        connection = op.get_bind().connection.driver_connection
        assert isinstance(connection, Connection)  # noqa: S101
        connection.execute(CREATE_PARTITION.encode())
        for (table,) in connection.execute(TABLES).fetchall():
            for policy, condition in POLICIES.items():
                connection.execute(f'alter policy {policy} on "{table}" {condition}'.encode())


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
