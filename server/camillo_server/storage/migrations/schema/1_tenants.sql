-- Tenants, their scopes, keys and requests; the identity of the database.

-- One row: what tells this database from every other. `epoch` begins anew where a server notices that Postgres went on
-- from an earlier state: revisions of before are unknown in it.
create table database_identity (
    database_id uuid not null,
    only_row boolean not null default true,
    has_unsigned_keys boolean not null default false,
    epoch bigint not null default 0,
    constraint database_identity_pkey primary key (only_row),
    constraint database_identity_only_row check (only_row)
);
insert into database_identity (database_id) values (gen_random_uuid());

-- Begins another epoch, once however many servers notice.
create function turn_epoch(from_epoch bigint, to_epoch bigint) returns void
language sql security definer set search_path = camillo, pg_temp
begin atomic
    update camillo.database_identity set epoch = to_epoch where epoch = from_epoch;
end;
revoke all on function turn_epoch(bigint, bigint) from public;

-- Secrets that sign the keys that this installation issues; a database with tenants may have keys without a signature.
create table key_secrets (
    secret bytea not null default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
    created_at timestamptz not null default now(),
    constraint key_secrets_pkey primary key (secret)
);
insert into key_secrets default values;

-- `quotas`: the tenant's own bounds by name; all others are those of the settings.
create table tenants (
    tenant_id text collate "C" not null,
    display_name text not null,
    created_at timestamptz not null,
    quotas jsonb not null default '{}',
    constraint tenants_pkey primary key (tenant_id)
);

-- Opens the list of tenants as the owner, as whom it runs; the role that serves may call it.
create function all_tenants() returns setof tenants
    language plpgsql security definer set search_path = camillo, pg_temp as $$
begin
    perform set_config('camillo.tenant_list', 'on', true);
    return query select * from camillo.tenants;
    perform set_config('camillo.tenant_list', '', true);
end
$$;
revoke execute on function all_tenants() from public;

-- One row per (tenant, agent). Its revision is incremented inside every writing transaction, which makes the
-- writers of a scope take turns and the counter gap-free and in commit order. It begins with the microseconds since
-- 1970, so that a scope that is removed and made again goes on above what anyone has seen of it. A deleted agent's
-- row stays, for the tombstones of what it had; its next write brings it back.
create table scopes (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    revision bigint not null,
    memory_count bigint not null,
    term_count bigint not null,
    display_name text not null,
    created_at timestamptz not null,
    deleted_at timestamptz,
    chunk_count bigint not null default 0,
    handoff_senders text[],
    memory_bytes bigint not null default 0,
    links_revision bigint not null default 0,
    constraint scopes_pkey primary key (tenant_id, agent_id),
    constraint scopes_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
) with (fillfactor = 50);

-- `created_by`: the key that created it, so that one can be revoked with all that it created. A key may be bound to a
-- channel, a level, actors and categories of documents; null: to none.
create table api_keys (
    tenant_id text collate "C" not null,
    key_id text collate "C" not null,
    agent_id text collate "C",
    secret_digest bytea not null,
    role smallint not null,
    description text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    created_by text collate "C",
    channel smallint,
    max_sensitivity smallint,
    actors text[],
    document_categories text[],
    constraint api_keys_pkey primary key (tenant_id, key_id),
    constraint api_keys_secret_digest_key unique (secret_digest),
    constraint api_keys_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
create index api_keys_created_by on api_keys (tenant_id, created_by) where created_by is not null;

-- One row per mutation that carried a request id: what was asked, as a digest, and what was answered, as facts
-- from which the answer is made again.
create table requests (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    request_id text collate "C" not null,
    content_digest bytea not null,
    facts jsonb not null,
    revision bigint not null,
    created_at timestamptz not null,
    constraint requests_pkey primary key (tenant_id, agent_id, request_id),
    constraint requests_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
create index requests_created_idx on requests (tenant_id, created_at);
alter table requests
    alter column request_id set statistics 0, alter column content_digest set statistics 0,
    alter column facts set statistics 0;

-- What each tenant has spent on vectors, in billionths of a US dollar, since a token costs a few tens of them; what is
-- set aside for requests under way is in it. One row per day (UTC) and model, so that a month is a sum of few.
create table embedding_spend (
    tenant_id text collate "C" not null,
    day date not null,
    model_id text collate "C" not null,
    nano_usd bigint not null,
    tokens bigint not null,
    constraint embedding_spend_pkey primary key (tenant_id, day, model_id),
    constraint embedding_spend_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
) with (fillfactor = 50);

-- Vectors of the model that is to serve next. Rows of the scope after `started_revision` may be served with the new
-- vectors already; up to `done_revision` every row has one. `all_scopes`: scopes that come later are meant as well.
create table reembeddings (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    model_id text not null,
    started_at timestamptz not null,
    started_revision bigint not null,
    done_revision bigint not null,
    all_scopes boolean not null,
    constraint reembeddings_pkey primary key (tenant_id, agent_id),
    constraint reembeddings_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);

-- What a tenant wants of its writes while Postgres is away. A tenant without a row has them spooled.
create table spool_policies (
    tenant_id text collate "C" not null,
    policy smallint not null,
    constraint spool_policies_pkey primary key (tenant_id),
    constraint spool_policies_known check (policy between 1 and 3),
    constraint spool_policies_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);

-- Reads the policies of all tenants, as the owner.
create function tenants_with_spool_policies() returns table (tenant text, wanted smallint)
language plpgsql security definer set search_path = camillo, pg_catalog, pg_temp as $$
begin
    perform set_config('camillo.tenant_list', 'on', true);
    return query select p.tenant_id::text, p.policy from spool_policies p;
    perform set_config('camillo.tenant_list', '', true);
end $$;

-- Spooled writes that could not be stored. `details` has the request as JSON, encrypted where there are keys; neither
-- where it had a forgotten value, or could not be read. The table refers to no scope: that of a failed write may not
-- be there yet.
create table spool_failures (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    spool_id uuid not null,
    method text collate "C" not null,
    request_id text not null,
    content_digest bytea not null,
    has_request_id boolean not null,
    caller jsonb not null,
    accepted_at timestamptz not null,
    byte_count bigint not null,
    reason text not null,
    message text not null,
    failed_at timestamptz not null,
    key_id text not null,
    details jsonb,
    sealed_details bytea,
    constraint spool_failures_pkey primary key (tenant_id, agent_id, spool_id),
    constraint spool_failures_tenant_fkey foreign key (tenant_id) references tenants on delete cascade
);
create index spool_failures_order_idx on spool_failures (tenant_id, accepted_at, spool_id);
alter table spool_failures alter column details set statistics 0, alter column sealed_details set statistics 0;

-- The jobs of the tenant that a session has entered.
create function tenant_jobs() returns table (
    agent_id text, id bigint, task_name text, queue_name text, queueing_lock text, status text, attempts integer,
    scheduled_at timestamptz, worker_id bigint)
language sql stable as $$
    select j.args ->> 'agent_id', j.id, j.task_name, j.queue_name, j.queueing_lock, j.status::text, j.attempts,
        j.scheduled_at, j.worker_id
    from camillo_jobs.procrastinate_jobs j
    where j.args ->> 'tenant_id' = current_setting('camillo.tenant', true) and j.status in ('todo', 'doing', 'failed')
$$;
