"""Two migrations behind those of the server, as a next release may bring them: a test has the server know them."""

import shutil
from pathlib import Path

import pytest
from camillo_server.storage import migrate

# Takes a lock on two tables that everybody uses.
COLUMNS = """
from alembic import op

revision = "9001"
down_revision = "{before}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table api_keys add column note text not null default \\'\\'")
    op.execute("alter table memories add column is_noted boolean not null default false")


def downgrade() -> None:
    op.execute("alter table memories drop column is_noted")
    op.execute("alter table api_keys drop column note")
"""
# Fills rows in by steps that are committed one by one, and builds an index beside those who write.
ROWS = '''
from alembic import op
from sqlalchemy import text

revision = "9002"
down_revision = "9001"
branch_labels = None
depends_on = None

STEP = """
do $$
declare each_tenant text; changed bigint;
begin
    perform set_config('camillo.tenant_list', 'on', true), set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from camillo.tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        update camillo.memories m set is_noted = true
        from (
            select agent_id, memory_id from camillo.memories
            where tenant_id = each_tenant and not is_noted limit 1000
        ) s where m.tenant_id = each_tenant and m.agent_id = s.agent_id and m.memory_id = s.memory_id;
        get diagnostics changed = row_count;
        perform set_config('camillo.changed_rows', changed::text, false);
        exit when changed > 0;
    end loop;
    perform set_config('camillo.tenant_list', '', true), set_config('camillo.agent', '', true),
        set_config('camillo.tenant', '', true);
end $$
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        changed = 1
        while changed:
            op.execute("select set_config('camillo.changed_rows', '0', false)")
            op.execute(STEP)
            found = op.get_bind().execute(text("select current_setting('camillo.changed_rows')"))
            changed = int(found.scalar_one())
        op.execute("drop index concurrently if exists memories_noted_idx")
        op.execute("create index concurrently memories_noted_idx on memories (tenant_id, agent_id, updated_at)")


def downgrade() -> None:
    op.execute("drop index memories_noted_idx")
'''


def know_next_migrations(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the database that a test has one of the release before."""
    known = folder / "migrations"
    shutil.copytree(migrate.MIGRATIONS, known, ignore=shutil.ignore_patterns("__pycache__"))
    columns = COLUMNS.format(before=migrate.latest_version())
    (known / "versions" / "9001_columns.py").write_text(columns)
    (known / "versions" / "9002_rows.py").write_text(ROWS)
    monkeypatch.setattr(migrate, "MIGRATIONS", known)
