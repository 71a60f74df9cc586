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
