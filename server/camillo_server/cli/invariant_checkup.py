"""What the doctor's deep look finds in the database itself: rows that cannot be as they are."""

from __future__ import annotations

from collections.abc import Iterator

from camillo_server.cli.database_checkup import CONNECT_TIMEOUT_SECONDS
from camillo_server.cli.failures import one_line
from camillo_server.cli.findings import Finding, fail, ok, warn

SUBJECT = "invariants"
REPORT = "please report this, with the log of the hour before"
COUNT_ANEW = "camillo event rebuild --agent AGENT makes its chunks and counts anew"
BACKUP = "the database was changed by hand, or damaged: compare with a backup"
REMEDIES = {
    "scope_counts": COUNT_ANEW,
    "revisions": "restore one backup as a whole: servers that hold later revisions miss changes",
    "request_revisions": "wait a day: a request id is kept for so long; then as for revisions",
    "tombstones": "forget what came back once more, and restart the servers",
    "memory_parts": BACKUP,
    "versions": BACKUP,
    "vectors": f"update the memory: that makes its vector anew; of a chunk, {COUNT_ANEW}",
    "memory_sources": "update the memory's sources to what they should be: that lists them anew",
    "chunk_origins": COUNT_ANEW,
    "merged_memories": "camillo lifecycle revert COMPACTION brings the sources back",
    "compacted_sources": "archive the memory, or camillo lifecycle revert COMPACTION",
    "sources_once": "camillo lifecycle revert one of the compactions",
    "reverted_compactions": "forget the merged memory",
    "run_counters": "end the run",
    "blocked_values": "forget the memory; or camillo lifecycle lift, if it may be said",
}


def check_invariants(url: str) -> Iterator[Finding]:
    """One finding for each invariant that does not hold in a tenant, or one that all hold."""
    import psycopg

    from camillo_server.admin.store.invariants import INVARIANTS, violations

    try:
        with psycopg.connect(
            url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS
        ) as connection:
            found = [*violations(connection)]
    except psycopg.Error as error:
        yield warn(SUBJECT, f"not checked: {one_line(str(error))}", "mend the database first")
        return
    for each in found:
        named = "; ".join(each.examples)
        more = f" and {each.rows - len(each.examples)} more" * (each.rows > len(each.examples))
        what = f"{each.invariant} does not hold in {each.tenant_id}: {named}{more}"
        yield fail(SUBJECT, what, REMEDIES.get(each.invariant, REPORT))
    if not found:
        yield ok(SUBJECT, f"{len(INVARIANTS)} invariants hold")
