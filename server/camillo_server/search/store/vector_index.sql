-- name: ready_indexes
-- The indexes of single scopes that may answer: those half built, or left by a build that failed, may not.
select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = 'camillo.memory_vectors'::regclass and i.indisvalid and starts_with(c.relname, %(prefix)s)

-- name: enter_scope
-- For the rest of the connection.
select set_config('camillo.tenant', %(tenant_id)s, false), set_config('camillo.agent', %(agent_id)s, false)

-- name: models
-- Whose vectors a scope holds, of which length, the most frequent first; encrypted ones cannot be indexed.
select v.model_id, vector_dims(v.embedding) as dimensions, count(*) as vectors from camillo.memory_vectors v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.embedding is not null group by 1, 2 order by 3 desc, 1, 2

-- name: indexes
-- Every index of a single scope: what its comment tells of it, whether it is ready, and its size.
select c.relname, i.indisvalid, obj_description(c.oid, 'pg_class') as described, pg_relation_size(c.oid) as bytes
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = 'camillo.memory_vectors'::regclass and starts_with(c.relname, %(prefix)s) order by c.relname

-- name: create
-- The predicate is one that the statement `nearest_by_index` states in the same words. Vectors of another length are
-- none of it, and would not fit.
create index concurrently {name} on camillo.memory_vectors
using hnsw ((embedding::halfvec({dimensions})) halfvec_ip_ops)
where tenant_id = {tenant_id} and agent_id = {agent_id} and model_id = {model_id}
    and vector_dims(embedding) = {dimensions}

-- name: describe
comment on index camillo.{name} is {described}

-- name: drop
drop index concurrently if exists camillo.{name}

-- name: analyze
-- Else Postgres may take a scope that has just grown for a small one, and read all of it instead of its index.
analyze camillo.memory_vectors
