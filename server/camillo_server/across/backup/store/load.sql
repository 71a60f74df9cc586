-- name: has_schema
select to_regclass('camillo.tenants') is not null, to_regclass('camillo.database_identity') is not null

-- name: has_role
select exists (select from pg_roles where rolname = %(role)s)

-- name: database_id
select database_id::text from camillo.database_identity

-- name: references
-- Which table refers to which other one: its rows come after those.
select n.nspname || '.' || c.relname, m.nspname || '.' || r.relname
from pg_constraint f
join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
join pg_class r on r.oid = f.confrelid join pg_namespace m on m.oid = r.relnamespace
where f.contype = 'f' and n.nspname in ('camillo', 'camillo_jobs') and f.conrelid <> f.confrelid

-- name: forced
-- Tables whose policies bind their owner, too.
select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('camillo', 'camillo_jobs') and c.relforcerowsecurity and not c.relispartition order by 1, 2

-- name: has_partitions
-- Schemas of before the audit trail had a partition for each month keep it in one.
select to_regprocedure('camillo.create_audit_partition(timestamptz)') is not null

-- name: create_partition
select camillo.create_audit_partition((%(month)s || '-01 00:00:00+00')::timestamptz)
where to_regclass('camillo.audit_entries_' || translate(%(month)s, '-', '_')) is null

-- name: set_sequence
select setval(%(name)s::regclass, %(value)s)

-- name: new_identity
-- The fence: revisions, tokens and caches of the database that was backed up, or replaced, are of another one.
update camillo.database_identity set database_id = gen_random_uuid() returning database_id::text

-- name: continue_audit_trail
-- Transactions of this cluster count, in entries, from behind the last one that was restored.
update camillo.database_identity set audit_offset = greatest(0, 1 - pg_current_xact_id()::text::bigint + (
    select coalesce(max(transaction_id::text::bigint), 0) from camillo.audit_entries))

-- name: notify
-- Servers that are connected look again at once.
select pg_notify(%(channel)s, %(sign)s)

