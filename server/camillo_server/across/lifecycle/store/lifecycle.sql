-- name: lock_scope
-- Later writers of the scope wait until this transaction ends. Unlike `next_revision` it changes nothing.
select s.revision from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s for no key update

-- name: to_maintain
-- What a pass of maintenance takes of so many memories behind an id, each for one reason (across/lifecycle/plan.py tells the
-- numbers), in the order of the ids; of what may be over the quota the first to go, as many as there can be. In every row,
-- and alone if nothing is taken: how many memories were read, how many count for the quota, and the last id. What a merged
-- memory stands for stays as long as that one: it could not be restored. A change counts as a use, so that what was
-- restored is not archived again at once; being archived does not. What is new neither counts for the quota nor is taken
-- for it: an import does not drive itself or what was there out. Bounds are rounded as importances are, so that 0.7 is not
-- below 0.7. Lookups go by key, here and below: right after an import the statistics would have the planner compare every
-- row with every other.
with aged as materialized (
    select {{planned_columns}}, m.importance, {{is_pinned}} as is_pinned,
        m.created_at > %(new_since)s and m.created_at < %(new_until)s as is_new,
        m.archived or coalesce(m.expires_at <= %(now)s, false) as is_hidden,
        m.archived and m.updated_at < %(hidden_before)s or coalesce(m.expires_at < %(hidden_before)s, false) as is_hidden_for_long
    from (
        select m.* from memories m where {{in_scope}} and {{is_memory}} and m.memory_id > %(after_id)s
        order by m.memory_id limit %(size)s
    ) m {{look_up_access}}
), merged as materialized (
    select s.memory_id from compactions c cross join lateral (
        select from memories m where {{in_scope}} and m.memory_id = c.memory_id offset 0
    ) m cross join unnest(c.source_ids) as s (memory_id)
    where c.tenant_id = %(tenant_id)s and c.agent_id = %(agent_id)s and c.state = 2
), judged as materialized (
    select g.*, case
        when g.is_pinned then null
        when g.is_hidden_for_long and g.memory_id not in (select d.memory_id from merged d) then 4
        when g.is_hidden then null
        when g.decayed_importance < %(archive_below)s::real then 1
        when g.importance < %(unimportant_below)s::real and g.last_used_at <= %(idle_since)s then 2
    end as reason
    from aged g
), taken as (
    select j.memory_id, j.version, j.kind, j.decayed_importance, j.last_used_at, j.reason
    from judged j where j.reason is not null
    union all
    (select j.memory_id, j.version, j.kind, j.decayed_importance, j.last_used_at, 3
     from judged j where j.reason is null and not j.is_hidden and not j.is_pinned and not j.is_new
     order by j.decayed_importance, j.last_used_at, j.memory_id
     limit coalesce((
        select case when %(memory_quota)s = 0 then 0
            else least(greatest(s.memory_count - s.chunk_count - %(memory_quota)s, 0), %(max_over_quota)s) end
        from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s), 0))
), page as (
    select count(*) as read, count(*) filter (where n.reason is null and not n.is_hidden and not n.is_new) as counted,
        (select l.memory_id from judged l order by l.memory_id desc limit 1) as last_id
    from judged n
)
select p.read, p.counted, p.last_id, t.* from page p left join taken t on true
order by t.memory_id

-- name: selected
-- Memories that pass a selector, in the order of the ids.
select {{planned_columns}}, 5 from memories m {{look_up_access}}
where {{in_scope}} and {{is_memory}} and {{passes_selector}}
order by m.memory_id

-- name: selected_of_ids
-- Which of these memories pass a selector, in the order of the ids.
select {{planned_columns}}, 5 from memories m {{look_up_access}}
where {{in_scope}} and {{is_memory}} and m.memory_id = any(%(memory_ids)s::uuid[]) and {{passes_selector}}
order by m.memory_id
