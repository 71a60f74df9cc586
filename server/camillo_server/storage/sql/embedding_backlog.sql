-- name: scopes_with_backlog
-- Scopes of a tenant that have memories without a vector.
select distinct agent_id from memories where tenant_id = %(tenant_id)s and vector_model_id = ''

-- name: read_backlog
-- Some memories of a scope that wait for their vector, from behind an id on.
select memory_id, version, content from memories
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and vector_model_id = '' and memory_id > %(after)s
order by memory_id limit %(size)s

-- name: store_backlog_vectors
-- Vectors for memories that are still in the version that was embedded; what has changed since waits for the next turn.
with made as (
    select * from unnest(%(memory_ids)s::uuid[], %(versions)s::bigint[], %(embeddings)s::vector[]) as n (memory_id, version, embedding)
), named as (
    update memories m set vector_model_id = %(model_id)s, revision = %(revision)s
    from made
    where m.tenant_id = %(tenant_id)s and m.agent_id = %(agent_id)s and m.memory_id = made.memory_id
        and m.version = made.version and m.vector_model_id = ''
    returning m.memory_id, made.embedding
)
insert into memory_vectors (tenant_id, agent_id, memory_id, model_id, embedding)
select %(tenant_id)s, %(agent_id)s, memory_id, %(model_id)s, embedding from named where embedding is not null
on conflict on constraint memory_vectors_pkey do update set embedding = excluded.embedding
