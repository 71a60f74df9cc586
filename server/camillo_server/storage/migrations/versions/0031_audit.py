"""The audit trail: what every mutation did, and on whose behalf, in one chain of hashes for each scope."""

from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

# The actions in a scope, in the order in which they happened: `position` counts from 1, and `hash` covers the entry and
# the hash before. `transaction_id` is commit order enough to follow the entries of a whole tenant. `facts` is JSON as
# it was written, byte for byte. Texts in which agents describe their actions are stored in `actions`, so that they can
# be forgotten: the entry has their digest.
TABLES = """
create table audit_chains (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    position bigint not null,
    hash bytea not null,
    pruned_position bigint not null default 0,
    pruned_hash bytea not null default '',
    constraint audit_chains_pkey primary key (tenant_id, agent_id),
    constraint audit_chains_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
) with (fillfactor = 50);

create table audit_entries (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    position bigint not null,
    at timestamptz not null,
    transaction_id xid8 not null default pg_current_xact_id(),
    revision bigint not null,
    method text collate "C" not null,
    credential text collate "C" not null,
    facts json not null,
    action_id uuid,
    action_digest bytea,
    hash bytea not null,
    constraint audit_entries_pkey primary key (tenant_id, agent_id, position, at)
) partition by range (at);
create table audit_entries_default partition of audit_entries default;
create table actions (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    action_id uuid not null,
    revision bigint not null,
    sensitivity smallint not null,
    session_id text collate "C" not null,
    occurred_at timestamptz not null,
    salt bytea not null,
    key_id text collate "C" not null,
    details jsonb,
    sealed_details bytea,
    constraint actions_pkey primary key (tenant_id, agent_id, action_id),
    constraint actions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint actions_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index audit_entries_order_idx on audit_entries (tenant_id, transaction_id, agent_id, position);
"""
# The hash of an entry behind another one. docs/audit.md has the same in words, for those who check it elsewhere.
HASH = """
create function audit_hash(
    previous bytea, tenant_id text, agent_id text, "position" bigint, at timestamptz, revision bigint, method text,
    credential text, facts json, action_id uuid, action_digest bytea
) returns bytea language sql immutable parallel safe as $$
    select sha256(previous || convert_to(concat_ws(chr(31), tenant_id, agent_id, "position",
        (extract(epoch from at) * 1000000)::bigint, revision, method, credential, facts, coalesce(action_id::text, ''),
        coalesce(encode(action_digest, 'hex'), '')), 'UTF8'))
$$;
"""
# Whoever may insert an entry chooses neither its place nor its hash. It runs as the owner, since nobody else may change a chain.
CHAIN = """
create function chain_audit_entry() returns trigger language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    loop
        update audit_chains c set position = c.position + 1, hash = audit_hash(
            c.hash, new.tenant_id, new.agent_id, c.position + 1, new.at, new.revision, new.method, new.credential, new.facts,
            new.action_id, new.action_digest)
        where c.tenant_id = new.tenant_id and c.agent_id = new.agent_id
        returning c.position, c.hash into new.position, new.hash;
        exit when found;
        insert into audit_chains (tenant_id, agent_id, position, hash) values (new.tenant_id, new.agent_id, 0, '')
        on conflict do nothing;
    end loop;
    new.transaction_id := pg_current_xact_id();
    return new;
end $$;
create trigger audit_entries_chain before insert on audit_entries for each row execute function chain_audit_entry();
"""
# Entries go with their tenant, and when they are older than the tenant keeps them; by nothing else.
APPEND_ONLY = """
create function refuse_audit_change() returns trigger language plpgsql set search_path = camillo, pg_catalog, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        if current_setting('camillo.audit_pruning', true) = 'on' or not exists (
            select from audit_chains c where c.tenant_id = old.tenant_id and c.agent_id = old.agent_id
        ) then
            return old;
        end if;
    end if;
    raise exception 'entries of the audit trail are never changed' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_unchanged before update or delete on audit_entries
    for each row execute function refuse_audit_change();
create trigger audit_entries_not_truncated before truncate on audit_entries
    for each statement execute function refuse_audit_change();

create function delete_audit_entries() returns trigger language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    delete from audit_entries e where e.tenant_id = old.tenant_id and e.agent_id = old.agent_id;
    return null;
end $$;
create trigger audit_chains_deleted after delete on audit_chains
    for each row execute function delete_audit_entries();
"""
# An older release knows no chunks of actions.
DELETE_CHUNKS = """
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        with gone as (
            delete from memories where tenant_id = each_tenant and kind = 81 returning agent_id, term_count
        )
        update scopes s set memory_count = s.memory_count - g.chunks, chunk_count = s.chunk_count - g.chunks,
            term_count = s.term_count - g.terms
        from (select agent_id, count(*) as chunks, sum(term_count) as terms from gone group by agent_id) g
        where s.tenant_id = each_tenant and s.agent_id = g.agent_id;
    end loop;
end $$
"""
# The same policies as in 0028.
POLICIES = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy agent_reads on {table} as restrictive for select using (
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id in ((select current_setting('camillo.agent', true)), '') end);
create policy agent_inserts on {table} as restrictive for insert with check ({is_own});
create policy agent_updates on {table} as restrictive for update using ({is_own});
create policy agent_deletes on {table} as restrictive for delete using ({is_own});
"""
IS_OWN = """
    case (select current_setting('camillo.agent', true)) when '*' then true
    else agent_id = (select current_setting('camillo.agent', true)) end"""


def upgrade() -> None:
    op.execute(TABLES)
    for part in (HASH, CHAIN, APPEND_ONLY):
        op.execute(part)
    for table in ("audit_chains", "audit_entries", "audit_entries_default", "actions"):
        op.execute(POLICIES.format(table=table, is_own=IS_OWN))
    for column in ("session_id", "details"):
        op.execute(f"alter table actions alter column {column} set statistics 0")
    for table in ("audit_entries", "audit_entries_default"):
        for column in ("credential", "facts"):
            op.execute(f"alter table only {table} alter column {column} set statistics 0")


def downgrade() -> None:
    op.execute(DELETE_CHUNKS)
    op.execute("drop table audit_entries, audit_chains, actions")
    op.execute(
        "drop function chain_audit_entry, refuse_audit_change, delete_audit_entries, audit_hash"
    )
