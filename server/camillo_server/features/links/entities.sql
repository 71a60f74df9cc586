-- name: names
-- The names of all changes that are in force, in their order.
select a.alias_id, a.details, a.key_id, a.sealed_details from entity_aliases a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.reverted_at is null
order by a.revision, a.place

-- name: count
-- With those that were reverted.
select count(*) from entity_aliases a where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s

-- name: insert
insert into entity_aliases (
    tenant_id, agent_id, alias_id, change_id, revision, place, changed_at, credential, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(alias_id)s, %(change_id)s, %(revision)s, %(place)s, %(now)s, %(credential)s,
    %(key_id)s, %(details)s, %(sealed_details)s)

-- name: revert
-- How many names of the change were in force.
with reverted as (
    update entity_aliases a set reverted_at = %(now)s
    where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.change_id = %(change_id)s
        and a.reverted_at is null
    returning 1
)
select count(*) from reverted

-- name: changes
-- The names of the changes before a revision, the newest change first.
select a.alias_id, a.details, a.key_id, a.sealed_details, a.change_id, a.revision, a.changed_at, a.reverted_at,
    a.credential
from entity_aliases a
where a.tenant_id = %(tenant_id)s and a.agent_id = %(agent_id)s and a.revision < %(before)s
order by a.revision desc, a.place limit %(size)s
