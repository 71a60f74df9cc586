-- name: next_revision
-- Locks the scope for writing: later writers of the scope wait until this transaction ends.
{{next_revision}}

-- name: hold_scope
-- Locks the scope as `next_revision` does, at the revision that it has. Creates its row where nothing was written yet: there
-- would be nothing to lock.
insert into scopes as s (tenant_id, agent_id, revision, memory_count, term_count, display_name, created_at)
values (%(tenant_id)s, %(agent_id)s, (extract(epoch from %(now)s::timestamptz) * 1000000)::bigint, 0, 0, '', %(now)s)
on conflict on constraint scopes_pkey do update set deleted_at = null

-- name: scope_revision
-- The revision of the latest write, or 0.
{{scope_revision}}

-- name: tenant_ids
select tenant_id from all_tenants() order by tenant_id

-- name: scopes_with_memories
-- Chunks alone make none.
select agent_id from scopes where tenant_id = %(tenant_id)s and memory_count > chunk_count order by agent_id

-- name: scopes_in_ranges
-- Scopes whose ids lie in one of these ranges, in order: each range is one of the primary key, and read no further than a page.
select s.agent_id, s.display_name, s.created_at
from unnest(%(begins)s::text[], %(ends)s::text[]) as r (first_id, end_id) cross join lateral (
    select s.agent_id, s.display_name, s.created_at from scopes s
    where s.tenant_id = %(tenant_id)s and s.agent_id >= r.first_id and s.agent_id < r.end_id and s.deleted_at is null
    order by s.agent_id limit %(size)s
) s
order by 1 limit %(size)s
