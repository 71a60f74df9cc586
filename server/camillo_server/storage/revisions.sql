-- name: next_revision
-- Locks the scope for writing: later writers of the scope wait until this transaction ends.
{{next_revision}}

-- name: scope_revision
-- The revision of the latest write, or 0.
{{scope_revision}}
