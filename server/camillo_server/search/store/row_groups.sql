-- name: row_groups
-- The groups of a scope in a format, without their rows.
select r.first_id, r.last_id, r.revision, r.row_count from row_groups r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.format = %(format)s order by r.first_id

-- name: copy_row_groups
-- The rows of these groups.
copy (
    select r.row_count, r.checksum, r.packed from row_groups r
    where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s and r.format = %(format)s order by r.first_id
) to stdout (format binary)

-- name: row_revisions
-- The id and the revision of every row of a scope, in one value.
select string_agg(uuid_send(m.memory_id) || int8send(m.revision), '') from memories m where {{in_scope}}

-- name: hold_unchanged
-- Locks a scope of which no row was deleted or rewritten since; nothing where one was. An update: who deletes a row in a
-- transaction that sees an earlier moment, and so not the group, fails by it.
update scopes s set rewrites = s.rewrites
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.rewrites = %(rewrites)s
returning s.revision

-- name: drop_overlapping
-- The groups that have rows between two ids, in whatever format.
delete from row_groups r
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s
    and r.first_id <= %(last_id)s and r.last_id >= %(first_id)s

-- name: insert_row_group
insert into row_groups (
    tenant_id, agent_id, first_id, last_id, format, revision, row_count, checksum, packed)
values (%(tenant_id)s, %(agent_id)s, %(first_id)s, %(last_id)s, %(format)s, %(revision)s, %(row_count)s, %(checksum)s,
    %(packed)b)
