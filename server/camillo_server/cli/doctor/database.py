"""Checks of the database, as the role that serves: version, schema, rights, durability, jobs, large scopes, rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, LiteralString

from camillo_cli.failures import one_line
from camillo_cli.format import SHARED

from camillo_server.cli.doctor import Finding, Status, fail, ok, warn
from camillo_server.cli.doctor.languages import check_languages
from camillo_server.cli.doctor.tenants import check_failed_writes, check_quota, check_vectors
from camillo_server.storage import migrate

if TYPE_CHECKING:
    from psycopg import Connection

    from camillo_server.lib.crypto.keyring import Keyring

MAX_SKEW = timedelta(seconds=1)
CONNECT_TIMEOUT_SECONDS = 5
SUPERUSER_FIX = "as a superuser: alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof"

# Smaller scopes are fast without an index.
LARGE_SCOPE_MEMORIES = 50_000
# Text, index terms and columns, somewhat more than was measured of short texts.
BYTES_BESIDE_VECTOR = 700
SHOWN_SCOPES = 3

LARGE_SCOPES = """
select s.agent_id, s.memory_count, v.model_id, v.dimensions
from camillo.scopes s cross join lateral (
    select v.model_id, vector_dims(v.embedding) as dimensions from camillo.memory_vectors v
    where v.tenant_id = s.tenant_id and v.agent_id = s.agent_id order by v.memory_id desc limit 1
) v
where s.tenant_id = %s and s.memory_count >= %s order by s.memory_count desc, s.agent_id
"""

# Remedies for invariants that do not hold.
REPORT = "please report this, with the log of the hour before"
COUNT_ANEW = "camillo event rebuild --agent AGENT makes its chunks and counts again"
BACKUP = "the database was changed by hand, or damaged: compare with a backup"
REMEDIES = {
    "scope_counts": COUNT_ANEW,
    "revisions": "restore one backup as a whole: servers that hold later revisions miss changes",
    "request_texts": "delete these rows of camillo.requests: their requests count as new then",
    "request_revisions": "wait a day: a request id is kept for so long; then as for revisions",
    "ends_of_links": "delete these rows of camillo.links: they lead nowhere",
    "tombstones": "forget again what came back, and restart the servers",
    "memory_parts": BACKUP,
    "versions": BACKUP,
    "vectors": f"update the memory: that makes a new vector; of a chunk, {COUNT_ANEW}",
    "memory_sources": "update the memory's sources to what they should be: that lists them again",
    "corrected_sources": "update the memory to what its source says now, or archive it",
    "chunk_origins": COUNT_ANEW,
    "merged_memories": "camillo lifecycle revert COMPACTION brings the sources back",
    "compacted_sources": "archive the memory, or camillo lifecycle revert COMPACTION",
    "sources_once": "camillo lifecycle revert one of the compactions",
    "reverted_compactions": "forget the merged memory",
    "run_counters": "end the run",
    "audit_chains": "camillo audit verify tells what was done to which entries: compare with an export or a backup",
    "blocked_values": "forget the memory; or camillo lifecycle lift, if the text may be stored",
}

Check = Callable[["Connection[Any]"], Finding]


def check_database(
    url: str,
    shown: str,
    max_cached_bytes: int,
    connections: int,
    memory_quota: int = 0,
    model_id: str = "",
) -> Iterator[Finding]:
    """Connects, and runs one check after the other. A server keeps a space of at most `max_cached_bytes` in memory,
    takes at most so many connections, and searches by the vectors of this model."""
    import psycopg

    checks = CHECKS | {
        "large scopes": partial(check_large_scopes, max_bytes=max_cached_bytes),
        "quota": partial(check_quota, quota=memory_quota),
        "vectors": partial(check_vectors, model_id=model_id),
        "languages": partial(check_languages, model_id=model_id),
        "connections": partial(_check_connections, needed=connections),
    }
    try:
        with _connect(url) as connection:
            version = _check_version(connection, shown)
            yield version
            if version.status is Status.FAIL:
                # Whatever else would fail has this cause.
                return
            for subject, check in checks.items():
                yield _run_check(subject, check, connection)
    except psycopg.OperationalError as error:
        what = f"{shown} cannot be reached: {one_line(str(error))}"
        yield fail("database", what, "start it, or correct database.url")


def check_invariants(url: str, keyring: Keyring) -> Iterator[Finding]:
    """Yields a finding for each invariant that does not hold in a tenant, or one that all hold."""
    import psycopg

    from camillo_server.across.admin.store.invariants import INVARIANTS, violations

    try:
        with _connect(url) as connection:
            found = list(violations(connection, keyring))
    except psycopg.Error as error:
        what = f"not checked: {one_line(str(error))}"
        yield warn("invariants", what, "repair the database first")
        return
    for each in found:
        shown = "; ".join(each.examples)
        if (left := each.rows - len(each.examples)) > 0:
            shown += f" and {left} more"
        what = f"{each.invariant} does not hold in {each.tenant_id}: {shown}"
        yield fail("invariants", what, REMEDIES.get(each.invariant, REPORT))
    if not found:
        yield ok("invariants", f"{len(INVARIANTS)} invariants hold")


def _connect(url: str) -> Connection[Any]:
    import psycopg

    return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS)


def _run_check(subject: str, check: Check, connection: Connection[Any]) -> Finding:
    import psycopg

    try:
        return check(connection)
    except psycopg.OperationalError:
        raise
    except psycopg.Error as error:
        return fail(subject, one_line(str(error)), "give the role the rights in docs/postgres.md")


def _check_version(connection: Connection[Any], shown: str) -> Finding:
    number = connection.info.server_version // 10_000
    what = f"Postgres {number}, {shown}"
    if number < migrate.MIN_POSTGRES:
        return fail("database", what, f"Camillo needs Postgres {migrate.MIN_POSTGRES} or newer")
    return ok("database", what)


def _check_extension(connection: Connection[Any]) -> Finding:
    import psycopg

    found = _value(connection, "select extversion from pg_extension where extname = 'vector'")
    if found is None:
        return fail("pgvector", "the extension is missing", "as a superuser: create extension vector")
    try:
        connection.execute("select '[1]'::vector <#> '[1]'::vector")
    except (psycopg.errors.UndefinedFile, psycopg.errors.UndefinedFunction) as error:
        return fail(
            "pgvector",
            f"its library cannot be used: {one_line(str(error))}",
            "install the pgvector that is made for this Postgres; recalls go by words until then",
        )
    offered = _value(connection, "select default_version from pg_available_extensions where name = 'vector'")
    if offered not in (None, found):
        return warn("pgvector", f"{found}, {offered} is installed", "alter extension vector update")
    return ok("pgvector", str(found))


def _check_schema(connection: Connection[Any]) -> Finding:
    import psycopg

    from camillo_server.storage.migrate import latest_version

    latest = latest_version()
    try:
        found = _value(connection, "select version_num from camillo.schema_version")
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        found = None
    if found is None:
        return fail("schema", "there is none yet", "camillo migrate")
    if str(found) > latest:
        return fail("schema", f"{found}, this version knows {latest}", "use the version that migrated it")
    if found != latest:
        return fail("schema", f"{found}, behind {latest}", "camillo migrate")
    return ok("schema", latest)


def _check_role(connection: Connection[Any]) -> Finding:
    row = connection.execute(
        "select rolname, rolsuper, rolbypassrls from pg_roles where rolname = current_user"
    ).fetchone()
    name, is_superuser, bypasses = row or ("?", True, True)
    if is_superuser or bypasses:
        what = "superuser" if is_superuser else "BYPASSRLS"
        return fail(
            "role",
            f"{name} is {what}: the database would not keep tenants apart",
            "serve as a role that is neither superuser nor BYPASSRLS",
        )
    return ok("role", f"{name}, bound by row-level security")


def _check_leakproof(connection: Connection[Any]) -> Finding:
    is_leakproof = _value(
        connection,
        "select proleakproof from pg_proc where oid = 'pg_catalog.ts_match_vq(tsvector,tsquery)'::regprocedure",
    )
    if not is_leakproof:
        return warn("full text", "cannot use its index under row-level security: slow", SUPERUSER_FIX)
    return ok("full text", "uses its index under row-level security")


def _check_durability(connection: Connection[Any]) -> Finding:
    rows = connection.execute(
        "select name from pg_settings where setting = 'off'"
        " and name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name"
    )
    off = [name for (name,) in rows]
    if "fsync" in off or "full_page_writes" in off:
        return fail(
            "durability",
            f"{' and '.join(off)} off: a power cut loses the database",
            "turn it on in postgresql.conf",
        )
    if off:
        return warn(
            "durability",
            "synchronous_commit off: a power cut loses what was last acknowledged",
            "turn it on",
        )
    return ok("durability", "fsync on")


def _check_pages(connection: Connection[Any]) -> Finding:
    row = connection.execute(
        "select current_setting('data_checksums'), checksum_failures, checksum_last_failure"
        " from pg_stat_database where datname = current_database()"
    ).fetchone()
    checksums, failures, last = row or ("off", None, None)
    if checksums == "off":
        return warn(
            "pages",
            "no checksums: damage of a disk is not noticed",
            "pg_checksums --enable, while Postgres is stopped",
        )
    if failures:
        return fail(
            "pages",
            f"{failures} reads of damaged pages, the last at {last:%Y-%m-%d %H:%M}",
            "docs/degradation.md tells what to make again and what to restore; then select pg_stat_reset()",
        )
    return ok("pages", "checksums on, no damage found")


def _check_clock(connection: Connection[Any]) -> Finding:
    before = datetime.now(UTC)
    theirs = _value(connection, "select clock_timestamp()")
    after = datetime.now(UTC)
    # The time between the two readings of the local clock may have passed on the way.
    skew = max(before - theirs, theirs - after, timedelta())
    if skew > MAX_SKEW:
        return warn(
            "clock",
            f"{skew.total_seconds():.1f} s between this machine and the database",
            "synchronise both with a time server",
        )
    return ok("clock", "in agreement with the database")


def _check_connections(connection: Connection[Any], needed: int) -> Finding:
    from camillo_server.assembly.processes.connections import read_limits

    limits = read_limits(connection)
    servers = limits.servers(needed)
    what = f"{limits.allowed} allowed, {limits.held_by_others} held by other programs"
    if not servers:
        return warn(
            "connections",
            f"{what}: too few for the {needed} of this server",
            "raise max_connections, or lower database.pool_max",
        )
    return ok("connections", f"{what}: enough for {servers} servers or workers of {needed}")


def _check_jobs(connection: Connection[Any]) -> Finding:
    import psycopg

    from camillo_server.storage.jobs.board import SQL

    try:
        troubled = connection.execute(SQL["troubled"]).fetchall()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        return fail("jobs", "there is no queue yet", "camillo migrate")
    stuck = {task: count for task, count, _ in troubled if count}
    dead = {task: count for task, _, count in troubled if count}
    counts = ((stuck, "stuck"), (dead, "failed for good"))
    what = ", ".join(_counted(by_task, how) for by_task, how in counts if by_task)
    if stuck:
        return warn("jobs", what, "run 'camillo worker', or a server with jobs.enabled; its log says more")
    if dead:
        return warn(
            "jobs",
            what,
            "fix the cause, which the log names; then 'camillo lifecycle jobs' and 'camillo lifecycle retry JOB',"
            " otherwise each is tried again every hour",
        )
    return ok("jobs", "none failed, none stuck")


def _counted(by_task: Mapping[str, int], how: str) -> str:
    return f"{sum(by_task.values())} {how} ({', '.join(by_task)})"


def scope_bytes(memories: int, dimensions: int) -> int:
    """About the memory that a space takes in a server."""
    return memories * (2 * dimensions + BYTES_BESIDE_VECTOR)


def check_large_scopes(connection: Connection[Any], max_bytes: int) -> Finding:
    """Whether each large space has an index, or is small enough for a server to keep in memory."""
    with connection.transaction():
        slow = list(_slow_scopes(connection, max_bytes))
    if not slow:
        return ok("large scopes", "each is kept in memory or has an index")
    names = [f"{tenant}/{agent or SHARED} ({size:,})" for tenant, agent, size in slow]
    more = f" and {len(names) - SHOWN_SCOPES} more" if len(names) > SHOWN_SCOPES else ""
    tenant, agent, _ = slow[0]
    return warn(
        "large scopes",
        f"each recall compares every vector: {', '.join(names[:SHOWN_SCOPES])}{more}",
        f"camillo index create --tenant {tenant} --agent {agent!r}, or more retrieval.cache_bytes",
    )


def _slow_scopes(connection: Connection[Any], max_bytes: int) -> Iterator[tuple[str, str, int]]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants
    from camillo_server.search.store.vector_index import PREFIX, SQL, IndexedVectors

    names = {row[0] for row in connection.execute(SQL["ready_indexes"], {"prefix": PREFIX})}
    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        parameters = (tenant, LARGE_SCOPE_MEMORIES)
        for agent, size, model, dimensions in connection.execute(LARGE_SCOPES, parameters):
            index = IndexedVectors(tenant, agent, model, dimensions).index_name
            if index not in names and scope_bytes(size, dimensions) > max_bytes:
                yield tenant, agent, size


def _value(connection: Connection[Any], query: LiteralString) -> Any:
    row = connection.execute(query).fetchone()
    return None if row is None else row[0]


CHECKS: dict[str, Check] = {
    "pgvector": _check_extension,
    "schema": _check_schema,
    "role": _check_role,
    "full text": _check_leakproof,
    "durability": _check_durability,
    "pages": _check_pages,
    "jobs": _check_jobs,
    "clock": _check_clock,
    "failed writes": check_failed_writes,
}
