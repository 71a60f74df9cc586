"""Slots: what is set under a key, by its newest version and its history."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import UNAVAILABLE

from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.slot_pb2 import ProvenanceKind
from camillo_client import AsyncCamillo, Camillo, SecretRedacted, errors, new_slot, provenance, to_dict

KEY = "/user/calendar/2026-02-23_10-00_牙科复诊"
NOON = datetime.datetime(2026, 2, 23, 12, tzinfo=datetime.UTC)


async def test_json_text_is_sent_as_it_is_and_other_values_as_their_json(
    client: AsyncCamillo, server: FakeServer
) -> None:
    text = '{"b": 1.0,  "a": "e\u0301 שלום 🍵"}\n'
    contents: list[tuple[Any, str]] = [
        (text, text),
        ({"text": "牙科 🦷", "n": 1.0}, '{"text": "牙科 🦷", "n": 1.0}'),
        ([1, True], "[1, true]"),
        ({}, "{}"),
        (0, "0"),
        (None, "null"),
    ]
    for content, sent in contents:
        slot = await client.slots.set_memory(KEY, content, "chat")
        assert (slot.key, slot.json_content) == (KEY, sent)
    requests = server.desk.of("SetMemory")
    assert [request.json_content for request in requests] == [sent for _, sent in contents]
    assert {request.source.text for request in requests} == {"chat"}
    assert not any(request.HasField("if_version") for request in requests)
    assert len({request.request_id for request in requests}) == len(contents)
    with pytest.raises(ValueError, match="JSON compliant"):
        await client.slots.set_memory(KEY, float("nan"), "chat")


async def test_many_are_written_in_order_and_in_batches(client: AsyncCamillo, server: FakeServer) -> None:
    slots = [new_slot(f"{KEY}/{number % 120}", {"n": number}, "chat") for number in range(130)]
    slots[0] = new_slot(KEY, None, "chat", if_version=3, sensitivity="public", occurred_at=NOON)
    written = await client.slots.set_many(slots, request_id="r")
    assert [slot.key for slot in written] == [slot.key for slot in slots]
    assert [slot.version for slot in written[119:123]] == [1, 1, 2, 2]
    first, second = server.desk.of("BatchSetMemory")
    assert [first.request_id, second.request_id] == ["r", "r.1"]
    assert [*first.slots, *second.slots] == slots
    assert (slots[0].json_content, slots[0].if_version) == ("null", 3)
    assert slots[0].sensitivity == Sensitivity.SENSITIVITY_PUBLIC
    assert slots[0].occurred_at.ToDatetime(datetime.UTC) == NOON
    with pytest.warns(SecretRedacted, match="content"):
        await client.slots.set_many([new_slot(KEY, '"#"', "chat")])


async def test_a_batch_that_fails_names_the_id_to_repeat_it_with(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("BatchSetMemory", *[UNAVAILABLE] * 4)
    with pytest.raises(errors.StorageUnavailable) as raised:
        await client.slots.set_many([new_slot(KEY, "1", "chat")])
    sent = {batch.request_id for batch in server.desk.of("BatchSetMemory")}
    assert sent == {raised.value.request_id}


async def test_a_source_is_words_or_a_provenance(client: AsyncCamillo, server: FakeServer) -> None:
    source = provenance(
        "web", "example.com", retrieved_at=NOON, locator={"url": "https://example.com/茶", "at": [1, {"b": 2}]}
    )
    with pytest.warns(SecretRedacted, match="content"):
        await client.slots.set_memory("/kb/tea", '"#"', source, sensitivity="confidential")
    (request,) = server.desk.of("SetMemory")
    sent = request.source.provenance
    assert (sent.kind, sent.name) == (ProvenanceKind.PROVENANCE_KIND_WEB, "example.com")
    assert sent.retrieved_at.ToDatetime(datetime.UTC) == NOON
    assert to_dict(sent.locator) == {"url": "https://example.com/茶", "at": [1, {"b": 2}]}
    assert request.sensitivity == Sensitivity.SENSITIVITY_CONFIDENTIAL
    with pytest.raises(errors.ProvenanceRequired) as refused:
        await client.slots.set_memory("/kb/tea", "1", provenance("web", "example.com"))
    assert refused.value.metadata == {"missing": "locator"}
    with pytest.raises(ValueError, match="user, agent, tool"):
        provenance("rumour")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="retrieved_at has no timezone"):
        provenance("web", retrieved_at=datetime.datetime(2026, 1, 1))  # noqa: DTZ001


async def test_a_write_of_a_version_that_has_moved_on_is_a_conflict(client: AsyncCamillo) -> None:
    assert (await client.slots.set_memory(KEY, "1", "chat", if_version=0)).version == 1
    assert (await client.slots.set_memory(KEY, "2", "chat", if_version=1)).version == 2
    with pytest.raises(errors.VersionConflict) as refused:
        await client.slots.set_memory(KEY, "3", "chat", if_version=0)
    assert (refused.value.expected, refused.value.actual) == (0, 2)
    with pytest.raises(errors.VersionConflict):
        await client.slots.restore(KEY, 1, if_version=1)
    assert (await client.slots.restore(KEY, 1, if_version=2)).json_content == "1"
    assert (await client.slots.get(KEY)).version == 3


async def test_a_tombstone_is_in_the_history_alone(client: AsyncCamillo) -> None:
    for content in ("1", "2", None):
        await client.slots.set_memory(KEY, content, "chat")
    with pytest.raises(errors.SlotNotFound) as missing:
        await client.slots.get(KEY)
    assert missing.value.metadata == {"name": KEY}
    versions = [slot async for slot in client.slots.history(KEY, page_size=2)]
    assert [(slot.version, slot.valid) for slot in versions] == [(3, False), (2, True), (1, True)]
    assert [entry.key async for entry in client.slots.list("/user")] == []
    assert (await client.slots.restore(KEY, 2)).version == 4
    assert [entry.key async for entry in client.slots.list("/user")] == [KEY]


async def test_slots_are_listed_over_all_pages(client: AsyncCamillo, server: FakeServer) -> None:
    for name in "edcba":
        await client.slots.set_memory(f"/user/{name}", "1", "chat")
    await client.slots.set_memory("/agent/x", "1", "chat")
    listed = client.slots.list(
        "/user",
        page_size=2,
        channel="team",
        shared=True,
        one_level=True,
        types=["reminder"],
        tags_any=["茶"],
        updated_since=NOON,
        trigger_before=NOON,
    )
    assert [entry.key async for entry in listed] == [f"/user/{name}" for name in "abcde"]
    requests = server.desk.of("ListSlots")
    assert len(requests) == 3
    first = requests[0]
    assert (first.one_level, first.shared, first.channel) == (True, True, 3)
    assert (list(first.types), list(first.tags_any)) == (["reminder"], ["茶"])
    assert first.updated_since == first.trigger_before
    with pytest.raises(TypeError, match="types takes a list of texts, not a single text"):
        await anext(client.slots.list(types="reminder"))
    with pytest.raises(TypeError, match="no keyword prefixes"):
        await anext(client.slots.list(prefixes=["/a"]))  # type: ignore[call-arg]


async def test_an_export_goes_on_behind_the_last_message_after_a_break(
    client: AsyncCamillo, server: FakeServer
) -> None:
    for key, content in ((KEY, "1"), ("/user/茶", "2"), (KEY, "3"), ("/user/🍵", "4")):
        await client.slots.set_memory(key, content, "chat")
    server.slots.breaks = 2
    exported = [slot.json_content async for slot in client.slots.export("/user", shared=True)]
    assert exported == ["1", "3", "2", "4"]
    requests = server.desk.of("ExportSlots")
    assert [request.page_token for request in requests] == ["", "1", "2"]
    assert {(request.prefix, request.shared) for request in requests} == {("/user", True)}
    newest = [slot async for slot in client.slots.export(newest_only=True, channel="team")]
    assert [slot.json_content for slot in newest] == ["3", "2", "4"]
    assert server.desk.of("ExportSlots")[-1].channel == 3


async def test_an_export_that_never_begins_fails(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("ExportSlots", UNAVAILABLE)
    with pytest.raises(errors.Unavailable):
        await anext(client.slots.export())


async def test_its_writes_are_the_clients_own(client: AsyncCamillo, server: FakeServer) -> None:
    await client.slots.set_memory(KEY, "1", "chat")
    await client.recall("tea")
    await client.slots.restore(KEY, 1)
    await client.recall("tea")
    tokens = [request.freshness.at_least_as_fresh.token for request in server.desk.of("Recall")]
    assert tokens == ["db1/ada/1", "db1/ada/2"]


def test_the_sync_twin_does_the_same(sync_client: Camillo) -> None:
    sync_client.slots.set_memory(KEY, {"text": "tea"}, "chat")
    sync_client.slots.set_memory(KEY, None, "drunk", if_version=1)
    assert [slot.version for slot in sync_client.slots.history(KEY)] == [2, 1]
    assert sync_client.slots.restore(KEY, 1).json_content == '{"text": "tea"}'
    assert [entry.key for entry in sync_client.slots.list()] == [KEY]
    assert sync_client.slots.get(KEY).version == 3
    assert [slot.version for slot in sync_client.slots.export()] == [1, 2, 3]
