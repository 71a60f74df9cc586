-- name: recall
-- The candidates of both arms with their raw scores and all that scoring and the answer need, in one snapshot.
--
-- dense: inner product of unit vectors, exact over the scope. lexical: BM25 (Robertson and Zaragoza 2009, b passed
-- in); ts_rank of one term saturates with its frequency (0.0608 for one, 0.1 at most) and stands for the tf part;
-- idf and the mean length come from the scope's counts.
--
-- The form follows from plans that do not depend on estimates, which are wrong right after an import: the filter is
-- a hashed subplan (`is true` keeps it one, and a branch that is not taken is not run), what is small and used often is materialised, the last join goes by
-- primary key (`offset 0` keeps it so).
with scope as materialized (
    select s.revision, greatest(s.memory_count, 1) as memories,
        greatest(s.term_count, 1)::float8 / greatest(s.memory_count, 1) as mean_terms
    from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
), dense as materialized (
    select v.memory_id, -(v.embedding <#> %(embedding)s::vector) as score
    from memory_vectors v
    where %(embedding)s::vector is not null
        and v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.model_id = %(model_id)s
        and vector_dims(v.embedding) = vector_dims(%(embedding)s::vector)
        -- Without conditions only what is hidden is read, by its own small index, and not every memory.
        and case when %(without_conditions)s then
            (v.memory_id in (select m.memory_id from memories m
                where {{in_scope}} and (m.archived or m.expires_at is not null)
                    and (m.archived or m.expires_at <= %(now)s))) is not true
        else
            (v.memory_id in (select m.memory_id from memories m where {{in_scope}} and {{passes_filter}})) is true
        end
    order by v.embedding <#> %(embedding)s::vector, v.memory_id limit %(per_arm)s
), matched as materialized (
    select q.place, m.memory_id, ts_rank(m.terms, q.query) / 0.0607927 as frequency, m.term_count
    from unnest(%(queries)s::tsquery[]) with ordinality as q (query, place)
    join memories m on m.terms @@ q.query
    where {{in_scope}} and {{passes_filter}}
), rarity as materialized (
    select array_agg(idf order by place) as idf from (
        select q.place,
            ln(1 + (scope.memories - count(m.place) + 0.5)::float8 / (count(m.place) + 0.5)::float8) as idf
        from scope
        cross join generate_series(1, cardinality(%(queries)s::tsquery[])) as q (place)
        left join matched m on m.place = q.place
        group by q.place, scope.memories
    ) one_term
), lexical as materialized (
    select memory_id, sum((select idf from rarity)[place] * frequency
        / (1 - %(b)s + %(b)s * term_count / (select mean_terms from scope))) as score
    from matched group by memory_id order by score desc, memory_id limit %(per_arm)s
), found as materialized (
    select memory_id, dense.score as dense, lexical.score as lexical from dense full join lexical using (memory_id)
)
select r.revision, exists (
        select 1 from memories m where {{in_scope}} and m.vector_model_id = ''
    ) as vectors_pending, p.*
from ({{scope_revision}}) r left join (
    select {{memory_columns}}, {{access_columns}}, found.dense, found.lexical
    from found
    cross join lateral (
        select * from memories m where {{in_scope}} and m.memory_id = found.memory_id offset 0
    ) m
    {{join_access}}
) p on true
