-- The audit trail: what every mutation did, and on whose behalf, in one chain of hashes for each scope; what
-- forgetting removed.

-- The end of a scope's chain of hashes, and how far it was pruned.
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

-- The actions in a scope, in the order in which they happened: `position` counts from 1, and `hash` covers the entry
-- and the hash before. `transaction_id` is commit order enough to follow the entries of a whole tenant. `facts` is
-- JSON as it was written, byte for byte. Texts in which agents describe their actions are stored in `actions`, so that
-- they can be forgotten: the entry has their digest.
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
create index audit_entries_order_idx on audit_entries (tenant_id, transaction_id, agent_id, position);
alter table only audit_entries alter column credential set statistics 0, alter column facts set statistics 0;

create table audit_entries_default partition of audit_entries default;
alter table only audit_entries_default alter column credential set statistics 0, alter column facts set statistics 0;

-- Texts that describe actions. `acting_agent_id` is empty for the operator.
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
    acting_agent_id text collate "C" not null default '',
    constraint actions_pkey primary key (tenant_id, agent_id, action_id),
    constraint actions_details_once check (num_nonnulls(details, sealed_details) = 1),
    constraint actions_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
alter table actions
    alter column session_id set statistics 0, alter column details set statistics 0,
    alter column acting_agent_id set statistics 0;

-- A tenant without a row keeps its entries for ever, and enters no reads.
create table audit_policies (
    tenant_id text collate "C" not null,
    retention_days integer not null default 0,
    audit_reads boolean not null default false,
    constraint audit_policies_pkey primary key (tenant_id),
    constraint audit_policies_days check (retention_days = 0 or retention_days between 31 and 36500),
    constraint audit_policies_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);

-- Reads the policies of all tenants, as the owner.
create function tenants_with_audited_reads() returns setof text language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    perform set_config('camillo.tenant_list', 'on', true);
    return query select p.tenant_id::text from audit_policies p where p.audit_reads;
    perform set_config('camillo.tenant_list', '', true);
end $$;

-- The hash of an entry behind another one. docs/audit.md has the same in words, for those who check it elsewhere.
create function audit_hash(
    previous bytea, tenant_id text, agent_id text, "position" bigint, at timestamptz, revision bigint, method text,
    credential text, facts json, action_id uuid, action_digest bytea
) returns bytea language sql immutable parallel safe as $$
    select sha256(previous || convert_to(concat_ws(chr(31), tenant_id, agent_id, "position",
        (extract(epoch from at) * 1000000)::bigint, revision, method, credential, facts, coalesce(action_id::text, ''),
        coalesce(encode(action_digest, 'hex'), '')), 'UTF8'))
$$;

-- Whoever may insert an entry chooses neither its place nor its hash. It runs as the owner, since nobody else may
-- change a chain.
create function chain_audit_entry() returns trigger language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    loop
        update audit_chains c set position = c.position + 1, hash = audit_hash(
            c.hash, new.tenant_id, new.agent_id, c.position + 1, new.at, new.revision, new.method, new.credential,
            new.facts, new.action_id, new.action_digest)
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

-- Entries go with their tenant, and when they are older than the tenant keeps them; by nothing else. Nothing that a
-- session can set lets one go: the chain has to say that it was pruned, which the owner's function alone does.
create function refuse_audit_change() returns trigger language plpgsql
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        if not exists (
            select from audit_chains c where c.tenant_id = old.tenant_id and c.agent_id = old.agent_id
                and c.pruned_position < old.position
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
create trigger audit_entries_not_truncated before truncate on audit_entries_default
    for each statement execute function refuse_audit_change();

create function delete_audit_entries() returns trigger language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    delete from audit_entries e where e.tenant_id = old.tenant_id and e.agent_id = old.agent_id;
    return null;
end $$;
create trigger audit_chains_deleted after delete on audit_chains
    for each row execute function delete_audit_entries();

-- Removes at most `most` of the oldest entries from the chains named, in their order: those of whole months that the
-- tenant's policy lets go, as far as no younger one stands before them. The time is the server's, but never ahead of
-- that of Postgres. The function enters what it pruned, so that nobody can leave that out.
create function prune_audit_entries(chains text[], pruned_at timestamptz, most integer) returns bigint
language plpgsql security definer set search_path = camillo, pg_catalog, pg_temp as $$
declare
    tenant text collate "C" := current_setting('camillo.tenant', true);
    chain text collate "C";
    days integer;
    before timestamptz;
    gone bigint;
    last bigint;
    last_hash bytea;
    count bigint;
    total bigint := 0;
    positions jsonb := '{}';
    pruned_chains integer := 0;
begin
    select p.retention_days into days from audit_policies p where p.tenant_id = tenant;
    if coalesce(days, 0) = 0 then
        return 0;
    end if;
    before := date_trunc('month', least(pruned_at, clock_timestamp()) - make_interval(days => days), 'UTC');
    foreach chain in array chains loop
        exit when total >= most;
        select c.pruned_position into gone from audit_chains c where c.tenant_id = tenant and c.agent_id = chain
        for update;
        continue when not found;
        with next as (
            select e.position, e.at, e.hash from audit_entries e
            where e.tenant_id = tenant and e.agent_id = chain and e.position > gone
            order by e.position limit most - total
        )
        select n.position, n.hash into last, last_hash from next n
        where n.position < coalesce((select min(s.position) from next s where s.at >= before), n.position + 1)
        order by n.position desc limit 1;
        continue when not found;
        update audit_chains c set pruned_position = last, pruned_hash = last_hash
        where c.tenant_id = tenant and c.agent_id = chain;
        delete from audit_entries e where e.tenant_id = tenant and e.agent_id = chain and e.position <= last;
        get diagnostics count = row_count;
        total := total + count;
        pruned_chains := pruned_chains + 1;
        if pruned_chains <= 20 then
            positions := positions || jsonb_build_object(chain, last);
        end if;
    end loop;
    if total > 0 then
        insert into audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)
        values (tenant, '', pruned_at, 0, 'prune_audit', '', json_build_object(
            'entries', total, 'chains', pruned_chains, 'pruned_positions', positions, 'retention_days', days,
            'before_month', to_char(before at time zone 'UTC', 'YYYY-MM')));
    end if;
    return total;
end $$;

-- Creates the partition of a month, with the policies and the trigger of the default one. A month of which there are
-- entries in the default one stays there.
create function create_audit_partition(month timestamptz) returns void language plpgsql
set search_path = camillo, pg_catalog, pg_temp as $function$
declare
    partition text := 'audit_entries_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    is_own text := $$case (select current_setting('camillo.agent', true)) when '*' then true
        else agent_id = (select current_setting('camillo.agent', true)) end$$;
begin
    execute format('create table %I (like audit_entries including defaults including storage)', partition);
    execute format('alter table %I enable row level security', partition);
    execute format('alter table %I force row level security', partition);
    execute format($$create policy tenant_isolation on %I
        using (tenant_id = current_setting('camillo.tenant', true))
        with check (tenant_id = current_setting('camillo.tenant', true))$$, partition);
    execute format($$create policy agent_reads on %I as restrictive for select using (
        case (select current_setting('camillo.agent', true)) when '*' then true
        else agent_id in ((select current_setting('camillo.agent', true)), '') end)$$, partition);
    execute format('create policy agent_inserts on %I as restrictive for insert with check (%s)', partition, is_own);
    execute format('create policy agent_updates on %I as restrictive for update using (%s)', partition, is_own);
    execute format('create policy agent_deletes on %I as restrictive for delete using (%s)', partition, is_own);
    execute format('alter table %I alter column credential set statistics 0, alter column facts set statistics 0',
        partition);
    execute format('create trigger audit_entries_not_truncated before truncate on %I'
        ' for each statement execute function refuse_audit_change()', partition);
    execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)', partition, month,
        (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
end $function$;

create function keep_audit_partitions() returns void language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp set timezone = 'UTC' set lock_timeout = '200ms' as $$
declare
    this_month timestamptz := date_trunc('month', clock_timestamp());
    partition text;
begin
    if not pg_try_advisory_xact_lock(hashtext('camillo.audit_partitions')) then
        return;
    end if;
    for ahead in 0..3 loop
        partition := 'audit_entries_' || to_char(this_month + make_interval(months => ahead), 'YYYY_MM');
        continue when to_regclass(format('camillo.%I', partition)) is not null;
        -- Postgres looks for rows of the month in the default partition, which nobody can use meanwhile: of this month
        -- there are some where an older release has written, and then it would look in vain once an hour.
        continue when ahead = 0 and pg_relation_size('audit_entries_default') > 0;
        begin
            perform create_audit_partition(this_month + make_interval(months => ahead));
        exception when check_violation or lock_not_available or duplicate_table then
            null;
        end;
    end loop;
    -- Row-level security hides rows, not the pages that they are in: vacuum gives those back when nothing is left.
    for partition in
        select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'audit_entries'::regclass and c.relname ~ '^audit_entries_[0-9]{4}_[0-9]{2}$'
            and to_date(right(c.relname, 7), 'YYYY_MM') < this_month - interval '2 months'
            and pg_relation_size(c.oid) = 0
        order by 1
    loop
        begin
            execute format('lock table audit_entries, only %I in access exclusive mode', partition);
            if pg_relation_size(partition::regclass) = 0 then
                execute format('drop table %I', partition);
            end if;
        exception when lock_not_available then
            null;
        end;
    end loop;
end $$;
revoke execute on function
    tenants_with_audited_reads(), prune_audit_entries(text[], timestamptz, integer),
    create_audit_partition(timestamptz), keep_audit_partitions() from public;

-- What a forgetting removed.
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

-- Fingerprints of removed values that may not be stated again. `is_keyed`: whether the fingerprint was made with a
-- key.
create table value_blocks (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    mark bytea not null,
    receipt_id uuid not null,
    blocked_at timestamptz not null,
    is_keyed boolean not null default false,
    constraint value_blocks_pkey primary key (tenant_id, agent_id, mark),
    constraint value_blocks_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
create index value_blocks_receipt_idx on value_blocks (tenant_id, agent_id, receipt_id);

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

-- Writes that were refused for a forgotten value, without the value.
create table value_refusals (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    refusal_id uuid not null,
    at timestamptz not null,
    method text not null,
    field text not null,
    receipt_id uuid not null,
    constraint value_refusals_pkey primary key (tenant_id, agent_id, refusal_id),
    constraint value_refusals_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
