-- name: existing_documents
select d.document_id::text from documents d
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.document_id = any(%(ids)s::text[]::uuid[])

-- name: existing_skills
select s.name from skills s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.name = any(%(ids)s)

-- name: delete_documents
-- With every version and its text.
delete from documents
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and document_id = any(%(ids)s::text[]::uuid[])

-- name: count_document_versions
select count(*) from document_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.document_id = any(%(ids)s::text[]::uuid[])

-- name: count_skill_versions
select count(*) from skill_versions v
where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.name = any(%(ids)s)

-- name: delete_skills
-- With every version.
delete from skills where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = any(%(ids)s)

-- name: texts_of_documents
-- What is said about them, in every version.
select v.document_id, v.agent_id, v.document_id || '/' || v.version as row_id, v.details, v.key_id, v.sealed_details,
    array[d.name] || v.tags as texts, v.sensitivity
from documents d join document_versions v
    on v.tenant_id = d.tenant_id and v.agent_id = d.agent_id and v.document_id = d.document_id
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.revision > %(since)s
    and (%(ids)s::text[] is null or d.document_id = any(%(ids)s::text[]::uuid[]))

-- name: texts_of_document_texts
-- As sensitive as the most sensitive version that has the text.
select t.document_id, t.agent_id, t.document_id || '/' || t.version as row_id, t.details, t.key_id, t.sealed_details,
    array[]::text[] as texts, (
        select max(v.sensitivity) from document_versions v
        where v.tenant_id = t.tenant_id and v.agent_id = t.agent_id and v.document_id = t.document_id
            and v.text_version = t.version
    ) as sensitivity
from documents d join document_texts t
    on t.tenant_id = d.tenant_id and t.agent_id = d.agent_id and t.document_id = d.document_id
where d.tenant_id = %(tenant_id)s and d.agent_id = %(agent_id)s and d.revision > %(since)s
    and (%(ids)s::text[] is null or d.document_id = any(%(ids)s::text[]::uuid[]))

-- name: texts_of_skills
-- Every version; they are never encrypted, and internal.
select v.name, v.agent_id, v.name || '/' || v.version as row_id, jsonb_build_object('text', v.text, 'description', v.description,
    'allowed_tools', v.allowed_tools, 'front_matter', v.front_matter) as details, '' as key_id, null::bytea as sealed_details,
    array[v.name] as texts, 2 as sensitivity
from skills s join skill_versions v on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.name = s.name
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.revision > %(since)s
    and (%(ids)s::text[] is null or s.name = any(%(ids)s))
