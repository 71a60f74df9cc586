"""Entries of a chain come in the order of their positions, and new ones behind those that were restored.

A transaction has its number before it waits for the chain, so that of two at once the later number may have the earlier
place: whoever followed the trail, or checked a file of it, met the second entry before the first. An entry has the
number of the one before it where that is higher. It is read no sooner than its own transaction ends: whoever reads
waits until every transaction up to that number has ended.

Another cluster of Postgres counts its transactions from another number. `audit_offset` is added to them, so that those
of before a restore are all lower (across/backup/store/load.sql)."""

from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

COLUMNS = """
alter table audit_chains add column transaction_id xid8 not null default '0';
alter table database_identity add column audit_offset bigint not null default 0
"""
CHAIN_ENTRY = """
create or replace function chain_audit_entry() returns trigger language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
declare own xid8;
begin
    select (pg_current_xact_id()::text::bigint + audit_offset)::text::xid8 into own from database_identity;
    loop
        update audit_chains c set position = c.position + 1, transaction_id = greatest(c.transaction_id, own),
            hash = audit_hash(
                c.hash, new.tenant_id, new.agent_id, c.position + 1, new.at, new.revision, new.method, new.credential,
                new.facts, new.action_id, new.action_digest)
        where c.tenant_id = new.tenant_id and c.agent_id = new.agent_id
        returning c.position, c.hash, c.transaction_id into new.position, new.hash, new.transaction_id;
        exit when found;
        insert into audit_chains (tenant_id, agent_id, position, hash) values (new.tenant_id, new.agent_id, 0, '')
        on conflict do nothing;
    end loop;
    return new;
end $$
"""


def upgrade() -> None:
    op.execute(COLUMNS)
    op.execute(CHAIN_ENTRY)


def downgrade() -> None:
    raise NotImplementedError("an earlier server works on this schema")
