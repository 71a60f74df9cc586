-- name: recall
-- The candidates of both arms and their neighbours in their sessions, and the raw scores of all of these, in one
-- snapshot.
--
-- nearest: one of the two statements below. lexical: BM25 (Robertson and Zaragoza 2009); ts_rank of one term grows
-- with its count alone, so that `rank_borders` lead back from it to the count. idf and the mean length come from the
-- scope's counts, or, where a channel hides rows, from those that pass.
--
-- The form follows from plans that do not depend on estimates, which are wrong right after an import: what is small
-- and used often is materialised and never joined, lookups go by key (`offset 0` keeps them so), sets are hashed
-- subplans (`is true` keeps them so), and the condition on terms stands twice (@@@ is @@), which makes it look too
-- rare for reading a second index of the whole scope beside it. So the scores come apart, packed as ids and numbers,
-- in the first row, and their reader puts them to the candidates.
with scope as materialized (
    {scope}
), nearest as materialized (
    {nearest}
), matched as materialized (
    select q.ordinal, m.memory_id, m.term_count,
        width_bucket(ts_rank(m.terms, q.query)::float8, %(rank_borders)s::float8[]) + 1 as count
    from unnest(%(queries)s::tsquery[]) with ordinality as q (query, ordinal)
    join memories m on m.terms @@ q.query and m.terms @@@ q.query
    where {{in_scope}} and {passes}
), rarity as materialized (
    {rarity}
), summed as materialized (
    select memory_id, sum((select idf from rarity)[ordinal] * count * (%(k1)s + 1) / (count + %(k1)s * (1 - %(b)s)
        + (select %(k1)s * %(b)s / mean_terms from scope) * term_count))::real as score
    from matched group by memory_id
), found as materialized (
    select memory_id from nearest
    union (select memory_id from summed order by score desc, memory_id limit %(per_arm)s)
    {signal_rows}
), {neighboured}, candidates as materialized (
    select memory_id, array[before[1], after[1], before[2], after[2]] as neighbours from neighboured
    union select before[1], array[before[2], memory_id, before[3], after[1]] from neighboured where before[1] is not null
    union select after[1], array[memory_id, after[2], before[1], after[3]] from neighboured where after[1] is not null
), scored as materialized (
    select memory_id from candidates
    union select b.memory_id from candidates c cross join lateral unnest(c.neighbours) b (memory_id)
    where b.memory_id is not null
)
select scope.revision, scope.memories, {vectors_pending} as vectors_pending,
    {encrypted_not_searched} as encrypted_not_searched,
    case when coalesce(p.ordinal, 1) = 1 then (select idf from rarity) end as idf, scope.links_revision,
    case when p.ordinal = 1 then {dense} end as dense, case when p.ordinal = 1 then (
        select string_agg(uuid_send(s.memory_id) || float4send(s.score), '')
        from summed s where (s.memory_id in (select memory_id from scored)) is true
    ) end as lexical, p.*
from scope left join (
    -- The candidate's own id stands for a neighbour that does not exist.
    select c.ordinal, uuid_send(coalesce(c.neighbours[1], c.memory_id)) || uuid_send(coalesce(c.neighbours[2], c.memory_id))
        || uuid_send(coalesce(c.neighbours[3], c.memory_id)) || uuid_send(coalesce(c.neighbours[4], c.memory_id)), {own_vector}, m.term_count,
        {{memory_columns}}, {{access_columns}}{signal_columns}
    from (select memory_id, neighbours, row_number() over () as ordinal from candidates) c
    cross join lateral (
        select * from memories m where {{in_scope}} and m.memory_id = c.memory_id offset 0
    ) m
    left join lateral (
        select * from memory_access a
        where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.memory_id = m.memory_id offset 0
    ) a on true
) p on true

-- name: dense
-- The part `dense`: the similarities of what is scored.
(
    select string_agg(uuid_send(e.memory_id) || float4send(-(v.embedding <#> %(embedding)s::vector)::real), '')
    from scored e cross join lateral (
        select v.embedding from memory_vectors v
        where %(embedding)s::vector is not null
            and v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.model_id = %(model_id)s
            and v.memory_id = e.memory_id and vector_dims(v.embedding) = vector_dims(%(embedding)s::vector)
        offset 0
    ) v
)

-- name: no_dense
-- The same without a vector.
null::bytea

-- name: own_vector
-- The part `own_vector`: that of a candidate.
(
    select v.embedding from memory_vectors v
    where %(with_vectors)s and %(embedding)s::vector is not null
        and v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.model_id = %(model_id)s
        and v.memory_id = c.memory_id and vector_dims(v.embedding) = vector_dims(%(embedding)s::vector)
)

-- name: no_own_vector
-- The same without a vector.
null::bytea

-- name: no_nearest
-- The part `nearest` without a vector.
select null::uuid as memory_id where false

-- name: scope
-- The part `scope`; `held` are the rows of the scope, `memories` those that count.
select coalesce(max(s.revision), 0) as revision, coalesce(max(s.memory_count), 0) as held,
    coalesce(max(s.memory_count), 0) as memories,
    greatest(max(s.term_count), 1)::float8 / greatest(max(s.memory_count), 1) as mean_terms,
    coalesce(max(s.links_revision), 0) as links_revision
from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: scope_of_passing
-- The same where a channel hides rows: none counts but those that pass.
select coalesce(s.revision, 0) as revision, coalesce(s.memory_count, 0) as held, p.memories, p.mean_terms,
    coalesce(s.links_revision, 0) as links_revision
from (
    select count(*) as memories, greatest(sum(m.term_count), 1)::float8 / greatest(count(*), 1) as mean_terms
    from memories m where {{in_scope}} and {passes}
) p left join scopes s on s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: scope_of_collection
-- The same where the scope is a part of what is searched, whose counts are known.
select coalesce(max(s.revision), 0) as revision, coalesce(max(s.memory_count), 0) as held,
    %(memories)s::bigint as memories, %(mean_terms)s::float8 as mean_terms, coalesce(max(s.links_revision), 0) as links_revision
from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: rarity
-- The part `rarity`: of each term of the query.
select array_agg(ln(1 + (scope.memories - coalesce(n, 0) + 0.5::float8) / (coalesce(n, 0) + 0.5::float8))
    order by q.ordinal) as idf
from scope cross join unnest(%(queries)s::tsquery[]) with ordinality as q (query, ordinal)
left join (select m.ordinal, count(*) as n from matched m group by m.ordinal) m on m.ordinal = q.ordinal

-- name: rarity_in_collection
-- The same where the scope is a part of what is searched.
select %(rarities)s::float8[] as idf

-- name: term_statistics
-- How many rows count, how many terms these have, and how many of those that pass have each term of the query.
select s.revision, s.memories, s.term_count, array(
    select (select count(*) from memories m
        where m.terms @@ q.query and m.terms @@@ q.query and {{in_scope}} and {passes})
    from unnest(%(queries)s::tsquery[]) with ordinality as q (query, ordinal) order by q.ordinal
) as matches
from ({counts}) s

-- name: counts
-- The part `counts` of the statement above.
select coalesce(max(s.revision), 0) as revision, coalesce(max(s.memory_count), 0) as memories,
    coalesce(max(s.term_count), 0) as term_count
from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: counts_of_passing
-- The same where a channel hides rows.
select coalesce(s.revision, 0) as revision, p.memories, p.term_count
from (
    select count(*) as memories, coalesce(sum(m.term_count), 0) as term_count
    from memories m where {{in_scope}} and {passes}
) p left join scopes s on s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s

-- name: vectors_pending
-- The part `vectors_pending`.
exists (select 1 from memories m where {{in_scope}} and {{waits_for_vector}})

-- name: vectors_pending_of_passing
-- The same where a channel hides rows.
exists (select 1 from memories m where {{in_scope}} and {{waits_for_vector}} and {passes})

-- name: neighboured
-- The part `neighboured`.
neighboured as materialized (
    -- Three on each side: the neighbours of a match are candidates, and two on each side raise the score of a candidate.
    select f.memory_id, array(
            select case when {passes} then m.memory_id end from memories m
            where %(with_neighbours)s and {{in_scope}} and m.session_id = f.session_id and m.session_id <> ''
                and (m.occurred_at, m.memory_id) < (f.occurred_at, f.memory_id)
            order by m.occurred_at desc, m.memory_id desc limit 3
        ) as before, array(
            select case when {passes} then m.memory_id end from memories m
            where %(with_neighbours)s and {{in_scope}} and m.session_id = f.session_id and m.session_id <> ''
                and (m.occurred_at, m.memory_id) > (f.occurred_at, f.memory_id)
            order by m.occurred_at, m.memory_id limit 3
        ) as after
    from found cross join lateral (
        select m.memory_id, m.session_id, m.occurred_at from memories m
        where {{in_scope}} and m.memory_id = found.memory_id offset 0
    ) f
)

-- name: neighboured_of_passing
-- The same where a channel hides rows: nothing stands in between but what passes. Each session is read once, since what
-- is passed over may be most of it.
in_line as materialized (
    select m.memory_id,
        array[lag(m.memory_id) over line, lag(m.memory_id, 2) over line, lag(m.memory_id, 3) over line] as before,
        array[lead(m.memory_id) over line, lead(m.memory_id, 2) over line, lead(m.memory_id, 3) over line] as after
    from memories m
    where %(with_neighbours)s and {{in_scope}} and m.session_id <> '' and m.session_id = any(array(
            select f.session_id from found cross join lateral (
                select m.session_id from memories m where {{in_scope}} and m.memory_id = found.memory_id offset 0
            ) f
        )) and {passes}
    window line as (partition by m.session_id order by m.occurred_at, m.memory_id)
), neighboured as materialized (
    select memory_id, before, after from in_line where (memory_id in (select memory_id from found)) is true
    union all
    select memory_id, array[]::uuid[], array[]::uuid[] from found
    where (memory_id in (select memory_id from in_line)) is not true
)

-- name: conditions
-- The part `passes`. Encrypted rows can only be searched in memory.
m.sealed is null and {{passes_filter}}

-- name: no_conditions
-- The same part for a query without conditions.
m.sealed is null and {{is_memory}} and not m.archived and (m.expires_at is null or m.expires_at > %(now)s)
and {{is_true}}

-- name: encrypted_not_searched
-- The part `encrypted_not_searched`: whether the scope has encrypted rows of a kind and a level that may be found.
exists (
    select 1 from memories m where {{in_scope}} and m.sealed is not null and m.kind = any(%(passing_kinds)s::smallint[])
        and (%(max_sensitivity)s::smallint is null or m.sensitivity <= %(max_sensitivity)s)
        and (%(sensitivities)s::smallint[] is null or m.sensitivity = any(%(sensitivities)s))
        and {{is_readable_document}}
)

-- name: encrypted_memory_not_searched
-- The same for a query without conditions.
exists (select 1 from memories m where {{in_scope}} and m.sealed is not null and {{is_memory}})

-- name: nearest
-- The vectors nearest to the query's by inner product of unit vectors: exact, over the whole scope.
select v.memory_id from memory_vectors v
where %(embedding)s::vector is not null
    and v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.model_id = %(model_id)s
    and vector_dims(v.embedding) = vector_dims(%(embedding)s::vector) and {is_found}
order by v.embedding <#> %(embedding)s::vector, v.memory_id limit %(per_arm)s

-- name: is_found
-- The part `is_found`.
(v.memory_id in (select m.memory_id from memories m where {{in_scope}} and {passes})) is true

-- name: is_not_hidden
-- The same without conditions: only hidden rows are read, by a small index of their own, and not every memory.
(v.memory_id in (select m.memory_id from memories m where {{in_scope}}
    and (m.archived or m.expires_at is not null or m.kind >= 16)
    and (m.archived or m.expires_at <= %(now)s or m.kind >= 16))) is not true
and (v.memory_id in (select m.memory_id from memories m where {{in_scope}}
    and (m.valid_from is not null or m.valid_until is not null) and not ({{is_true}}))) is not true

-- name: nearest_by_index
-- The same by the scope's own index (search/store/vector_index.py), nearly exact. The values of its predicate are literals
-- in the text, so that every kind of plan can use it. The index is read on until enough have passed the filter, but
-- not beyond a part of the scope: from there on the exact search, which then answers, costs less. That bound is ours
-- and not the index's own, at which it would go on with what it has passed over, and miss neighbours.
with scan as materialized (
    -- Local to the transaction. Relaxed order, since the result is sorted again by exact distances.
    select set_config('hnsw.iterative_scan', 'relaxed_order', true) <> ''
        and set_config('hnsw.ef_search', {ef_search}, true) <> ''
        and set_config('hnsw.max_scan_tuples', '2147483647', true) <> ''
        and set_config('hnsw.scan_mem_multiplier', '16', true) <> '' as is_set
), scanned as materialized (
    select w.memory_id, w.distance from (
        select v.memory_id, v.embedding <#> %(embedding)s::vector as distance from memory_vectors v
        where (select is_set from scan) and v.tenant_id = {tenant_id} and v.agent_id = {agent_id}
            and v.model_id = {model_id} and vector_dims(v.embedding) = {dimensions}
        order by v.embedding::halfvec({dimensions}) <#> %(embedding)s::vector::halfvec({dimensions})
        limit (select greatest(held / 64, 500) from scope)
    ) w
    -- A scalar subquery stays a lookup by key for each vector that is met, whatever the estimates.
    where (select {passes} from memories m where {{in_scope}} and m.memory_id = w.memory_id)
    limit {limit}
)
(select memory_id from scanned where (select count(*) from scanned) = {limit}
    order by distance, memory_id limit %(per_arm)s)
union all
select memory_id from ({nearest}) exact where (select count(*) from scanned) < {limit}
