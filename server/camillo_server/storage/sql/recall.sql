-- name: recall
-- The candidates of both arms with their raw scores and all that scoring and the answer need, in one snapshot.
-- dense: inner product of unit vectors, exact over the scope. lexical: BM25 (Robertson and Zaragoza 2009, k1 and b
-- passed in); ts_rank of one term saturates with its frequency (0.0608 for one, 0.1 at most) and stands for
-- the tf part; idf and the mean length come from the scope's counts.
with scope as materialized (
    select s.revision, greatest(s.memory_count, 1) as memories,
        greatest(s.term_count, 1)::float8 / greatest(s.memory_count, 1) as mean_terms
    from scopes s where s.tenant_id = %(tenant_id)s and s.agent_id = %(agent_id)s
), dense as materialized (
    select m.memory_id, -(v.embedding <#> %(embedding)s::vector) as score
    from memory_vectors v join memories m using (tenant_id, agent_id, memory_id)
    where %(embedding)s::vector is not null
        and v.tenant_id = %(tenant_id)s and v.agent_id = %(agent_id)s and v.model_id = %(model_id)s
        and vector_dims(v.embedding) = vector_dims(%(embedding)s::vector)
        and {{in_scope}} and {{passes_filter}}
    order by v.embedding <#> %(embedding)s::vector, m.memory_id limit %(per_arm)s
), matched as materialized (
    select q.term, m.memory_id, ts_rank(m.terms, q.query) / 0.0607927 as frequency, m.term_count
    from unnest(%(terms)s::text[], %(queries)s::tsquery[]) as q (term, query)
    join memories m on m.terms @@ q.query
    where {{in_scope}} and {{passes_filter}}
), rarity as (
    select term, ln(1 + (scope.memories - count(*) + 0.5) / (count(*) + 0.5)) as idf
    from matched cross join scope group by term, scope.memories
), lexical as materialized (
    select memory_id, sum(rarity.idf * matched.frequency
        / (1 - %(b)s + %(b)s * matched.term_count / scope.mean_terms)) as score
    from matched join rarity using (term) cross join scope
    group by memory_id order by score desc, memory_id limit %(per_arm)s
), found as (
    select memory_id, dense.score as dense, lexical.score as lexical from dense full join lexical using (memory_id)
)
select r.revision, exists (
        select 1 from memories m where {{in_scope}} and m.vector_model_id = ''
    ) as vectors_pending, p.*
from ({{scope_revision}}) r left join (
    select {{memory_columns}}, {{access_columns}}, found.dense, found.lexical
    from found join memories m using (memory_id) {{join_access}}
    where {{in_scope}}
) p on true
