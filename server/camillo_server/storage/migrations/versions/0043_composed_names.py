"""Tags and metadata with composed letters (Unicode's NFC), as they are stored from now on."""

from alembic import op
from sqlalchemy import text

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

# Encrypted rows stay as they are: SQL cannot read their metadata.
STEP = """
do $$
declare each_tenant text; changed bigint;
begin
    perform set_config('camillo.tenant_list', 'on', true), set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from camillo.tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        with other as (
            select agent_id, memory_id from camillo.memories
            where tenant_id = each_tenant
                and (array_to_string(tags, '') is not nfc normalized or metadata::text is not nfc normalized)
            limit 10000
        )
        update camillo.memories m set metadata = normalize(m.metadata::text, nfc)::jsonb,
            tags = array(select normalize(tag, nfc) from unnest(m.tags) with ordinality as t (tag, place) order by place)
        from other o
        where m.tenant_id = each_tenant and m.agent_id = o.agent_id and m.memory_id = o.memory_id;
        get diagnostics changed = row_count;
        perform set_config('camillo.changed_rows', changed::text, false);
        exit when changed > 0;
    end loop;
    perform set_config('camillo.tenant_list', '', true), set_config('camillo.agent', '', true),
        set_config('camillo.tenant', '', true);
end $$
"""


def upgrade() -> None:
    """In steps that are committed one by one; it can be run again from any of them."""
    with op.get_context().autocommit_block():
        changed = 1
        while changed:
            op.execute("select set_config('camillo.changed_rows', '0', false)")
            op.execute(STEP)
            found = op.get_bind().execute(text("select current_setting('camillo.changed_rows')"))
            changed = int(found.scalar_one())


def downgrade() -> None:
    """Nothing: an earlier release takes them as they are."""
