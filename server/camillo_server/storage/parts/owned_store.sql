-- name: some_outside
-- Some parts that should be outside of Postgres, the newest first: some of the others may be lost.
select p.content_id, p.number, p.generation, p.stored_size
from contents c join content_parts p on p.tenant_id = c.tenant_id and p.content_id = c.content_id
where c.tenant_id = %(tenant_id)s and c.state = 2 and c.place = 2 and p.number = 0 and p.bytes is null
order by c.changed_at desc limit 10
