-- name: stores
-- Rows of these scopes and bytes of their contents, by store; without what is derived of a row and stands in it. And when the
-- last one of a store was written, where that is not told by another store.
select m.agent_id, case when m.kind < 16 then 'memories' else 'chunks' end as store, count(*),
    sum(octet_length(m.content) + coalesce(octet_length(m.sealed), 0) + {{metadata_bytes}}), max(m.updated_at)
from memories m where m.tenant_id = %(tenant_id)s and m.agent_id = any(%(agent_ids)s) group by 1, 2
union all
select m.agent_id, 'memory_history', count(*),
    sum(octet_length(m.content) + coalesce(octet_length(m.sealed), 0) + {{metadata_bytes}}), null
from memory_history m where m.tenant_id = %(tenant_id)s and m.agent_id = any(%(agent_ids)s) group by 1
union all
select v.agent_id, 'memory_vectors', count(*), sum(coalesce(4 * vector_dims(v.embedding), octet_length(v.sealed))), null
from memory_vectors v where v.tenant_id = %(tenant_id)s and v.agent_id = any(%(agent_ids)s) group by 1
union all
select e.agent_id, 'events', count(*), sum(e.content_bytes), max(e.recorded_at)
from events e where e.tenant_id = %(tenant_id)s and e.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'decisions', count(*), sum({{details_bytes}}), max(greatest(d.created_at, d.superseded_at))
from decisions d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'tasks', count(*), sum({{details_bytes}}), max(d.updated_at)
from tasks d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select s.agent_id, 'slots', count(*), 0, max(s.updated_at)
from slots s where s.tenant_id = %(tenant_id)s and s.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'slot_versions', count(*), sum({{details_bytes}}), null
from slot_versions d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'documents', count(*), 0, null
from documents d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'document_versions', count(*), sum(d.text_bytes), max(d.updated_at)
from document_versions d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'actions', count(*), sum({{details_bytes}}), null
from actions d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'views', count(*), sum({{details_bytes}}), max(d.updated_at)
from views d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select s.agent_id, 'skills', count(*), 0, null
from skills s where s.tenant_id = %(tenant_id)s and s.agent_id = any(%(agent_ids)s) group by 1
union all
select s.agent_id, 'skill_versions', count(*), sum(s.content_bytes), max(s.updated_at)
from skill_versions s where s.tenant_id = %(tenant_id)s and s.agent_id = any(%(agent_ids)s) group by 1
union all
select h.agent_id, 'handoffs', count(*), sum(octet_length(h.details::text)), max(h.created_at)
from handoffs h where h.tenant_id = %(tenant_id)s and h.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'compactions', count(*), sum({{details_bytes}}), null
from compactions d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'runs', count(*), sum({{details_bytes}}), max(d.active_at)
from runs d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'run_entries', count(*), sum({{details_bytes}}), null
from run_entries d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'entity_aliases', count(*), sum({{details_bytes}}), max(greatest(d.changed_at, d.reverted_at))
from entity_aliases d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'distillations', count(*), 0, max(greatest(d.created_at, d.reverted_at))
from distillations d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'distillation_answers', count(*), sum({{details_bytes}}), null
from distillation_answers d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'proposals', count(*), sum({{details_bytes}}), max(greatest(d.created_at, d.reviewed_at))
from proposals d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select d.agent_id, 'spool_failures', count(*), sum({{details_bytes}}), null
from spool_failures d where d.tenant_id = %(tenant_id)s and d.agent_id = any(%(agent_ids)s) group by 1
union all
select r.agent_id, 'receipts', count(*), sum(octet_length(r.stores::text)), null
from receipts r where r.tenant_id = %(tenant_id)s and r.agent_id = any(%(agent_ids)s) group by 1
union all
select b.agent_id, 'value_blocks', count(*), sum(octet_length(b.mark)), null
from value_blocks b where b.tenant_id = %(tenant_id)s and b.agent_id = any(%(agent_ids)s) group by 1
union all
-- Bytes that several artifacts share are there once.
select a.agent_id, 'artifacts', sum(a.artifacts), sum(c.stored_bytes), max(a.last_at)
from (
    select a.agent_id, a.content_id, count(*) as artifacts, max(a.updated_at) as last_at from artifacts a
    where a.tenant_id = %(tenant_id)s and a.agent_id = any(%(agent_ids)s) group by 1, 2
) a join contents c on c.tenant_id = %(tenant_id)s and c.content_id = a.content_id
group by 1
order by 1, 2

-- name: memories
-- How many memories of these scopes are of each sort, and when the first and the last was stored.
select m.agent_id,
    count(*) filter (where not m.archived and (m.expires_at is null or m.expires_at > %(now)s)),
    count(*) filter (where m.archived),
    count(*) filter (where m.expires_at <= %(now)s),
    count(*) filter (where {{is_pinned}}),
    min(m.created_at), max(m.created_at)
from memories m
where m.tenant_id = %(tenant_id)s and m.agent_id = any(%(agent_ids)s) and {{is_memory}} group by 1
