-- name: tables
-- Every table but partitions, which are read through the table that they are of, what migrations keep for themselves, and
-- copies of rows that servers make again.
select n.nspname, c.relname, array(
    select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
), greatest(c.reltuples, 0)::bigint
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('camillo', 'camillo_jobs') and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ('schema_version', 'last_migration', 'row_groups')
order by 1, 2

-- name: configure
-- Values in the one form that every Postgres reads as the same, for as long as it takes.
select set_config('client_encoding', 'UTF8', false), set_config('datestyle', 'ISO, YMD', false),
    set_config('intervalstyle', 'postgres', false), set_config('extra_float_digits', '1', false),
    set_config('bytea_output', 'hex', false), set_config('timezone', 'UTC', false),
    set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false),
    set_config('lock_timeout', '60s', false), set_config('search_path', 'camillo, public', false)

-- name: enter_tenant
-- For the rest of the transaction; an empty one sees the rows of no tenant, and every job.
select set_config('camillo.tenant', %(tenant_id)s, true), set_config('camillo.agent', '*', true)

-- name: tenants
select tenant_id from camillo.tenants order by tenant_id

-- name: list_tenants
-- To the owner alone, for the rest of the transaction.
select set_config('camillo.tenant_list', %(open)s, true)

-- name: origin
select i.database_id::text, (select version_num from camillo.schema_version), (select name from camillo_jobs.last_migration),
    current_setting('server_version_num')::int,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text
from camillo.database_identity i

-- name: timeline
select (select system_identifier from pg_control_system()),
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint

-- name: sequences
select schemaname || '.' || sequencename, last_value from pg_sequences
where schemaname in ('camillo', 'camillo_jobs') and last_value is not null order by 1

-- name: partitions
select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass('camillo.audit_entries') and c.relname ~ '^audit_entries_[0-9]{4}_[0-9]{2}$' order by 1

-- name: parts_outside
-- Parts of contents that somebody can still read, or goes on uploading.
select p.content_id, p.number, p.generation, p.stored_size
from camillo.content_parts p join camillo.contents c on c.tenant_id = p.tenant_id and c.content_id = p.content_id
where p.tenant_id = %(tenant_id)s and p.bytes is null and c.state <> 3
order by p.content_id, p.number
