"""Events may be encrypted anew: by the owner, who may change nothing else of them."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

# The role that serves may update no event at all.
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
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("drop trigger events_never_change on events")
    op.execute(
        "create trigger events_never_change before update on events"
        " for each statement execute function refuse_to_change_events()"
    )
