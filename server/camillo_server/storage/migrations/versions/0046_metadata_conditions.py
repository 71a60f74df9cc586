"""Comparisons of metadata in filters of memories, as memories/metadata_conditions.py compares: a function, since the statements
that filter are long, and most filters compare nothing."""

from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

# `stored` is metadata with its occurrences: one statement has to fulfil every condition.
MEETS_CONDITIONS = """
create function meets_conditions(stored jsonb, conditions jsonb) returns boolean
language sql immutable parallel safe
begin atomic
    select exists (
        select from (
            select stored as told
            union all select o -> 'metadata' from jsonb_array_elements(stored -> '' -> 'kept') o
        ) s where not exists (
            select from jsonb_array_elements(conditions) c
            cross join lateral (
                select s.told -> (c ->> 'key') as found, s.told ->> (c ->> 'key') as text, c -> 'operand' as operand
            ) v
            where (case c ->> 'operator'
                when 'exists' then (v.found is not null) = v.operand::boolean
                when 'ne' then v.found is distinct from v.operand
                when 'in' then v.found is not null and v.operand @> jsonb_build_array(v.found)
                else c -> 'signs' @> case jsonb_typeof(v.found) || jsonb_typeof(v.operand)
                    when 'numbernumber' then to_jsonb(sign(v.found::numeric - v.operand::numeric))
                    when 'stringstring' then to_jsonb(case when v.found = v.operand then 0
                        when v.text collate "C" < c ->> 'operand' then -1 else 1 end)
                end
            end) is not true
        )
    );
end
"""


def upgrade() -> None:
    op.execute(MEETS_CONDITIONS)


def downgrade() -> None:
    op.execute("drop function meets_conditions(jsonb, jsonb)")
