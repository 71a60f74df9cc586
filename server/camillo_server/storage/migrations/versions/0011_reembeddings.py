"""Vectors of the model that is to serve next, and the jobs of a tenant."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

# Rows of the scope after `started_revision` may be served with the new vectors already; up to `done_revision` every row
# has one. `all_scopes`: scopes that come later are meant as well.
REEMBEDDINGS = """
create table reembeddings (
    tenant_id text collate "C" not null,
    agent_id text collate "C" not null,
    model_id text not null,
    started_at timestamptz not null,
    started_revision bigint not null,
    done_revision bigint not null,
    all_scopes boolean not null,
    constraint reembeddings_pkey primary key (tenant_id, agent_id),
    constraint reembeddings_scope_fkey foreign key (tenant_id, agent_id) references scopes on delete cascade
);
"""

# A text without any feature has no vector; a row with neither tells that it was looked at.
FEATURELESS = """
alter table memory_vectors
    drop constraint memory_vectors_once,
    add constraint memory_vectors_once check (num_nonnulls(embedding, sealed) <= 1);
"""

POLICY = """
alter table {table} enable row level security;
alter table {table} force row level security;
create policy tenant_isolation on {table}
    using (tenant_id = current_setting('camillo.tenant', true))
    with check (tenant_id = current_setting('camillo.tenant', true));
"""

# The jobs of the tenant that a session has entered. The queue itself can have no policy: Postgres tells a role that is
# bound by one no details of a violated constraint, and procrastinate needs them (docs/adr/jobs.md). A function and no view,
# on which a migration of procrastinate's own would fail.
JOBS = """
create function tenant_jobs() returns table (
    agent_id text, id bigint, task_name text, queue_name text, queueing_lock text, status text, attempts integer,
    scheduled_at timestamptz, worker_id bigint)
language sql stable as $$
    select j.args ->> 'agent_id', j.id, j.task_name, j.queue_name, j.queueing_lock, j.status::text, j.attempts,
        j.scheduled_at, j.worker_id
    from camillo_jobs.procrastinate_jobs j
    where j.args ->> 'tenant_id' = current_setting('camillo.tenant', true) and j.status in ('todo', 'doing', 'failed')
$$;
"""


def upgrade() -> None:
    op.execute(REEMBEDDINGS)
    op.execute(FEATURELESS)
    op.execute(POLICY.format(table="reembeddings"))
    op.execute(JOBS)


def downgrade() -> None:
    op.execute("drop function tenant_jobs()")
    op.execute("delete from memory_vectors where num_nonnulls(embedding, sealed) = 0")
    op.execute(
        "alter table memory_vectors drop constraint memory_vectors_once,"
        " add constraint memory_vectors_once check (num_nonnulls(embedding, sealed) = 1)"
    )
    op.execute("drop table reembeddings")
