-- name: newest
-- What may be put together and was stored last, oldest first, with its vectors. What a merged memory stands for stays
-- out, also where somebody took it back: he wants it beside that one.
select p.* from (
    select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}, v.embedding, v.key_id as vector_key_id,
        v.sealed as sealed_vector
    from memories m {{join_access}}
    left join memory_vectors v on v.tenant_id = m.tenant_id and v.agent_id = m.agent_id
        and v.memory_id = m.memory_id and v.model_id = m.vector_model_id
    where {{may_be_compacted}}
    order by m.created_at desc, m.memory_id desc limit %(size)s
) p
order by p.created_at, p.memory_id

-- name: crowded_tags
-- The tags of more than so many memories that may be put together.
select t.tag from memories m cross join unnest(m.tags) as t (tag)
where {{may_be_compacted}} and (%(tags_any)s::text[] is null or t.tag = any(%(tags_any)s))
group by t.tag having count(*) > %(tag_threshold)s
order by t.tag

-- name: tagged
-- The oldest of what may be put together and has one of these tags.
select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}, null::vector, '', null::bytea
from memories m {{join_access}}
where {{may_be_compacted}}
order by m.created_at, m.memory_id limit %(size)s

-- name: memories
select {{memory_columns}}, {{access_columns}}, {{encrypted_columns}}
from memories m {{join_access}}
where {{in_scope}} and {{is_memory}} and m.memory_id = any(%(memory_ids)s::uuid[])

-- name: decided
select c.source_ids from compactions c
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.state = any(%(states)s) and c.created_at > %(since)s

-- name: get
select {{compaction_columns}} from compactions c
where {{visible_compaction}} and c.compaction_id = any(%(compaction_ids)s::uuid[])

-- name: page
-- Newest first, behind a cursor.
select {{compaction_columns}} from compactions c
where {{visible_compaction}}
    and (%(state)s::smallint is null or c.state = %(state)s)
    and (%(after_at)s::timestamptz is null or (c.created_at, c.compaction_id) < (%(after_at)s, %(after_id)s::uuid))
order by c.created_at desc, c.compaction_id desc limit %(size)s

-- name: lock_sources
-- The versions of those of these memories that may still be put together, locked until the transaction ends.
select m.memory_id, m.version from memories m
where {{in_scope}} and {{is_memory}} and m.memory_id = any(%(memory_ids)s::uuid[]) and not m.archived
    and not {{is_pinned}} and (m.expires_at is null or m.expires_at > %(now)s)
order by m.memory_id for update

-- name: existing_fingerprints
-- Which of these fingerprints the scope's memories have.
select m.fingerprint from {{memories_with_fingerprint}}

-- name: purge
-- Proposals nobody carried out, refusals that are old, and earlier refusals of the same memories.
delete from compactions c
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and (
    (c.state = 1 and c.created_at <= %(proposed_after)s)
    or (c.state = 4 and (c.created_at <= %(refused_after)s or c.source_ids in (
        select array(select x.id::uuid from jsonb_array_elements_text(r.ids) as x (id))
        from jsonb_array_elements(%(refused_again)s) as r (ids)))))

-- name: keep
-- A new compaction, or what has become of a proposal.
insert into compactions as c (
    tenant_id, agent_id, compaction_id, state, reason, refusal, sensitivity, source_ids, source_versions, memory_id,
    summary_model_id, created_at, committed_at, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(compaction_id)s, %(state)s, %(reason)s, %(refusal)s, %(sensitivity)s,
    %(source_ids)s, %(source_versions)s, %(memory_id)s, %(summary_model_id)s, %(created_at)s, %(committed_at)s,
    %(key_id)s, %(details)s, %(sealed_details)s)
on conflict on constraint compactions_pkey do update
set state = excluded.state, refusal = excluded.refusal, memory_id = excluded.memory_id,
    committed_at = excluded.committed_at, key_id = excluded.key_id, details = excluded.details,
    sealed_details = excluded.sealed_details

-- name: settled
-- The first of these compactions that is no proposal any more.
select c.compaction_id, c.state from compactions c
where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.state <> 1
    and c.compaction_id = any(%(compaction_ids)s::uuid[])
order by c.compaction_id limit 1

-- name: lock_compaction
-- How far it has come and what it holds, locked until the transaction ends.
select c.state, c.source_ids, c.memory_id from compactions c
where {{visible_compaction}} and c.compaction_id = %(compaction_id)s for update

-- name: set_reverted
-- The row goes on naming the merged memory, which is to be gone from here on.
update compactions set state = 3, reverted_at = %(now)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and compaction_id = %(compaction_id)s
