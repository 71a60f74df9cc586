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

-- name: changes
-- Versions behind a position that a reader may load, and where it follows what happens, those that it may not load behind one that it
-- may, and tombstones: in the order of revisions, up to so many bytes and one row more; with the scope's revision.
select r.revision as scope_revision, c.* from ({{scope_revision}}) r left join (
    select s.changed_in, s.changed_id, s.changed_version, s.is_hidden, {{slot_columns}} from (
        select p.tenant_id, p.agent_id, p.slot_id, p.version, p.path, p.is_hidden, p.revision as changed_in,
            p.slot_id as changed_id, p.version as changed_version,
            sum(p.content_bytes) over (order by p.revision, p.slot_id, p.version) - p.content_bytes as bytes_before
        from (
            (select v.tenant_id, v.agent_id, v.slot_id, v.version, v.revision, v.content_bytes, s.path,
                not ({{version_passes}}) as is_hidden
             from slot_versions v join slots s
                on s.tenant_id = v.tenant_id and s.agent_id = v.agent_id and s.slot_id = v.slot_id
             where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s
                and (v.revision, v.slot_id, v.version) > (%(after_revision)s, %(after_id)s, %(after_version)s)
                and v.revision <= %(until_revision)s and s.path >= %(low)s and s.path < %(until)s
                and (({{version_passes}}) or %(follows)s::boolean and exists (
                    select from slot_versions b
                    where b.tenant_id = v.tenant_id and b.agent_id = v.agent_id and b.slot_id = v.slot_id
                        and b.version = v.version - 1 and b.sensitivity = any(%(sensitivities)s::smallint[])
                        and (not %(is_public)s::boolean or b.kind is distinct from %(private_kind)s::smallint)))
             order by v.revision, v.slot_id, v.version limit %(size)s)
            union all
            (select t.tenant_id, t.agent_id, t.slot_id, 0, t.revision, 0, null, false from slot_tombstones t
             where %(follows)s::boolean and t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s
                and (t.revision, t.slot_id, 0) > (%(after_revision)s, %(after_id)s, %(after_version)s)
             order by t.revision, t.slot_id limit %(size)s)
            order by 5, 3, 4 limit %(size)s
        ) p
    ) s left {{join_slot_version}} and v.version = s.version and not s.is_hidden
    where s.bytes_before < %(bytes)s
) c on true
order by c.changed_in, c.changed_id, c.changed_version

-- name: triggered
-- Slots whose time has come since another moment, in the order of their times.
select {{slot_columns}} from (
    select s.*, sum(s.content_bytes) over (order by s.trigger_at, s.slot_id) - s.content_bytes as bytes_before from (
        select s.* from slots s
        where {{slot_in_range}} and (s.trigger_at, s.slot_id) > (%(after)s, %(after_id)s) and s.trigger_at <= %(now)s
        order by s.trigger_at, s.slot_id limit %(size)s
    ) s
) s {{join_slot_version}} and v.version = s.version
where s.bytes_before < %(bytes)s order by s.trigger_at, s.slot_id

-- name: next_trigger
-- When the next one comes.
select min(s.trigger_at) from slots s where {{slot_in_range}} and s.trigger_at > %(now)s

-- fragment: version_passes
v.sensitivity = any(%(sensitivities)s::smallint[])
and (not %(is_public)s::boolean or v.kind is distinct from %(private_kind)s::smallint)

-- fragment: slot_in_range
s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.kind is not null and s.path >= %(low)s and s.path < %(until)s
and s.sensitivity = any(%(sensitivities)s::smallint[])
and (not %(is_public)s::boolean or s.kind <> %(private_kind)s::smallint)
