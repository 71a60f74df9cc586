"""The queue of background jobs."""

import psycopg
from alembic import op
from camillo_server.storage.migrations import jobs_schema

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The driver's connection, since SQLAlchemy would take percent signs and colons in procrastinate's SQL for its own.
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, psycopg.Connection)  # noqa: S101
    jobs_schema.install(connection)


def downgrade() -> None:
    op.execute("drop schema camillo_jobs cascade")
