-- name: history
-- Of a standby, the timeline of its last restart point: that of its log is known to a primary alone, which has it at once
-- after a promotion.
select database_id, epoch, (select system_identifier from pg_control_system()),
    case when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint())::bigint
    else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::bigint end,
    case when not pg_is_in_recovery() then (pg_current_wal_flush_lsn() - '0/0')::bigint end
from camillo.database_identity

-- name: database_id
select database_id, epoch from camillo.database_identity

-- name: turn_epoch
select camillo.turn_epoch(%(epoch)s, %(next)s)
