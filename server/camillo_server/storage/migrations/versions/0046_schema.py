"""The whole schema, as `schema/*.sql` has it, behind the queue of background jobs that its policies are about.

Its number is that of the last of the migrations that it took the place of: a database that has them all goes on as it
is."""

from pathlib import Path

import psycopg
from alembic import op
from camillo_server.storage.migrations import jobs_schema

revision = "0046"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = Path(__file__).parents[1] / "schema"


def upgrade() -> None:
    # The driver's connection, since SQLAlchemy would take percent signs and colons in the SQL for its own.
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, psycopg.Connection)  # noqa: S101
    jobs_schema.install(connection)
    for path in sorted(SCHEMA.glob("*.sql")):
        connection.execute(path.read_bytes())


def downgrade() -> None:
    raise NotImplementedError("nothing comes before the first migration")
