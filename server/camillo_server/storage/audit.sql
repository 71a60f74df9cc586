-- name: enter
-- An entry of its own, at a revision of the scope, or at none.
with next as (select %(revision)s::bigint - 1 as before)
{{insert_audit}}
