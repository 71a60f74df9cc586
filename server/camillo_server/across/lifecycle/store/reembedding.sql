-- name: start
-- Requests vectors of this model in every scope of a tenant, or in one; all rows are examined once more.
insert into reembeddings as r (
    tenant_id, agent_id, model_id, started_at, started_revision, done_revision, all_scopes)
select s.tenant_id, s.agent_id, %(model_id)s, %(now)s, s.revision, 0, %(agent_id)s::text is null from scopes s
where s.tenant_id = %(tenant_id)s and s.agent_id = coalesce(%(agent_id)s, s.agent_id)
on conflict on constraint reembeddings_pkey do update set
    model_id = excluded.model_id,
    started_at = case when r.model_id = excluded.model_id then r.started_at else excluded.started_at end,
    started_revision = case when r.model_id = excluded.model_id then r.started_revision else excluded.started_revision end,
    done_revision = 0,
    all_scopes = excluded.all_scopes or (r.all_scopes and r.model_id = excluded.model_id)
returning r.agent_id

-- name: add_new_scopes
-- Scopes that were created after vectors were requested in all of them.
insert into reembeddings (tenant_id, agent_id, model_id, started_at, started_revision, done_revision, all_scopes)
select s.tenant_id, s.agent_id, r.model_id, r.started_at, 0, 0, true
from (
    select r.model_id, r.started_at from reembeddings r
    where r.tenant_id = %(tenant_id)s and r.all_scopes and r.model_id = any(%(model_ids)s)
    order by r.started_at desc limit 1
) r cross join scopes s
where s.tenant_id = %(tenant_id)s
on conflict on constraint reembeddings_pkey do nothing

-- name: start_of_added_model
-- Requests vectors of the serving model in scopes whose first row has one that was made without a model, where none was requested
-- before: the model was added since.
insert into reembeddings (tenant_id, agent_id, model_id, started_at, started_revision, done_revision, all_scopes)
select s.tenant_id, s.agent_id, %(serving_id)s, %(now)s, s.revision, 0, false
from scopes s cross join lateral (
    select m.vector_model_id from memories m
    where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id order by m.memory_id limit 1
) first_row
where s.tenant_id = %(tenant_id)s and starts_with(first_row.vector_model_id, 'lexical-')
    and not starts_with(%(serving_id)s, 'lexical-')
on conflict on constraint reembeddings_pkey do nothing

-- name: unfinished
-- Scopes of a tenant in which a row lacks a requested vector of one of these models. The others need not be examined again
-- before they change.
with examined as materialized (
    select r.agent_id, r.model_id, s.revision, (
        select true from memories m
        where m.tenant_id = r.tenant_id and m.agent_id = r.agent_id and m.revision > r.done_revision
            and m.vector_model_id <> r.model_id and (
                select true from memory_vectors v
                where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
                    and v.model_id = r.model_id) is null
        order by m.revision limit 1
    ) is true as waits
    from reembeddings r join scopes s using (tenant_id, agent_id)
    where r.tenant_id = %(tenant_id)s and r.model_id = any(%(model_ids)s) and s.revision > r.done_revision
), passed as (
    update reembeddings r set done_revision = examined.revision from examined
    where r.tenant_id = %(tenant_id)s and r.agent_id = examined.agent_id and r.model_id = examined.model_id
        and not examined.waits
)
select agent_id from examined where waits

-- name: target
-- The model whose vectors are requested for a scope, the revision up to which every row has one, and the scope's revision.
select r.model_id, r.done_revision, s.revision from reembeddings r join scopes s using (tenant_id, agent_id)
where r.tenant_id = %(tenant_id)s and r.agent_id = %(agent_id)s

-- name: waiting
-- Some rows without a vector of a model, from behind a position in the order of changes on. A scalar subquery stays a lookup
-- by key for each row, whatever the estimates.
select m.memory_id, m.version, m.revision, m.kind, m.occurred_at, m.content, m.key_id, m.sealed from memories m
where {{in_scope}} and (m.revision, m.memory_id) > (%(after_revision)s, %(after_id)s)
    and m.vector_model_id <> %(model_id)s and (
        select true from memory_vectors v
        where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
            and v.model_id = %(model_id)s) is null
order by m.revision, m.memory_id limit %(size)s

-- name: lock_target
-- Keeps every writer of the scope out until this transaction ends, without being a write itself. None where vectors of
-- this model are no longer requested; else the scope's revision when they first were.
select r.started_revision from scopes s join reembeddings r using (tenant_id, agent_id)
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and r.model_id = %(model_id)s for update of s

-- name: store
-- Vectors beside those that serve, for rows that are still in the version that was embedded. Returns the rows whose new
-- vectors may be served already. The form of the join keeps it going by key, whatever the estimates.
with embedded as (
    select * from unnest(%(memory_ids)b::uuid[], %(versions)b::bigint[], %(embeddings)b::vector[],
        %(key_ids)b::text[], %(sealed)b::bytea[]) as n (memory_id, version, embedding, key_id, sealed)
), kept as materialized (
    select embedded.*, m.revision > %(started_revision)s or %(is_served)s as is_servable
    from embedded cross join lateral (
        select m.version, m.revision from memories m where {{in_scope}} and m.memory_id = embedded.memory_id offset 0
    ) m where m.version = embedded.version
), stored as (
    insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id, sealed)
    select %(tenant_id)s, %(agent_id)s, memory_id, %(model_id)s, embedding, key_id, sealed from kept
    on conflict on constraint memory_vectors_pkey do update
    set embedding = excluded.embedding, key_id = excluded.key_id, sealed = excluded.sealed
)
select memory_id from kept where is_servable

-- name: advance_revision
-- Caches of the scope learn of these rows. The others are not rewritten: no cache would change.
with next as (
    update scopes s set revision = s.revision + 1
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
    returning s.revision
)
update memories m set revision = next.revision from next where {{in_scope}} and m.memory_id = any(%(memory_ids)s)

-- name: finish
-- Every row up to here has a vector of the model, or cannot be read.
update reembeddings set done_revision = %(revision)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and model_id = %(model_id)s
    and done_revision <= %(revision)s

-- name: embedded
-- How many rows of each scope have a vector of a model or are of no feature, how many there are, and since when
-- its vectors are requested.
select s.agent_id, c.embedded, c.rows, r.started_at
from scopes s
left join reembeddings r on r.tenant_id = s.tenant_id and r.agent_id = s.agent_id and r.model_id = %(model_id)s
cross join lateral (
    select count(*) filter (where m.vector_model_id = %(model_id)s or (
            select true from memory_vectors v
            where v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
                and v.model_id = %(model_id)s)) as embedded,
        count(*) as rows
    from memories m
    where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id
) c
where s.tenant_id = %(tenant_id)s and s.agent_id = coalesce(%(agent_id)s, s.agent_id)
    and (s.deleted_at is null or c.rows > 0)
order by s.agent_id limit %(size)s
