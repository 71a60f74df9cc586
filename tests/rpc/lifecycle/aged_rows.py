"""Rows as an earlier release left them: their terms are the words between spaces, without stems and without what is
said by whom."""

from collections import Counter
from typing import Any

import psycopg
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.counted_terms import packed_terms
from camillo_server.rows.store.encrypted_rows import EncryptedRows, RowText
from camillo_server.storage.scopes import tsvector_text

from tests.server_fixtures import Server

SCOPE = Scope(TenantId("acme"), AgentId("alice"))
ROWS = """
select memory_id, content, key_id, sealed from camillo.memories where (tenant_id, agent_id) = (%(tenant)s, %(agent)s)
"""
CHANGE = """
update camillo.memories set term_count = %(count)s, terms = %(terms)s::tsvector, term_codes = %(codes)s, key_id = %(key_id)s,
    sealed = %(sealed)s
where memory_id = %(memory_id)s
"""  # noqa: E501
RECOUNT = """
update camillo.scopes s set term_count = (
    select coalesce(sum(m.term_count), 0) from camillo.memories m
    where (m.tenant_id, m.agent_id) = (s.tenant_id, s.agent_id))
where (tenant_id, agent_id) = (%(tenant)s, %(agent)s)
"""
STORED = """
select to_jsonb(m) - array['revision', 'sealed'] from camillo.memories m
where (tenant_id, agent_id) = (%(tenant)s, %(agent)s) order by memory_id
"""
COUNTS = """
select s.term_count, (select sum(m.term_count) from camillo.memories m
    where (m.tenant_id, m.agent_id) = (s.tenant_id, s.agent_id))::bigint
from camillo.scopes s where (tenant_id, agent_id) = (%(tenant)s, %(agent)s)
"""


def age(server: Server, scope: Scope = SCOPE) -> int:
    """Gives every row of the scope the terms of an earlier release; how many there are. No server that has read the
    scope before may answer afterwards."""
    encrypted = EncryptedRows(server.app.kernel.keyring, scope)
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute(ROWS, _key(scope)).fetchall()
        for row in rows:
            connection.execute(CHANGE, _aged(encrypted, *row))
        connection.execute(RECOUNT, _key(scope))
    return len(rows)


def stored(server: Server, scope: Scope = SCOPE) -> list[dict[str, Any]]:
    """All columns of all rows, but for their revisions and for what differs with each encryption."""
    with psycopg.connect(server.database.superuser_url) as connection:
        return [row for (row,) in connection.execute(STORED, _key(scope))]


def term_counts(server: Server, scope: Scope = SCOPE) -> tuple[int, int]:
    """How many terms the scope has, by its own count and by that of its rows."""
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute(COUNTS, _key(scope)).fetchone()
    assert row is not None
    return row[0], row[1]


def _key(scope: Scope) -> dict[str, str]:
    return {"tenant": scope.tenant_id, "agent": scope.agent_id}


def _aged(encrypted: EncryptedRows, memory_id: Any, content: str, key_id: str, sealed: bytes | None) -> dict[str, Any]:
    text = encrypted.open_text(memory_id.bytes, key_id, sealed) if sealed else None
    words = Counter((text.content.decode() if text else content).casefold().split())
    terms, codes = tsvector_text(encrypted.scope, words), packed_terms(words)
    if text:
        text = RowText(text.content, text.metadata, codes)
        key_id, sealed = encrypted.encrypt_text(memory_id.bytes, text)
        terms, codes = "", b""
    return {
        "memory_id": memory_id,
        "count": words.total(),
        "terms": terms,
        "codes": codes,
        "key_id": key_id,
        "sealed": sealed,
    }
