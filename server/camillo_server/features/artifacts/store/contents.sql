-- name: begin_content
insert into contents (
    tenant_id, content_id, size, stored_bytes, part_count, is_sealed, place, state, created_at, changed_at)
values (%(tenant_id)s, %(content_id)s, 0, 0, 0, %(is_sealed)s, %(place)s, 1, %(now)s, %(now)s)

-- name: lock_quota
-- Other transactions that make contents of this tenant ready wait until this one ends.
select pg_advisory_xact_lock(hashtextextended('artifact_bytes/' || %(tenant_id)s, 0))

-- name: ready_bytes
select coalesce(sum(size), 0)::bigint from contents where tenant_id = %(tenant_id)s and state = 2

-- name: kept_bytes
-- Bytes of contents that are ready, and of uploads under way.
select (
    (select coalesce(sum(size), 0) from contents where tenant_id = %(tenant_id)s and state = 2)
    + (select coalesce(sum(held_bytes), 0) from uploads where tenant_id = %(tenant_id)s and artifact_id is null)
)::bigint

-- name: lock_same_content
-- The equal content that the tenant has already, locked against deletion until the transaction ends.
select content_id from contents
where tenant_id = %(tenant_id)s and fingerprint = %(fingerprint)s and state = 2 for update

-- name: make_ready
-- No row where the content is no longer being written.
update contents c set
    state = 2, fingerprint = %(fingerprint)s, changed_at = %(now)s,
    size = p.size, stored_bytes = p.stored_bytes, part_count = p.part_count
from (
    select coalesce(sum(size), 0) as size, coalesce(sum(stored_size), 0) as stored_bytes, count(*) as part_count
    from content_parts where tenant_id = %(tenant_id)s and content_id = %(content_id)s
) p
where c.tenant_id = %(tenant_id)s and c.content_id = %(content_id)s and c.state = 1
returning c.size

-- name: lock_contents
-- In one order, so that two transactions that orphan the same contents cannot deadlock.
select content_id from contents
where tenant_id = %(tenant_id)s and content_id = any(%(content_ids)s) order by content_id for update

-- name: agent
select current_setting('camillo.agent', true) as agent

-- name: enter_agent
-- Until the transaction ends.
select set_config('camillo.agent', %(agent)s, true)

-- name: mark_orphaned
-- Of these contents, those that no artifact and no upload has any more. Call it holding their locks, with every agent's rows in view.
update contents c set state = 3, fingerprint = null
where c.tenant_id = %(tenant_id)s and c.content_id = any(%(content_ids)s)
    and not exists (
        select from artifacts a where a.tenant_id = c.tenant_id and a.content_id = c.content_id)
    and not exists (
        select from uploads u where u.tenant_id = c.tenant_id and u.content_id = c.content_id)
returning c.content_id, c.place, c.part_count

-- name: delete_orphaned
delete from contents
where tenant_id = %(tenant_id)s and content_id = %(content_id)s and state = 3

-- name: all_ids
select content_id from contents where tenant_id = %(tenant_id)s

-- name: delete
-- Whichever state it is in: its artifacts are deleted in the same transaction.
delete from contents where tenant_id = %(tenant_id)s and content_id = %(content_id)s

-- name: orphaned
select content_id, place, part_count from contents where tenant_id = %(tenant_id)s and state = 3 order by content_id

-- name: unused
-- Contents that no artifact and no upload has, but are not marked as orphaned.
select c.content_id from contents c
where c.tenant_id = %(tenant_id)s and c.state <> 3
    and not exists (
        select from artifacts a where a.tenant_id = c.tenant_id and a.content_id = c.content_id)
    and not exists (
        select from uploads u where u.tenant_id = c.tenant_id and u.content_id = c.content_id)

-- name: known_contents
select content_id from contents where tenant_id = %(tenant_id)s and content_id = any(%(content_ids)s)

-- name: parts_outside
-- How many parts every ready content of before a moment should have outside of Postgres.
select p.content_id, count(*) as part_count
from content_parts p join contents c on c.tenant_id = p.tenant_id and c.content_id = p.content_id
where p.tenant_id = %(tenant_id)s and p.bytes is null and c.state = 2 and c.changed_at < %(before)s
group by p.content_id

-- name: add_part
-- A part, and its upload's progress: no row where the upload is gone or finished, another call has resumed it, or Postgres lost
-- the part before. Nobody waits for a disk: the commit that finishes the upload makes all before it durable.
with upload as (
    update uploads set
        held_bytes = coalesce(%(held_bytes)s::bigint, held_bytes),
        key_id = case when %(held_bytes)s::bigint is null then key_id else %(key_id)s::text end,
        details = case when %(held_bytes)s::bigint is null then details else %(details)s::jsonb end,
        sealed_details = case when %(held_bytes)s::bigint is null then sealed_details else %(sealed_details)s::bytea end
    where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s
        and content_id = %(content_id)s and generation = %(generation)s and artifact_id is null
        and (%(number)s::int = 0 or exists (
            select from content_parts p
            where p.tenant_id = uploads.tenant_id and p.content_id = uploads.content_id
                and p.number = %(number)s::int - 1))
    returning content_id
)
insert into content_parts (
    tenant_id, content_id, number, generation, first_line, size, stored_size, codec, key_id, bytes)
select %(tenant_id)s, upload.content_id, %(number)s, %(generation)s, %(first_line)s, %(size)s, %(stored_size)s, %(codec)s, %(part_key_id)s,
    %(bytes)s::bytea
from upload, (select set_config('synchronous_commit', 'off', true)) as of_this_commit
returning number

-- name: drop_parts_from
delete from content_parts
where tenant_id = %(tenant_id)s and content_id = %(content_id)s and number >= %(number)s

-- name: set_location
-- Where later parts will be stored; a content that was ever outside is looked for there as well.
update contents set place = %(place)s
where tenant_id = %(tenant_id)s and content_id = %(content_id)s and place < %(place)s

-- name: parts
select number, generation, first_line, size, stored_size, codec, key_id, bytes from content_parts
where tenant_id = %(tenant_id)s and content_id = %(content_id)s and number between %(first)s and %(last)s
order by number

-- name: part_of_line
select number, generation, first_line, size, stored_size, codec, key_id, bytes from content_parts
where tenant_id = %(tenant_id)s and content_id = %(content_id)s and first_line <= %(line)s
order by number desc limit 1

-- name: exists
-- Whether an artifact has the content, or an upload writes it.
select 1 from contents where tenant_id = %(tenant_id)s and content_id = %(content_id)s and state <> 3

-- name: begin_upload
-- Nobody waits for a disk, as with its parts: nothing is acknowledged before the commit that finishes the upload.
insert into uploads (
    tenant_id, agent_id, upload_id, content_id, held_bytes, key_id, details, sealed_details, created_at)
select %(tenant_id)s, %(agent_id)s, %(upload_id)s, %(content_id)s, %(held_bytes)s, %(key_id)s, %(details)s::jsonb,
    %(sealed_details)s::bytea, %(now)s
from (select set_config('synchronous_commit', 'off', true)) as of_this_commit

-- name: find_upload
select u.content_id, c.size, c.is_sealed as is_encrypted, u.held_bytes, u.artifact_id, u.generation, u.details, u.key_id, u.sealed_details
from uploads u join contents c on c.tenant_id = u.tenant_id and c.content_id = u.content_id
where u.tenant_id = %(tenant_id)s and u.agent_id = %(agent_id)s and u.upload_id = %(upload_id)s
    and u.created_at > %(begun_after)s

-- name: state
-- The progress of an upload under way, whether it has a part, and the call that may write to it.
select held_bytes, exists (
    select from content_parts p
    where p.tenant_id = u.tenant_id and p.content_id = u.content_id and p.number = %(number)s) as has_part, generation
from uploads u
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s
    and content_id = %(content_id)s and artifact_id is null

-- name: lock_upload
select content_id, artifact_id, generation, held_bytes from uploads
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s for update

-- name: next_generation
-- Call it holding the upload's lock.
update uploads set generation = generation + 1
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s
returning generation

-- name: finish_upload
update uploads set artifact_id = %(artifact_id)s, content_id = %(kept_content_id)s
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s

-- name: drop_upload
delete from uploads
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s
    and content_id = %(content_id)s and generation = %(generation)s and artifact_id is null
returning content_id

-- name: drop_old_upload
-- An upload's id may be used again after its lifetime.
delete from uploads
where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s and upload_id = %(upload_id)s
    and created_at <= %(begun_by)s
returning content_id

-- name: drop_abandoned
-- A batch of the uploads begun before a moment, finished or not.
delete from uploads u using (
    select agent_id, upload_id from uploads
    where tenant_id = %(tenant_id)s and created_at <= %(begun_by)s
    order by agent_id, upload_id limit %(limit)s for update skip locked
) old
where u.tenant_id = %(tenant_id)s and u.agent_id = old.agent_id and u.upload_id = old.upload_id
returning u.content_id, u.artifact_id

-- name: delete_uploads_of_agent
delete from uploads where tenant_id = %(tenant_id)s and agent_id = %(agent_id)s
returning content_id
