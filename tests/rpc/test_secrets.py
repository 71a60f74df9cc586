"""Secrets: taken out in every way in which a memory is written, told to the caller, and found nowhere afterwards."""

import logging
from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from psycopg import sql

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import found_by_words, get, recall, remember
from tests.rpc.memories.test_update import update
from tests.secret_samples import samples
from tests.server_fixtures import Server

# Stands beside every secret and is looked for in the same way.
CONTROL = "wisteria"
SECRETS = samples(7)
PAT = SECRETS["github-pat"]


def stored_texts(database: TestDatabase) -> str:
    """Every row of every table of the server, as text."""
    with psycopg.connect(database.superuser_url) as connection:
        tables = connection.execute(
            "select schemaname, tablename from pg_tables where schemaname in ('camillo', 'camillo_jobs')"
        ).fetchall()
        rows = [
            row
            for table in tables
            for (row,) in connection.execute(sql.SQL("select t::text from {} t").format(sql.Identifier(*table)))
        ]
    return "\n".join(rows)


def assert_nowhere(database: TestDatabase, secrets: Sequence[str]) -> None:
    stored = stored_texts(database)
    assert CONTROL in stored
    assert not [secret for secret in secrets if any(line in stored for line in telling_lines(secret))]


def telling_lines(secret: str) -> list[str]:
    """Lines of a secret without those around a private key, which are the same for all."""
    return [line for line in secret.splitlines() if not line.startswith("-----")]


async def test_no_secret_is_stored_and_the_caller_is_told(
    server: Server, database: TestDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for kind, secret in SECRETS.items():
        new = pb.NewMemory(content=f"鍵 🔑 {secret} {CONTROL}", tags=["t", "x" + CONTROL])
        answer = await server.alice(service.RememberRequest(memory=new, request_id=f"once {kind}"))
        again = await server.alice(service.RememberRequest(memory=new, request_id=f"once {kind}"))
        assert again == answer, kind
        told = [(each.field, each.kind, each.offset) for each in answer.redactions]
        assert told == [("content", kind, 4)]
        assert answer.memory.content.startswith("鍵 🔑 [redacted"), kind
        assert answer.memory.content.endswith(f"] {CONTROL}"), kind
        assert (await get(server.alice, answer.memory.memory_id)).content == answer.memory.content, kind
    assert_nowhere(database, [*SECRETS.values()])
    logging.getLogger("camillo_server").debug(CONTROL)
    assert CONTROL in caplog.text
    said = [kind for kind, secret in SECRETS.items() if any(line in caplog.text for line in telling_lines(secret))]
    assert not said


async def test_every_field_that_a_caller_writes_is_looked_through(server: Server, database: TestDatabase) -> None:
    new = pb.NewMemory(
        content=f"{CONTROL} {PAT}",
        session_id=f"session {SECRETS['npm-access-token']}",
        tags=["plain", SECRETS["aws-access-token"], SECRETS["aws-access-token"][:4] + "OTHER"],
        source_refs=[f"https://x:{SECRETS['gitlab-pat']}@git.example.org/r"],
    )
    new.metadata.update({"password": "q8Zt2Lw9PmX4vB7n", SECRETS["gcp-api-key"]: 1, "plain": "窓側"})
    answer = await server.alice(service.RememberRequest(memory=new))
    told = {(each.field, each.kind) for each in answer.redactions}
    assert told == {
        ("content", "github-pat"),
        ("session_id", "npm-access-token"),
        ("tags[1]", "aws-access-token"),
        ("source_refs[0]", "gitlab-pat"),
        ("metadata key", "gcp-api-key"),
        ("metadata.password", "generic-api-key"),
    }
    memory = answer.memory
    assert memory.tags == ["plain", "[redacted]", SECRETS["aws-access-token"][:4] + "OTHER"]
    assert memory.source_refs == ["https://x:[redacted: gitlab-pat]@git.example.org/r"]
    assert memory.metadata["plain"] == "窓側"
    assert "q8Zt2Lw9PmX4vB7n" not in str(memory)
    secrets = [SECRETS[kind] for _, kind in told if kind in SECRETS]
    assert_nowhere(database, [*secrets, "q8Zt2Lw9PmX4vB7n"])


async def test_a_batch_tells_of_each_memory(server: Server, database: TestDatabase) -> None:
    texts = [CONTROL, f"two {PAT} {SECRETS['jwt']}", ""]
    request = service.BatchRememberRequest(memories=[pb.NewMemory(content=text) for text in texts])
    plain, found, refused = (await server.alice(request)).results
    assert (plain.memory.content, list(plain.redactions)) == (CONTROL, [])
    assert [each.kind for each in found.redactions] == ["github-pat", "jwt"]
    assert refused.HasField("error")
    assert_nowhere(database, [PAT, SECRETS["jwt"]])


async def test_an_update_brings_none_in(server: Server, database: TestDatabase) -> None:
    before = await remember(server.alice, CONTROL)
    answer = await server.alice(update(before.memory_id, 1, content=f"now {PAT}", tags=[PAT]))
    assert answer.memory.content == "now [redacted: github-pat]"
    assert [each.field for each in answer.redactions] == ["content", "tags[0]"]
    untouched = await server.alice(update(before.memory_id, 2, pinned=True))
    assert not untouched.redactions
    assert_nowhere(database, [PAT])


async def test_an_import_brings_none_in(server: Server, database: TestDatabase) -> None:
    async def messages() -> AsyncIterator[service.ImportMemoriesRequest]:
        for number in range(3):
            memory = pb.Memory(content=f"{number} {CONTROL} {PAT}")
            yield service.ImportMemoriesRequest(memories=[memory, pb.Memory(content=f"n{number}")])

    answer = await server.alice.send(messages())
    assert answer.imported == 6
    assert dict(answer.redactions) == {"github-pat": 3}
    assert_nowhere(database, [PAT])


async def test_what_surrounded_a_secret_is_recalled(server: Server) -> None:
    await remember(server.alice, f"the deploy key of the wisteria cluster is {PAT}")
    assert await found_by_words(server.alice, "wisteria cluster")
    [hit] = (await recall(server.alice, "deploy key")).hits
    assert hit.memory.content.endswith("is [redacted: github-pat]")
