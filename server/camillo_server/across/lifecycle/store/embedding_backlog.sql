-- name: scopes_with_backlog
-- Scopes of a tenant that have memories without a vector.
select distinct agent_id from memories where tenant_id = %(tenant_id)s and vector_model_id = ''

-- name: read_backlog
-- Some memories of a scope that wait for their vector, from behind an id on.
select memory_id, version, revision, kind, occurred_at, content, key_id, sealed from memories
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and vector_model_id = '' and memory_id > %(after_id)s
order by memory_id limit %(size)s

-- name: store_backlog_vectors
-- Vectors for memories that are still in the version that was embedded, and how many these are; what has changed since waits for the
-- next batch.
-- Arrays go in binary form (`b`): as text, vectors take the driver sixteen times as long, and texts fifteen times.
with embedded as (
    select * from unnest(%(memory_ids)b::uuid[], %(versions)b::bigint[], %(embeddings)b::vector[],
        %(key_ids)b::text[], %(sealed)b::bytea[]) as n (memory_id, version, embedding, key_id, sealed)
), named as (
    update memories m set vector_model_id = %(model_id)s, revision = %(revision)s
    from embedded
    where m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s and m.memory_id = embedded.memory_id
        and m.version = embedded.version and m.vector_model_id = ''
    returning m.memory_id, embedded.embedding, embedded.key_id, embedded.sealed
), vector as (
    insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding, key_id, sealed)
    select %(tenant_id)s, %(agent_id)s, memory_id, %(model_id)s, embedding, key_id, sealed from named
    where embedding is not null or sealed is not null
    on conflict on constraint memory_vectors_pkey do update
    set embedding = excluded.embedding, key_id = excluded.key_id, sealed = excluded.sealed
)
select count(*) from named
