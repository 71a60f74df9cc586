"""Keys that are bound to a channel, a level and actors; events tell which credential recorded them; agents say from whom
they accept handoffs."""

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

# Columns with a constant default rewrite no row. trust: 0 for what was recorded before, else that of the contract.
COLUMNS = """
alter table api_keys
    add column channel smallint,
    add column max_sensitivity smallint,
    add column actors text[];
alter table events
    add column trust smallint not null default 0,
    add column credential text not null default '';
-- Null: from any agent.
alter table scopes add column handoff_senders text[];
"""

# The trigger of 0020 names the columns that there were: the new ones never change, either.
TRIGGER = """
drop trigger events_never_change on events;
do $$
declare kept text;
begin
    select string_agg(quote_ident(attname), ', ') into kept from pg_attribute
    where attrelid = 'events'::regclass and attnum > 0 and not attisdropped
        and attname not in ('key_id', 'sealed_details');
    execute format('create trigger events_never_change before update of %s on events'
        ' for each statement execute function refuse_to_change_events()', kept);
end $$;
"""


def upgrade() -> None:
    op.execute(COLUMNS)
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("alter table scopes drop column handoff_senders")
    op.execute("drop trigger events_never_change on events")
    op.execute("alter table events drop column credential, drop column trust")
    op.execute(
        "create trigger events_never_change before update on events"
        " for each statement execute function refuse_to_change_events()"
    )
    op.execute(
        "alter table api_keys drop column actors, drop column max_sensitivity, drop column channel"
    )
