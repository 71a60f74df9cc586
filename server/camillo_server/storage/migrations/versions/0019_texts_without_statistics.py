"""The planner's statistics hold no texts, and records of requests none of handoffs: both outlived what was forgotten."""

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

# ANALYZE copies frequent values of a column into pg_statistic, where forgetting does not reach them. The plans do without:
# rows are found by keys (tests/storage/test_text_statistics.py).
COLUMNS = {
    "memories": (
        "content",
        "session_id",
        "tags",
        "metadata",
        "source_refs",
        "cited_refs",
        "terms",
        "term_codes",
        "fingerprint",
    ),
    "memory_history": ("content", "session_id", "tags", "metadata", "source_refs"),
    "memory_sources": ("source_ref",),
    "memory_vectors": ("embedding",),
    "events": ("session_id", "actor_id", "tags", "refs"),
    "event_refs": ("ref",),
    "decisions": ("session_id", "tags", "refs", "details"),
    "tasks": ("session_id", "tags", "refs", "details"),
    "views": ("details",),
    "recipes": ("recipe",),
    "handoffs": ("session_id", "details"),
    "runs": ("session_id", "details"),
    "run_entries": ("details",),
    "compactions": ("details",),
    "artifacts": ("session_id", "tool", "tags", "details"),
    "uploads": ("details",),
    "requests": ("request_id", "content_digest", "facts"),
}
# Statistics that ANALYZE has stored stay when a column is left out later. Before Postgres 18 only a superuser can clear
# it.
CLEAR = """
do $$
begin
    if current_setting('server_version_num')::integer >= 180000 then
        perform pg_clear_attribute_stats('camillo', '{table}', '{column}', false);
    end if;
end $$
"""
HANDOFFS = """
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    perform set_config('camillo.agent', '*', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        update requests set facts = facts - 'text' - 'tokens' where facts ? 'handoff_id' and facts ? 'text';
    end loop;
end $$
"""


def upgrade() -> None:
    for table, columns in COLUMNS.items():
        for column in columns:
            op.execute(f"alter table {table} alter column {column} set statistics 0")
            op.execute(CLEAR.format(table=table, column=column))
    op.execute(HANDOFFS)


def downgrade() -> None:
    for table, columns in COLUMNS.items():
        for column in columns:
            op.execute(f"alter table {table} alter column {column} set statistics -1")
