-- Row-level security, forced, so that it binds the owner of the tables too. The server sets `camillo.tenant` and
-- `camillo.agent` for each connection that it hands out (storage/database.py); unset, they are null, and no row
-- passes.

-- A tenant's rows are seen and written in the tenant alone. Beside that, and not in its place, an agent reads its own
-- rows and those of the tenant's shared scope, whose agent is empty, and writes its own; `*` stands for every agent. A
-- subquery is evaluated once for a statement, not for every row; with `case` the planner does not take the same
-- condition, which the statements state as well, for another one (docs/adr/isolation.md).
do $$
declare
    each_table text;
    has_agent boolean;
    is_own text := $own$case (select current_setting('camillo.agent', true)) when '*' then true
        else agent_id = (select current_setting('camillo.agent', true)) end$own$;
begin
    for each_table, has_agent in
        select c.relname, bool_or(a.attname = 'agent_id')
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'camillo'::regnamespace and c.relkind in ('r', 'p')
        group by c.relname having bool_or(a.attname = 'tenant_id') order by c.relname
    loop
        execute format('alter table %1$I enable row level security, force row level security', each_table);
        execute format($policy$create policy tenant_isolation on %I
            using (tenant_id = current_setting('camillo.tenant', true))
            with check (tenant_id = current_setting('camillo.tenant', true))$policy$, each_table);
        continue when not has_agent;
        execute format($policy$create policy agent_reads on %I as restrictive for select using (
            case (select current_setting('camillo.agent', true)) when '*' then true
            else agent_id in ((select current_setting('camillo.agent', true)), '') end)$policy$, each_table);
        execute format('create policy agent_inserts on %I as restrictive for insert with check (%s)',
            each_table, is_own);
        execute format('create policy agent_updates on %I as restrictive for update using (%s)', each_table, is_own);
        execute format('create policy agent_deletes on %I as restrictive for delete using (%s)', each_table, is_own);
    end loop;
end $$;
select keep_audit_partitions();

-- A key is looked up before its tenant is known, but only by whoever has its secret.
create policy key_holder on api_keys for select
    using (secret_digest = decode(nullif(current_setting('camillo.key_digest', true), ''), 'hex'));
-- Lists of all tenants are opened to the owner alone, as whom functions read them.
create policy tenant_list on tenants for select to current_user
    using (current_setting('camillo.tenant_list', true) = 'on');
create policy tenant_list on audit_policies for select to current_user
    using (current_setting('camillo.tenant_list', true) = 'on');
create policy tenant_list on spool_policies for select to current_user
    using (current_setting('camillo.tenant_list', true) = 'on');
-- Whoever is bound to a tenant reads the operator's skills and cannot write them.
alter table global_skills enable row level security, force row level security;
create policy every_tenant_reads on global_skills for select using (true);
create policy no_tenant_inserts on global_skills for insert with check (current_setting('camillo.tenant', true) = '');
create policy no_tenant_updates on global_skills for update using (current_setting('camillo.tenant', true) = '');
create policy no_tenant_deletes on global_skills for delete using (current_setting('camillo.tenant', true) = '');

-- The queue's own connections enter no tenant and see every job; a session of a tenant sees its jobs, and what
-- happened to them. Jobs that belong to no tenant, such as those that defer others, are seen by the former alone.
alter table camillo_jobs.procrastinate_jobs enable row level security, force row level security;
create policy tenant_isolation on camillo_jobs.procrastinate_jobs using (
    case coalesce((select current_setting('camillo.tenant', true)), '') when '' then true
    else args ->> 'tenant_id' = (select current_setting('camillo.tenant', true)) end);
alter table camillo_jobs.procrastinate_events enable row level security, force row level security;
create policy tenant_isolation on camillo_jobs.procrastinate_events using (
    case coalesce((select current_setting('camillo.tenant', true)), '') when '' then true
    else exists (select from camillo_jobs.procrastinate_jobs j where j.id = job_id) end);
alter table camillo_jobs.procrastinate_periodic_defers enable row level security, force row level security;
create policy tenant_isolation on camillo_jobs.procrastinate_periodic_defers using (
    case coalesce((select current_setting('camillo.tenant', true)), '') when '' then true else false end);
