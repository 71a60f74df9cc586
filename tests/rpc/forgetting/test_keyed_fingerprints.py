"""Fingerprints of forgotten values are made with a key: who reads the database cannot test a guess, and a change of
keys lifts no block."""

import base64
from typing import Any

import psycopg
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Role
from camillo_server.lib.text.value_fingerprints import value_fingerprint
from camillo_server.storage.blocklist import key_blocks

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.records import record
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.tenant_keys import create_key

VALUE = "Ida wohnt in der Hafenstraße 12 🏠"
OTHER = "Ida wohnt am Schlossplatz 3 🏰"
ACME = TenantId("acme")


def keys(*letters: str) -> dict[str, Any]:
    """Settings of keys, the first one in use; `id=x` for a key with another id than its letter."""
    pairs = [(each.partition("=")[0], each[-1]) for each in letters]
    lines = [f"{name}:{base64.b64encode(key.encode() * 32).decode()}" for name, key in pairs]
    return {"encryption": {"keys": ",".join(lines)}}


async def refusal_reason(caller: Caller, text: str) -> str:
    """Why it is refused: by a single statement, in one step, and in several."""
    reasons = {(await refused(remember(caller, text))).reason for _ in range(2)}
    reasons.add((await refused(record(caller, f"Was ich sagen wollte. {text}"))).reason)
    [reason] = reasons
    return reason


def fingerprints(server: Server) -> dict[bytes, bool]:
    with psycopg.connect(server.database.superuser_url) as connection:
        rows = connection.execute("select mark, is_keyed from camillo.value_blocks").fetchall()
    return {bytes(mark): is_keyed for mark, is_keyed in rows}


async def restarted(server: Server, start_server: StartServer, *letters: str) -> Caller:
    """The caller's own agent, of a server with other keys."""
    other = await start_server(**keys(*letters))
    return other.caller(create_key(server.database, "acme", "alice", Role.WRITER, server.clock.now()))


async def test_a_value_that_is_blocked_with_a_key_stays_blocked_when_keys_change(start_server: StartServer) -> None:
    server = await start_server(**keys("a"))
    memory = await remember(server.alice, VALUE)
    await server.alice(forget(memory.memory_id))
    assert list(fingerprints(server).values()) == [True]
    assert value_fingerprint(ACME, VALUE) not in fingerprints(server)
    assert await refusal_reason(server.alice, VALUE.upper()) == "VALUE_REJECTED"
    # A new key in front of the old one.
    later = await restarted(server, start_server, "b", "a")
    assert await refusal_reason(later, VALUE) == "VALUE_REJECTED"
    assert await remember(later, OTHER)
    # The old one is retired.
    latest = await restarted(server, start_server, "b", "fingerprint=a")
    assert await refusal_reason(latest, VALUE) == "VALUE_REJECTED"


async def test_what_was_blocked_without_a_key_holds_and_is_given_one(start_server: StartServer) -> None:
    server = await start_server(**keys("a"))
    memory = await remember(server.alice, OTHER)
    await server.alice(forget(memory.memory_id))
    plain = value_fingerprint(ACME, VALUE)
    with psycopg.connect(server.database.superuser_url) as connection:
        # As a release without keyed marks keeps it.
        connection.execute(
            "insert into camillo.value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at)"
            " select tenant_id, agent_id, %s, receipt_id, blocked_at from camillo.value_blocks",
            [plain],
        )
    assert sorted(fingerprints(server).values()) == [False, True]
    assert await refusal_reason(server.alice, VALUE) == "VALUE_REJECTED"
    for _ in range(2):
        await key_blocks(server.app.kernel.database)
        assert list(fingerprints(server).values()) == [True, True]
        assert plain not in fingerprints(server)
        for text in (VALUE, OTHER):
            assert await refusal_reason(server.alice, text) == "VALUE_REJECTED"
    async with server.client(server.keys.admin, agent_id="alice") as client:
        assert await client.lifecycle.lift(VALUE) == 1
    assert await remember(server.alice, VALUE)
