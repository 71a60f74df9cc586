"""Slots that no search and no digest shows say so. Digests read the others alone: their index leaves these out.

Lists of slots go by their path. The planner took it for as good to read all slots of a scope by their ids, as long as
it knew no statistics, or where most scopes have few slots: now it is told that a scope has many.

A server of before writes over such a slot without a word of it: the slot is in searches, and in digests by its next
write."""

from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

ADD = "alter table slots add column if not exists unindexed boolean not null default false"
# Built beside the old one: writes go on meanwhile. One that was interrupted is there, but invalid.
DROP_NEW = "drop index concurrently if exists slots_indexed_idx"
CREATE = """
create index concurrently slots_indexed_idx on slots (tenant_id, agent_id, updated_at desc, importance desc)
where kind is not null and not unindexed
"""
DROP_OLD = "drop index concurrently if exists slots_newest_idx"

# A list of a large scope must not be planned for one of the average size; `analyze` takes the number over.
FEW_SCOPES = "alter table slots alter column agent_id set (n_distinct = 10)"
# Until the first `analyze`, which a new database gets after a minute. Earlier versions of Postgres take no statistics.
ESTIMATE = """
do $$ begin
    if current_setting('server_version_num')::integer >= 180000
        and not exists (select from pg_stats s where s.schemaname = 'camillo' and s.tablename = 'slots')
    then
        perform pg_restore_attribute_stats('schemaname', 'camillo', 'relname', 'slots', 'attname', c.name,
            'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)
        from (values ('tenant_id'), ('agent_id')) as c (name);
    end if;
end $$
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        for statement in (ADD, DROP_NEW, CREATE, DROP_OLD, FEW_SCOPES, ESTIMATE):
            op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
