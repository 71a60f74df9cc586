"""Removes what deleted rows leave behind in tables and in the text index: Postgres does the first when it is worth it,
and never the second, since a GIN index keeps every word that it ever had."""

import logging

import psycopg
from psycopg import AsyncConnection, sql

# Tables whose rows have texts; vectors are left to autovacuum, since an HNSW index takes long.
TABLES = (
    "memories",
    "memory_history",
    "memory_sources",
    "row_groups",
    "events",
    "event_refs",
    "workflow_steps",
    "decisions",
    "tasks",
    "slots",
    "slot_versions",
    "documents",
    "document_versions",
    "document_texts",
    "actions",
    "views",
    "skill_versions",
    "handoffs",
    "runs",
    "run_entries",
    "compactions",
    "distillation_answers",
    "proposals",
    "spool_failures",
    "links",
    "entity_aliases",
    "requests",
)
# Millions of rows take minutes; what an interrupted one has done stays done.
VACUUM_TIMEOUT = "set statement_timeout = '1h'"
# Interrupted, it would leave an invalid index, which the owner alone can drop: it has no bound but that of the
# connection.
REINDEX_TIMEOUT = "set statement_timeout = 0"
VACUUM = sql.SQL("vacuum (skip_locked) camillo.{}")
REINDEX = "reindex index concurrently camillo.memories_terms_idx"

logger = logging.getLogger(__name__)


async def vacuum_texts(url: str, connect_seconds: float) -> None:
    """Beside readers and writers, which do not wait for it. Raises psycopg.Error."""
    connection = await AsyncConnection.connect(url, autocommit=True, connect_timeout=max(1, round(connect_seconds)))
    async with connection:
        await connection.execute(VACUUM_TIMEOUT)
        try:
            for table in TABLES:
                await connection.execute(VACUUM.format(sql.Identifier(table)))
            await connection.execute(REINDEX_TIMEOUT)
            await connection.execute(REINDEX)
        except psycopg.errors.InsufficientPrivilege:
            # Before Postgres 17 this right cannot be granted.
            logger.warning(
                "words of forgotten memories stay in the text index: the server's role may not rebuild it; as the"
                " owner, run '%s' regularly",
                REINDEX,
            )
