-- name: lock_scope
-- Locks the scope, at a revision for each write, so that the statement behind it sees whatever was committed before. Blocked values are
-- looked for when the scope is locked.
{{lock_scope}}

-- name: current
-- The newest versions of keys; for one who holds the lock of the scope.
select s.path, s.slot_id, s.version from unnest(%(paths)s::text[]) as w (path) cross join lateral (
    select * from slots s
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = w.path offset 0
) s

-- name: set
-- Some writes, each at a revision of its own, the last of which the scope has: numbers their versions, puts the last one of each key in
-- force, with its chunk in the place of that of the version before, and keeps their requests (a repeat violates their key). A
-- version behind another one than its caller has read is null, which no column takes.
with next as (
    select s.revision - %(writes)s::integer as before from ({{scope_revision}}) s
), given as (
    select w.write, g.*, row_number() over before as number, first_value(g.slot_id) over before as new_id,
        count(*) over (partition by g.path) as last_number
    from json_array_elements(%(slots)s::json) with ordinality as w (slots, write)
    cross join lateral json_to_recordset(w.slots) as g (
        place integer, slot_id uuid, path text, if_version bigint, kind smallint, sensitivity smallint, type text, tags text[],
        importance float8, expired_at timestamptz, trigger_at timestamptz, trust_level smallint, credential text,
        updated_at timestamptz, content_bytes integer, unindexed boolean, key_id text, details jsonb, sealed_details bytea, chunk jsonb)
    window before as (partition by g.path order by w.write, g.place)
), written as (
    select t.write, t.place, t.path, t.kind, t.sensitivity, t.type, t.tags, t.importance, t.expired_at, t.trigger_at, t.trust_level,
        t.credential, t.updated_at, t.content_bytes, t.unindexed, t.key_id, t.details, t.sealed_details, t.chunk,
        {{revision_of_write}} as revision, coalesce(s.slot_id, t.new_id) as slot_id, t.number = t.last_number as is_last,
        case when t.if_version <> coalesce(s.version, 0) + t.number - 1 then null
            else coalesce(s.version, 0) + t.number end as version,
        case when t.number = 1 and s.kind is not null then s.version end as replaced
    from next cross join given t left join lateral (
        select s.slot_id, s.version, s.kind from slots s
        where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = t.path offset 0
    ) s on true
), put as (
    insert into slots (
        tenant_id, agent_id, slot_id, path, version, revision, kind, sensitivity, type, tags, importance, expired_at,
        trigger_at, updated_at, content_bytes, unindexed)
    select %(tenant_id)s, %(agent_id)s, slot_id, path, version, revision, kind, sensitivity, type, tags, importance, expired_at,
        trigger_at, updated_at, content_bytes, unindexed
    from written where is_last
    on conflict (tenant_id, agent_id, slot_id) do update set
        version = excluded.version, revision = excluded.revision, kind = excluded.kind,
        sensitivity = excluded.sensitivity, type = excluded.type, tags = excluded.tags, importance = excluded.importance,
        expired_at = excluded.expired_at, trigger_at = excluded.trigger_at, updated_at = excluded.updated_at,
        content_bytes = excluded.content_bytes, unindexed = excluded.unindexed
), version as (
    insert into slot_versions (
        tenant_id, agent_id, slot_id, version, revision, kind, sensitivity, trust_level, credential, updated_at,
        content_bytes, key_id, details, sealed_details)
    select %(tenant_id)s, %(agent_id)s, slot_id, version, revision, kind, sensitivity, trust_level, credential, updated_at,
        content_bytes, key_id, details, sealed_details
    from written
), request as (
    insert into requests (tenant_id, agent_id, request_id, content_digest, facts, revision, created_at)
    select %(tenant_id)s, %(agent_id)s, t.request_id, t.content_digest, t.facts || (
            select jsonb_build_object('slot_ids', jsonb_agg(w.slot_id order by w.place),
                'versions', jsonb_agg(w.version order by w.place))
            from written w where w.write = t.write
        ), {{revision_of_write}}, t.created_at
    from next cross join json_to_recordset(%(requests)s::json) as t (
        write integer, request_id text, content_digest bytea, facts jsonb, created_at timestamptz)
), audit as (
    insert into audit_entries (tenant_id, agent_id, at, revision, method, credential, facts)
    select %(tenant_id)s, %(agent_id)s, t.at, {{revision_of_write}}, t.method, t.credential,
        (t.facts || (
            select jsonb_build_object('slot_ids', jsonb_agg(w.slot_id order by w.place), 'slot_ids_count', count(*))
            from written w where w.write = t.write and w.place <= %(max_ids)s
        ))::json
    from next cross join json_to_recordset(%(audits)s::json) as t (
        write integer, at timestamptz, method text, credential text, facts jsonb)
), gone as (
    delete from memories m where {{in_scope}} and m.memory_id = any(array(
        select {{slot_chunk_id}} from (
            select w.slot_id, w.replaced as version from written w where w.replaced is not null
        ) c
    ))
    returning m.memory_id, m.term_count
), tombstone as (
    insert into memory_tombstones (tenant_id, agent_id, revision, memory_id, forgotten_at, is_chunk)
    select %(tenant_id)s, %(agent_id)s, next.before + %(writes)s::integer, g.memory_id, %(now)s, true from next cross join gone g
), chunk as (
    {{insert_chunks_from}} (
        select c.write, json_build_array(c.chunk || jsonb_build_object('memory_id', {{slot_chunk_id}}, 'version', c.version,
            'source_refs', array[c.slot_id::text])) as chunks
        from written c where c.is_last and c.chunk is not null
    ) t {{chunks_of_write}}
    returning term_count
), counted as (
    update scopes s set
        memory_count = s.memory_count + n.chunks - g.chunks, chunk_count = s.chunk_count + n.chunks - g.chunks,
        term_count = s.term_count + n.terms - g.terms
    from (select count(*) as chunks, coalesce(sum(term_count), 0) as terms from chunk) n,
        (select count(*) as chunks, coalesce(sum(term_count), 0) as terms from gone) g
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
)
select next.before, array(select w.slot_id from written w order by w.write, w.place) as slot_ids,
    array(select w.version from written w order by w.write, w.place) as versions, exists (select from gone) as has_removed
from next

-- name: version
-- One version of a slot, or the newest.
select {{slot_columns}} from (
    select s.tenant_id, s.agent_id, s.slot_id, s.path, coalesce(%(version)s::bigint, s.version) as version from slots s
    where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s and s.path = %(path)s
) s {{join_slot_version}}

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
) s {{join_slot_version}}
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
) s {{join_slot_version}}
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
) s left {{join_slot_version}}
where s.bytes_before < %(bytes)s order by s.entry

-- fragment: slot_columns
v.slot_id, v.agent_id, s.path, v.version, v.sensitivity, v.trust_level, v.credential, v.updated_at, v.content_bytes,
v.key_id, v.details, v.sealed_details

-- fragment: slot_chunk_id
(left(overlay(encode(uuid_send(c.slot_id), 'hex') placing '8' from 13), 16) || encode(set_byte(
    substring(sha256(uuid_send(c.slot_id) || substring(int8send(c.version) from 5)) for 8), 0,
    get_byte(sha256(uuid_send(c.slot_id) || substring(int8send(c.version) from 5)), 0) & 63 | 128), 'hex'))::uuid

-- fragment: join_slot_version
-- By the key of the version. The form leaves no other index to choose: by that of revisions, each one would take all
-- versions of its scope.
join lateral (
    select v.* from slot_versions v
    where (v.tenant_id, v.agent_id, v.slot_id, v.version) >= (s.tenant_id, s.agent_id, s.slot_id, s.version)
    order by v.tenant_id, v.agent_id, v.slot_id, v.version limit 1
) v on v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.slot_id = s.slot_id and v.version = s.version

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
-- may, and tombstones: in the order of revisions, up to so many bytes and one row more; with the scope's revision. So many versions are
-- looked at, in that order, however few of them are below the prefix: `scanned_...` is the last of them where more may follow.
with scanned as materialized (
    select v.tenant_id, v.agent_id, v.slot_id, v.version, v.revision, v.sensitivity, v.kind, v.content_bytes
    from slot_versions v
    where v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s
        and (v.revision, v.slot_id, v.version) > (%(after_revision)s, %(after_id)s, %(after_version)s)
        and v.revision <= %(until_revision)s
    order by v.revision, v.slot_id, v.version limit %(scanned)s
), last_scanned as (
    select v.revision, v.slot_id, v.version from scanned v
    order by v.revision desc, v.slot_id desc, v.version desc limit 1
), scan_end as (
    select l.* from last_scanned l where (select count(*) from scanned) = %(scanned)s
)
select r.revision as scope_revision, e.revision as scanned_in, e.slot_id as scanned_id, e.version as scanned_version, c.*
from ({{scope_revision}}) r left join scan_end e on true left join (
    select s.changed_in, s.changed_id, s.changed_version, s.is_hidden, {{slot_columns}} from (
        select p.tenant_id, p.agent_id, p.slot_id, p.version, p.path, p.is_hidden, p.revision as changed_in,
            p.slot_id as changed_id, p.version as changed_version,
            sum(p.content_bytes) over (order by p.revision, p.slot_id, p.version) - p.content_bytes as bytes_before
        from (
            (select v.tenant_id, v.agent_id, v.slot_id, v.version, v.revision, v.content_bytes, s.path,
                not ({{version_passes}}) as is_hidden
             from scanned v cross join lateral (
                -- By its id: a join would read every slot of the scope once a page.
                select s.path from slots s
                where s.tenant_id = v.tenant_id and s.agent_id = v.agent_id and s.slot_id = v.slot_id offset 0
             ) s
             where s.path >= %(low)s and s.path < %(until)s
                and (({{version_passes}}) or %(follows)s::boolean and (
                    select b.sensitivity = any(%(sensitivities)s::smallint[])
                        and (not %(is_public)s::boolean or b.kind is distinct from %(private_kind)s::smallint)
                    from slot_versions b
                    where b.tenant_id = v.tenant_id and b.agent_id = v.agent_id and b.slot_id = v.slot_id
                        and b.version = v.version - 1))
             order by v.revision, v.slot_id, v.version limit %(size)s)
            union all
            (select t.tenant_id, t.agent_id, t.slot_id, 0, t.revision, 0, null, false from slot_tombstones t
             where %(follows)s::boolean and t.tenant_id = %(tenant_id)s and t.agent_id = %(agent_id)s
                and (t.revision, t.slot_id, 0) > (%(after_revision)s, %(after_id)s, %(after_version)s)
                and not exists (select from scan_end e where (t.revision, t.slot_id, 0) > (e.revision, e.slot_id, e.version))
             order by t.revision, t.slot_id limit %(size)s)
            order by 5, 3, 4 limit %(size)s
        ) p
    ) s left {{join_slot_version}} and not s.is_hidden
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
) s {{join_slot_version}}
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
