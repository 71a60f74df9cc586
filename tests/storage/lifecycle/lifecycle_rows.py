"""A row in every table of compactions, runs, new vectors and failed writes, for tests that look at all tables."""

from datetime import UTC, datetime
from uuid import uuid4

import psycopg

from tests.postgres_fixtures import TestDatabase

STATEMENTS = (
    "insert into camillo.compactions (tenant_id, agent_id, compaction_id, state, reason, refusal, sensitivity, "
    "source_ids,"
    " source_versions, summary_model_id, created_at, key_id, details)"
    " select tenant_id, agent_id, %(id)s, 1, 1, 0, 2, '{}', '{}', '', %(now)s, '', '{}' from camillo.scopes",
    "insert into camillo.memory_sources (tenant_id, agent_id, source_ref, memory_id)"
    " select tenant_id, agent_id, 'log_1', memory_id from camillo.memories where kind < 16",
    "insert into camillo.stale_memories (tenant_id, agent_id, memory_id, version, source_ref, since)"
    " select tenant_id, agent_id, memory_id, 1, 'log_1', %(now)s from camillo.memories where kind < 16",
    "insert into camillo.runs (tenant_id, agent_id, run_id, session_id, sensitivity, max_tokens, idle_seconds, rounds,"
    " instructions, bytes, started_at, active_at, ends_at, key_id, details)"
    " select tenant_id, agent_id, %(id)s, '', 2, 1, 1, 0, 1, 1, %(now)s, %(now)s, %(now)s, '', '{}'"
    " from camillo.scopes",
    "insert into camillo.run_entries (tenant_id, agent_id, run_id, kind, place, appended_at, key_id, details)"
    " select tenant_id, agent_id, %(id)s, 2, 0, %(now)s, '', '{}' from camillo.scopes",
    "insert into camillo.reembeddings (tenant_id, agent_id, model_id, started_at, started_revision, done_revision,"
    " all_scopes) select tenant_id, agent_id, 'm', %(now)s, 0, 0, false from camillo.scopes",
    "insert into camillo.spool_failures (tenant_id, agent_id, spool_id, method, request_id, content_digest, "
    "has_request_id,"
    " caller, accepted_at, byte_count, reason, message, failed_at, key_id, details)"
    " select tenant_id, agent_id, %(id)s, 'MemoryService.Remember', '', '', false, '{}', %(now)s, 1, "
    "'QUOTA_EXCEEDED', '',"
    " %(now)s, '', '{}' from camillo.scopes",
)


def keep_lifecycles(database: TestDatabase) -> None:
    """Stores rows of lifecycles in each scope that there is."""
    values = {"id": uuid4(), "now": datetime(2030, 1, 1, tzinfo=UTC)}
    with psycopg.connect(database.superuser_url) as superuser:
        for statement in STATEMENTS:
            superuser.execute(statement, values)
