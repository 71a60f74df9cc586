"""Secrets in slots are taken out of contents and sources, and refused in keys; sensitive contents are encrypted at
rest."""

import json

import pytest
from camillo.v1 import memory_pb2
from camillo.v1 import slot_pb2 as pb

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import recall
from tests.rpc.slots.calls import get_slot, history, listed, provenance, set_memory, setting
from tests.rpc.test_secrets import CONTROL, assert_nowhere, stored_texts
from tests.secret_samples import samples
from tests.server_fixtures import Server, refused

ENCRYPTED = (memory_pb2.SENSITIVITY_CONFIDENTIAL, memory_pb2.SENSITIVITY_RESTRICTED)
SECRETS = samples(11)
PAT = SECRETS["github-pat"]


async def test_no_secret_of_a_slot_is_stored_and_the_caller_is_told(server: Server, database: TestDatabase) -> None:
    for number, (kind, secret) in enumerate(SECRETS.items()):
        content = {"n": [1, {"said": f"鍵 {secret} {CONTROL}"}], secret: CONTROL}
        spelled = json.dumps(content).replace('"n": [1,', '"n" : [1.0,')
        answer = await server.alice(setting(f"/user/x{number}", spelled))
        fields = [(each.field, each.kind) for each in answer.redactions]
        assert ("json_content.n[1].said", kind) in fields
        assert ("json_content key", kind) in fields
        left = answer.slot.json_content
        assert left.startswith('{"n":[1.0,{"said":"鍵 [redacted'), kind
        assert CONTROL in json.loads(left)["n"][1]["said"], kind
        assert await get_slot(server.alice, f"/user/x{number}") == answer.slot, kind
    assert_nowhere(database, [*SECRETS.values()])


async def test_a_secret_of_a_source_is_taken_out(server: Server, database: TestDatabase) -> None:
    said = f"{CONTROL} {PAT}"
    words = await server.alice(setting("/a", "1", source=pb.SlotSource(text=said)))
    assert [each.field for each in words.redactions] == ["source.text"]
    web = provenance(pb.PROVENANCE_KIND_WEB, name=said, locator={"deep": {"url": said}})
    told = await server.alice(setting("/a", "1", source=web))
    assert [each.field for each in told.redactions] == ["source.provenance.name", "source.provenance.locator.deep.url"]
    assert CONTROL in told.slot.source.provenance.name
    assert_nowhere(database, [PAT])


async def test_the_last_name_of_a_key_tells_what_its_content_is(server: Server, database: TestDatabase) -> None:
    await set_memory(server.alice, "/x", f'"{CONTROL}"')
    password = "Kx9" + "vTq2LmZ7Rw4"
    answer = await server.alice(setting("/service/api_key", f'"{password}"'))
    assert [each.field for each in answer.redactions] == ["json_content"]
    assert_nowhere(database, [password])


async def test_a_key_with_a_secret_is_refused(server: Server, database: TestDatabase) -> None:
    await set_memory(server.alice, "/x", f'"{CONTROL}"')
    told = await refused(set_memory(server.alice, f"/user/{PAT}/x", "1"))
    assert (told.reason, told.fields) == ("INVALID_FIELD", ("key",))
    assert PAT not in told.message
    assert await listed(server.alice) == ["/x"]
    assert_nowhere(database, [PAT])


@pytest.mark.parametrize("level", ENCRYPTED)
async def test_sensitive_content_is_encrypted_at_rest_in_every_version(
    server: Server, database: TestDatabase, level: memory_pb2.Sensitivity
) -> None:
    await set_memory(server.alice, "/open", '"a wisteria in the clear"')
    web = provenance(pb.PROVENANCE_KIND_WEB, locator={"url": "https://kumquat.example"})
    first = await set_memory(server.alice, "/user/x", '{"said":"a xylophone"}', sensitivity=level, source=web)
    second = await set_memory(server.alice, "/user/x", '"a marimba"', sensitivity=level)
    stored = stored_texts(database)
    assert CONTROL in stored
    for word in ("xylophone", "marimba", "kumquat"):
        assert word not in stored
    assert await history(server.alice, "/user/x") == [second, first]


@pytest.mark.caches
@pytest.mark.parametrize("level", ENCRYPTED)
async def test_sensitive_content_is_found_in_memory(server: Server, level: memory_pb2.Sensitivity) -> None:
    await set_memory(server.alice, "/open", '"a wisteria in the clear"')
    sensitive = await set_memory(server.alice, "/user/x", '"a marimba"', sensitivity=level)
    [hit] = (await recall(server.alice, "marimba", sources=[memory_pb2.SOURCE_SLOT])).hits[:1]
    assert hit.chunk.origin_id == sensitive.slot_id
