-- name: nearest
-- Skills that a scope reaches, by name behind one, each once: the agent's own, else the tenant's, else the global one; or those of one
-- level. With their texts where these are named.
{{nearest}}
limit %(size)s

-- name: bundle
-- Those that are named with their texts, and the first of all without.
with nearest as ({{nearest}})
select * from nearest where name = any(%(with_text)s)
union all
(select * from nearest where not name = any(%(with_text)s) order by name limit %(listed)s)

-- name: version
-- One version of the agent's own, or of the tenant's.
select s.name, s.agent_id, s.version, {{version_columns}}, s.text
from skill_versions s
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.name = %(name)s and s.version = %(version)s

-- name: global_version
select s.name, '' as agent_id, s.version, {{version_columns}}, s.text
from global_skills s where s.name = %(name)s and s.version = %(version)s

-- name: newest
-- Who writes has locked the scope.
select s.name, s.agent_id, s.version, {{version_columns}}, h.revision
from skills h join skill_versions s on s.tenant_id = h.tenant_id and s.agent_id = h.agent_id and s.name = h.name and s.version = h.version
where h.tenant_id = %(tenant_id)s and h.agent_id = %(agent_id)s and h.name = %(name)s

-- name: count
select count(*) from skills where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s

-- name: put
-- The next version; the oldest ones make room.
with old as (
    delete from skill_versions
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = %(name)s and version <= %(version)s - %(versions)s
), head as (
    insert into skills (tenant_id, agent_id, name, version, revision)
    values (%(tenant_id)s, %(agent_id)s, %(name)s, %(version)s, %(revision)s)
    on conflict on constraint skills_pkey do update set version = excluded.version, revision = excluded.revision
)
insert into skill_versions (tenant_id, agent_id, name, version, {{stored_columns}})
values (%(tenant_id)s, %(agent_id)s, %(name)s, %(version)s, {{stored_values}})

-- name: delete
-- With every version.
delete from skills
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and name = %(name)s returning name

-- name: lock_global
-- One writer of global skills at a time.
select pg_advisory_xact_lock(hashtext('camillo.global_skills'))

-- name: enter_tenant
-- For the rest of the transaction. Global skills are written for no tenant.
select set_config('camillo.tenant', %(tenant_id)s, true)

-- name: newest_global
select s.name, '' as agent_id, s.version, {{version_columns}}, 0::bigint as revision from global_skills s
where s.name = %(name)s order by s.version desc limit 1

-- name: count_global
select count(distinct name) from global_skills

-- name: put_global
-- The next version; the oldest ones make room.
with old as (
    delete from global_skills where name = %(name)s and version <= %(version)s - %(versions)s
)
insert into global_skills (name, version, {{stored_columns}})
values (%(name)s, %(version)s, {{stored_values}})

-- name: delete_global
-- With every version.
delete from global_skills where name = %(name)s returning name

-- fragment: nearest
select distinct on (s.name) s.* from (
    select s.name, s.agent_id, case s.agent_id when '' then 2 else 3 end as level, s.version, {{version_columns}},
        case when s.name = any(%(with_text)s) then s.text else '' end as text
    from skills h join skill_versions s
        on s.tenant_id = h.tenant_id and s.agent_id = h.agent_id and s.name = h.name and s.version = h.version
    where h.tenant_id = %(tenant_id)s and h.agent_id in (%(agent_id)s, '') and h.name > %(after)s
        and (%(names)s::text[] is null or h.name = any(%(names)s))
    union all
    select s.name, '', 1, s.version, {{version_columns}},
        case when s.name = any(%(with_text)s) then s.text else '' end
    from (
        select distinct on (g.name) g.* from global_skills g
        where g.name > %(after)s and (%(names)s::text[] is null or g.name = any(%(names)s))
        order by g.name, g.version desc
    ) s
) s
where %(level)s::smallint is null or s.level = %(level)s
order by s.name, s.level desc

-- fragment: version_columns
s.updated_at, s.description, s.allowed_tools, s.front_matter, s.sha256, s.tokens, s.is_data

-- fragment: stored_columns
updated_at, description, allowed_tools, front_matter, sha256, tokens, is_data, credential, content_bytes, text

-- fragment: stored_values
%(updated_at)s, %(description)s, %(allowed_tools)s, %(front_matter)s::jsonb, %(sha256)s, %(tokens)s, %(is_data)s, %(credential)s,
    %(content_bytes)s, %(text)s
