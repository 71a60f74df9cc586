"""The retention of a tenant's audit trail, whether reads are entered, and a partition for each month."""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

# A tenant without a row keeps its entries for ever, and enters no reads. The owner's function below reads those of all tenants.
TABLE = """
create table audit_policies (
    tenant_id text collate "C" not null,
    retention_days integer not null default 0,
    audit_reads boolean not null default false,
    constraint audit_policies_pkey primary key (tenant_id),
    constraint audit_policies_days check (retention_days = 0 or retention_days between 31 and 36500),
    constraint audit_policies_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
alter table audit_policies enable row level security;
alter table audit_policies force row level security;
create policy tenant_isolation on audit_policies
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
create policy tenant_list on audit_policies for select to current_user
    using (current_setting('camillo.tenant_list', true) = 'on');

create function tenants_with_audited_reads() returns setof text language plpgsql security definer
set search_path = camillo, pg_catalog, pg_temp as $$
begin
    perform set_config('camillo.tenant_list', 'on', true);
    return query select p.tenant_id::text from audit_policies p where p.audit_reads;
    perform set_config('camillo.tenant_list', '', true);
end $$;
"""
# Nothing that a session can set lets an entry go: the chain has to say that it was pruned, which the owner's function alone does.
APPEND_ONLY = """
create or replace function refuse_audit_change() returns trigger language plpgsql
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
create trigger audit_entries_not_truncated before truncate on audit_entries_default
    for each statement execute function refuse_audit_change();
"""
# Removes at most `most` of the oldest entries from the chains named, in their order: those of whole months that the
# tenant's policy lets go, as far as no younger one stands before them. The time is the server's, but never ahead of
# that of Postgres. The function enters what it pruned, so that nobody can leave that out.
PRUNE = """
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
        select c.pruned_position into gone from audit_chains c where c.tenant_id = tenant and c.agent_id = chain for update;
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
"""
# Creates the partition of a month, with the policies and the trigger of the default one. A month of which there are
# entries in the default one stays there.
PARTITION = """
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
    execute format('alter table %I alter column credential set statistics 0, alter column facts set statistics 0', partition);
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
        -- Postgres looks for rows of the month in the default partition, which nobody can use meanwhile: of this month there are
        -- some where an older release has written, and then it would look in vain once an hour.
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
            and to_date(right(c.relname, 7), 'YYYY_MM') < this_month - interval '2 months' and pg_relation_size(c.oid) = 0
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
    tenants_with_audited_reads(), prune_audit_entries(text[], timestamptz, integer), create_audit_partition(timestamptz),
    keep_audit_partitions() from public;
select keep_audit_partitions();
"""


def upgrade() -> None:
    for part in (TABLE, APPEND_ONLY, PRUNE, PARTITION):
        op.execute(part)


def downgrade() -> None:
    # Partitions and the stricter trigger stay: the release before works with both.
    op.execute("drop trigger audit_entries_not_truncated on audit_entries_default")
    op.execute(
        "drop function keep_audit_partitions, create_audit_partition, prune_audit_entries, tenants_with_audited_reads"
    )
    op.execute("drop table audit_policies")
