-- name: lock
-- The newest version of a key, locked until the transaction ends.
select s.slot_id, s.version, s.kind from slots s
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = %(path)s for update

-- name: put
-- The version that is in force. A tombstone has no kind.
insert into slots (
    tenant_id, agent_id, slot_id, path, version, revision, kind, sensitivity, type, tags, importance, expired_at,
    trigger_at, updated_at, content_bytes)
values (%(tenant_id)s, %(agent_id)s, %(slot_id)s, %(path)s, %(version)s, %(revision)s, %(kind)s, %(sensitivity)s,
    %(type)s, %(tags)s, %(importance)s, %(expired_at)s, %(trigger_at)s, %(updated_at)s, %(content_bytes)s)
on conflict (tenant_id, agent_id, slot_id) do update set
    version = excluded.version, revision = excluded.revision, kind = excluded.kind,
    sensitivity = excluded.sensitivity, type = excluded.type, tags = excluded.tags, importance = excluded.importance,
    expired_at = excluded.expired_at, trigger_at = excluded.trigger_at, updated_at = excluded.updated_at,
    content_bytes = excluded.content_bytes

-- name: insert_version
insert into slot_versions (
    tenant_id, agent_id, slot_id, version, revision, kind, sensitivity, trust_level, credential, updated_at,
    content_bytes, key_id, details, sealed_details)
values (%(tenant_id)s, %(agent_id)s, %(slot_id)s, %(version)s, %(revision)s, %(kind)s, %(sensitivity)s,
    %(trust_level)s, %(credential)s, %(updated_at)s, %(content_bytes)s, %(key_id)s, %(details)s, %(sealed_details)s)

-- name: version
-- One version of a slot, or the newest.
select {{slot_columns}} from slots s {{join_slot_version}} and v.version = coalesce(%(version)s::bigint, s.version)
where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = %(path)s

-- name: history
-- Versions of a slot below one, the newest first, up to so many bytes and one version more; with how many there are before the
-- bytes are counted.
select {{slot_columns}}, s.found from (
    select p.*, count(*) over () as found,
        sum(p.content_bytes) over (order by p.version desc) - p.content_bytes as bytes_before
    from (
        select v.tenant_id, v.agent_id, v.slot_id, v.version, v.content_bytes, s.path
        from slots s join slot_versions v
            on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.slot_id = s.slot_id
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = %(path)s
            and v.version < %(before)s and v.sensitivity = any(%(sensitivities)s::smallint[])
            and (not %(is_public)s::boolean or v.kind is distinct from %(private_kind)s::smallint)
        order by v.version desc limit %(size)s
    ) p
) s {{join_slot_version}} and v.version = s.version
where s.bytes_before < %(bytes)s order by s.version desc

-- name: page
-- Slots of a range of paths, up to so many bytes and one slot more; with how many there are before the bytes are counted.
select s.path as entry, false as is_directory, s.found, {{slot_columns}} from (
    select p.*, count(*) over () as found,
        sum(p.content_bytes) over (order by p.path) - p.content_bytes as bytes_before
    from (
        select s.* from slots s
        where {{slot_passes}} and s.path >= %(low)s and s.path < %(until)s and s.path <> %(after)s
        order by s.path limit %(size)s
    ) p
) s {{join_slot_version}} and v.version = s.version
where s.bytes_before < %(bytes)s order by s.path

-- name: level
-- What stands directly below a path: one lookup for each entry, however many slots are further below.
with recursive level (entry, number) as (
    (select {{entry_of_path}}, 1 from slots s
     where {{slot_passes}} and s.path >= %(low)s and s.path < %(until)s order by s.path limit 1)
    union all
    select n.entry, l.number + 1 from level l cross join lateral (
        select {{entry_of_path}} as entry from slots s
        where {{slot_passes}} and s.path >= l.entry || chr(2) and s.path < %(until)s order by s.path limit 1
    ) n
    where l.number < %(size)s
)
select s.entry, s.is_directory, s.found, {{slot_columns}} from (
    select p.*, count(*) over () as found,
        sum(coalesce(p.content_bytes, 0)) over (order by p.entry) - coalesce(p.content_bytes, 0) as bytes_before
    from (
        select l.entry, s.tenant_id, s.agent_id, s.slot_id, s.path, s.version, s.content_bytes, exists (
            select from slots s where {{slot_passes}} and s.path >= l.entry || chr(1) and s.path < l.entry || chr(2)
        ) as is_directory
        from level l left join slots s on s.path = l.entry and {{slot_passes}}
    ) p
) s left {{join_slot_version}} and v.version = s.version
where s.bytes_before < %(bytes)s order by s.entry

-- fragment: slot_columns
v.slot_id, v.agent_id, s.path, v.version, v.sensitivity, v.trust_level, v.credential, v.updated_at, v.content_bytes,
v.key_id, v.details, v.sealed_details

-- fragment: join_slot_version
join slot_versions v on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.slot_id = s.slot_id

-- fragment: slot_passes
s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.kind is not null
and s.sensitivity = any(%(sensitivities)s::smallint[])
and (not %(is_public)s::boolean or s.kind <> %(private_kind)s::smallint)
and (%(types)s::text[] is null or s.type = any(%(types)s))
and (%(tags_any)s::text[] is null or s.tags && %(tags_any)s)
and (%(updated_since)s::timestamptz is null or s.updated_at >= %(updated_since)s)
and (%(trigger_before)s::timestamptz is null or s.trigger_at <= %(trigger_before)s)

-- fragment: entry_of_path
left(s.path, %(root_length)s + 1) || split_part(substr(s.path, %(root_length)s + 2), chr(1), 1)
