"""Chunks beside memories, told apart by their kind; rows that are encrypted at rest."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# The values of a sealed row (storage/sealed_rows.py) are in `sealed`; the columns that hold them in other rows are
# empty. `cited_refs`: the artifacts that a sealed text cites, which nobody can read in it.
SEALED = """
alter table memories
    add column key_id text collate "C" not null default '',
    add column sealed bytea,
    add column cited_refs text[] not null default '{}',
    drop constraint memories_content_length,
    add constraint memories_content_length check (
        case when sealed is null then char_length(content) between 1 and 2000 else content = '' end);
alter table memory_history
    add column key_id text collate "C" not null default '',
    add column sealed bytea;
alter table memory_vectors
    add column key_id text collate "C" not null default '',
    add column sealed bytea,
    alter column embedding drop not null,
    add constraint memory_vectors_once check (num_nonnulls(embedding, sealed) = 1);
-- Whether there is something that a recall in Postgres cannot look at.
create index memories_sealed_idx on memories (tenant_id, agent_id, sensitivity, kind) where sealed is not null;
"""

# A kind of 16 and more is a chunk's (domain/source.py). `memory_count` counts rows of both, `chunk_count` the chunks
# among them.
CHUNKS = """
alter table scopes add column chunk_count bigint not null default 0;
alter table memory_tombstones add column is_chunk boolean not null default false;
drop index memories_hideable_idx;
-- What a recall without conditions leaves out.
create index memories_hideable_idx on memories (tenant_id, agent_id, memory_id)
    where archived or expires_at is not null or kind >= 16;
drop index memories_created_idx;
-- In which memories are listed; chunks never are.
create index memories_created_idx on memories (tenant_id, agent_id, created_at, memory_id) where kind < 16;
"""

# Citations are of memories alone.
CITATIONS = r"""
create or replace function keep_memory_citations() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from camillo.memory_citations
        where tenant_id = old.tenant_id and agent_id = old.agent_id and memory_id = old.memory_id;
    end if;
    insert into camillo.memory_citations (tenant_id, agent_id, artifact_id, memory_id)
    select new.tenant_id, new.agent_id, cited, new.memory_id
    from camillo.artifacts_cited(new.content, new.source_refs || new.cited_refs) as cited;
    return null;
end
$$;

drop trigger memories_cite_when_inserted on memories;
create trigger memories_cite_when_inserted after insert on memories for each row
    when (new.kind < 16
        and (new.source_refs <> '{}' or new.cited_refs <> '{}' or new.content like '%[MemoryRef: %'))
    execute function keep_memory_citations();
drop trigger memories_cite_when_updated on memories;
create trigger memories_cite_when_updated after update of content, source_refs, cited_refs on memories for each row
    when (new.kind < 16
        and (new.source_refs <> '{}' or new.cited_refs <> '{}' or new.content like '%[MemoryRef: %'
            or old.source_refs <> '{}' or old.cited_refs <> '{}' or old.content like '%[MemoryRef: %'))
    execute function keep_memory_citations();
"""

BACK = r"""
drop trigger memories_cite_when_inserted on memories;
drop trigger memories_cite_when_updated on memories;
create or replace function keep_memory_citations() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        delete from camillo.memory_citations
        where tenant_id = old.tenant_id and agent_id = old.agent_id and memory_id = old.memory_id;
    end if;
    insert into camillo.memory_citations (tenant_id, agent_id, artifact_id, memory_id)
    select new.tenant_id, new.agent_id, cited, new.memory_id
    from camillo.artifacts_cited(new.content, new.source_refs) as cited;
    return null;
end
$$;
create trigger memories_cite_when_inserted after insert on memories for each row
    when (new.source_refs <> '{}' or new.content like '%[MemoryRef: %')
    execute function keep_memory_citations();
create trigger memories_cite_when_updated after update of content, source_refs on memories for each row
    when (new.source_refs <> '{}' or new.content like '%[MemoryRef: %'
        or old.source_refs <> '{}' or old.content like '%[MemoryRef: %')
    execute function keep_memory_citations();

drop index memories_created_idx;
create index memories_created_idx on memories (tenant_id, agent_id, created_at, memory_id);
drop index memories_hideable_idx;
create index memories_hideable_idx on memories (tenant_id, agent_id, memory_id)
    where archived or expires_at is not null;
alter table memory_tombstones drop column is_chunk;
alter table scopes drop column chunk_count;

drop index memories_sealed_idx;
alter table memory_vectors
    drop constraint memory_vectors_once, alter column embedding set not null, drop column sealed, drop column key_id;
alter table memory_history drop column sealed, drop column key_id;
alter table memories
    drop constraint memories_content_length, drop column cited_refs, drop column sealed, drop column key_id,
    add constraint memories_content_length check (char_length(content) between 1 and 2000);
"""


def upgrade() -> None:
    op.execute(SEALED)
    op.execute(CHUNKS)
    op.execute(CITATIONS)


def downgrade() -> None:
    op.execute(BACK)
