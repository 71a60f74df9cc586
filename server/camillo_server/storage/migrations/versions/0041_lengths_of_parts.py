"""Chunks of events count as longer where their event has several (NewRow.terms)."""

from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

# The number of terms stands for the length of an encrypted text. A scope's lock is taken first, so that its counts are
# those of its rows: its writers wait until all scopes are done, about ten seconds for a million such chunks.
LENGTHS = """
do $$
declare each_tenant text; each_agent text; added bigint;
begin
    perform set_config('camillo.tenant_list', 'on', true), set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from camillo.tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        for each_agent in select agent_id from camillo.scopes where tenant_id = each_tenant order by agent_id loop
            perform from camillo.scopes where tenant_id = each_tenant and agent_id = each_agent for update;
            with sized as (
                select memory_id, term_count, source_refs[1] as event,
                    greatest(case when sealed is null then char_length(content) else term_count end, 1) as size
                from camillo.memories
                where tenant_id = each_tenant and agent_id = each_agent and (kind between 16 and 31 or kind = 97)
            ), part as (
                select memory_id, term_count, size, sum(size) over (partition by event) as whole from sized
            ), longer as (
                update camillo.memories m
                set term_count = least(round(p.term_count * sqrt(p.whole / p.size::float8)), 8192)::integer
                from part p
                where m.tenant_id = each_tenant and m.agent_id = each_agent and m.memory_id = p.memory_id
                    and p.whole > p.size
                returning m.term_count - p.term_count as growth
            )
            select coalesce(sum(growth), 0) into added from longer;
            update camillo.scopes set term_count = term_count + added
            where tenant_id = each_tenant and agent_id = each_agent and added <> 0;
        end loop;
    end loop;
    perform set_config('camillo.tenant_list', '', true), set_config('camillo.agent', '', true),
        set_config('camillo.tenant', '', true);
end $$
"""


def upgrade() -> None:
    op.execute(LENGTHS)


def downgrade() -> None:
    """Nothing: an earlier release takes lengths as they are."""
