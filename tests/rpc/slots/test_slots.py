"""Slots: the last write of a key is in force, every version stays, and keys are walked like directories."""

import asyncio
import json

import grpc
import pytest
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service

from tests.rpc.memories.calls import recall
from tests.rpc.slots.calls import CHAT, get_slot, history, listed, set_memory, setting
from tests.server_fixtures import Caller, Server, refused

STYLE = "/user/preference/style"


async def found(caller: Caller, text: str, **fields: object) -> list[str]:
    """The keys of the slots that a recall finds."""
    answer = await recall(caller, text, sources=[memory_pb2.SOURCE_SLOT], **fields)
    return [hit.chunk.text.partition("\n")[0] for hit in answer.hits]


async def test_content_is_kept_byte_for_byte_and_answers_say_what_it_tells(server: Server) -> None:
    content = (
        '{ "z": 1.0, "a" : 1e400,\n "type":"note","tags":["x","x",7],"importance": 6,'
        ' "summary":"用户喜欢中文","expired_at":"2031-01-01T00:00:00Z","trigger_at":"soon"}'
    )
    request = setting("//user/preference//style/", content, request_id="once")
    answer = await server.alice(request)
    assert await server.alice(request) == answer
    slot = answer.slot
    assert (slot.key, slot.version, slot.valid, slot.agent_id) == (STYLE, 1, True, "alice")
    assert slot.json_content == content
    assert (slot.type, list(slot.tags), slot.summary) == ("note", ["x"], "用户喜欢中文")
    assert slot.importance == pytest.approx(0.6)
    assert slot.expired_at.ToJsonString() == "2031-01-01T00:00:00Z"
    assert not slot.HasField("trigger_at")
    assert slot.source == CHAT
    assert await get_slot(server.reader, STYLE) == slot


async def test_the_last_write_is_in_force_and_every_version_stays(server: Server) -> None:
    first = await set_memory(server.alice, STYLE, '"short"')
    second = await set_memory(server.alice, STYLE, '"long"')
    gone = await set_memory(server.alice, STYLE, " null ")
    assert [each.version for each in (first, second, gone)] == [1, 2, 3]
    assert not gone.valid
    assert len({each.slot_id for each in (first, second, gone)}) == 1
    told = await refused(get_slot(server.alice, STYLE))
    assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "SLOT_NOT_FOUND")
    assert told.metadata == {"name": STYLE}
    assert await listed(server.alice) == []
    assert await history(server.alice, STYLE) == [gone, second, first]

    request = service.RestoreSlotRequest(key=STYLE, version=1, request_id="back")
    answer = await server.alice(request)
    assert await server.alice(request) == answer
    assert (answer.slot.version, answer.slot.json_content) == (4, '"short"')
    assert await get_slot(server.alice, STYLE) == answer.slot
    missing = service.RestoreSlotRequest(key=STYLE, version=9)
    assert (await refused(server.alice(missing))).reason == "SLOT_NOT_FOUND"
    assert (await refused(history(server.alice, "/nothing"))).reason == "SLOT_NOT_FOUND"


async def test_a_history_is_read_in_pages(server: Server) -> None:
    for number in range(5):
        await set_memory(server.alice, STYLE, str(number))
    request = service.ListSlotHistoryRequest(key=STYLE, page_size=2)
    read = []
    while True:
        answer = await server.alice(request)
        read += [each.json_content for each in answer.versions]
        if not answer.next_page_token:
            break
        request.page_token = answer.next_page_token
    assert read == ["4", "3", "2", "1", "0"]


async def test_a_write_may_demand_the_version_that_its_caller_has_read(server: Server) -> None:
    await set_memory(server.alice, STYLE, "1", if_version=0)
    for stale in (0, 2):
        told = await refused(set_memory(server.alice, STYLE, "2", if_version=stale))
        assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
        versions = {"expected_version": str(stale), "actual_version": "1"}
        assert told.metadata == {**versions, "name": STYLE}
    writes = (set_memory(server.alice, STYLE, "2", if_version=1) for _ in range(8))
    done = await asyncio.gather(*writes, return_exceptions=True)
    assert sum(isinstance(each, pb.Slot) for each in done) == 1
    assert (await get_slot(server.alice, STYLE)).version == 2


async def test_writers_of_one_key_lose_no_version(server: Server) -> None:
    await asyncio.gather(*(set_memory(server.alice, STYLE, str(n)) for n in range(40)))
    versions = await history(server.alice, STYLE, page_size=200)
    assert [each.version for each in versions] == list(range(40, 0, -1))
    assert {each.json_content for each in versions} == {str(n) for n in range(40)}


KEYS = ("/a", "/a b", "/a/b", "/a/b/c", "/a/d", "/a.x", "/b/c/d", "/ä", "/z")


async def test_keys_are_walked_like_directories(server: Server) -> None:
    for key in reversed(KEYS):
        await set_memory(server.alice, key, "{}")
    await set_memory(server.alice, "/gone/away", "1")
    await set_memory(server.alice, "/gone/away", "null")
    every = ["/a", "/a/b", "/a/b/c", "/a/d", "/a b", "/a.x", "/b/c/d", "/z", "/ä"]
    assert await listed(server.alice) == every
    assert await listed(server.alice, "/") == every
    assert await listed(server.alice, "/a") == every[:4]
    assert await listed(server.alice, "/a/") == every[:4]
    assert await listed(server.alice, "/nothing") == []
    top = ["/a/", "/a b", "/a.x", "/b/", "/z", "/ä"]
    assert await listed(server.alice, one_level=True) == top
    assert await listed(server.alice, "/a", one_level=True) == ["/a/b/", "/a/d"]
    assert await listed(server.alice, "/b", one_level=True) == ["/b/c/"]
    for one_level, expected in ((False, every), (True, top)):
        request = service.ListSlotsRequest(one_level=one_level, page_size=2)
        read: list[str] = []
        while True:
            answer = await server.alice(request)
            assert len(answer.entries) <= 2
            read += [e.key + ("/" if e.is_directory else "") for e in answer.entries]
            if not answer.next_page_token:
                break
            request.page_token = answer.next_page_token
        assert read == expected
    [top_a, *_] = (await server.alice(service.ListSlotsRequest(one_level=True))).entries
    assert (top_a.slot.key, top_a.is_directory) == ("/a", True)


async def test_a_page_that_would_be_too_long_ends_early(server: Server) -> None:
    large = json.dumps("x" * 65_000)
    keys = [f"/large/{number:03}" for number in range(60)]
    for key in keys:
        await set_memory(server.alice, key, large)
    for one_level in (False, True):
        request = service.ListSlotsRequest(prefix="/large", one_level=one_level, page_size=1_000)
        pages = [await server.alice(request)]
        while pages[-1].next_page_token:
            request.page_token = pages[-1].next_page_token
            pages.append(await server.alice(request))
        assert len(pages) > 1
        assert [entry.key for page in pages for entry in page.entries] == keys


async def test_lists_are_filtered(server: Server) -> None:
    reminder = {"type": "reminder", "tags": ["health"], "trigger_at": "2026-02-23T10:00:00-08:00"}
    slot = await set_memory(server.alice, "/c/dentist", json.dumps(reminder))
    await set_memory(server.alice, "/c/note", '{"type":"note"}')
    assert await listed(server.alice, types=["reminder", "x"]) == ["/c/dentist"]
    assert await listed(server.alice, tags_any=["health"]) == ["/c/dentist"]
    assert await listed(server.alice, types=["x"]) == []
    assert await listed(server.alice, one_level=True, types=["note"]) == ["/c/"]
    due = slot.trigger_at
    assert await listed(server.alice, trigger_before=due) == ["/c/dentist"]
    due.seconds -= 1
    assert await listed(server.alice, trigger_before=due) == []
    since = slot.updated_at
    assert await listed(server.alice, updated_since=since) == ["/c/dentist", "/c/note"]
    since.seconds += 1
    assert await listed(server.alice, updated_since=since) == []


async def test_scopes_are_apart_and_every_agent_reads_the_shared_one(server: Server) -> None:
    await set_memory(server.alice, STYLE, '"alice"')
    await set_memory(server.admin, STYLE, '"shared"', agent_id="@shared")
    await set_memory(server.admin, STYLE, '"bob"', agent_id="bob")
    assert (await get_slot(server.alice, STYLE)).json_content == '"alice"'
    shared = await get_slot(server.alice, STYLE, shared=True)
    assert (shared.json_content, shared.agent_id) == ('"shared"', "")
    assert await listed(server.alice, shared=True) == [STYLE]
    assert len(await history(server.alice, STYLE, shared=True)) == 1
    assert (await refused(get_slot(server.rival, STYLE))).reason == "SLOT_NOT_FOUND"
    assert await listed(server.rival, shared=True) == []
    told = await refused(get_slot(server.alice, STYLE, agent_id="bob"))
    assert told.reason == "SCOPE_FORBIDDEN"
    told = await refused(set_memory(server.alice, STYLE, "1", agent_id="@shared"))
    assert told.reason == "SCOPE_FORBIDDEN"
    told = await refused(set_memory(server.reader, STYLE, "1"))
    assert told.reason == "SCOPE_FORBIDDEN"
    restricted = memory_pb2.SENSITIVITY_RESTRICTED
    told = await refused(set_memory(server.admin, "/x", "1", agent_id="@shared", sensitivity=restricted))
    assert told.reason == "INVALID_FIELD"


LEVELS = {
    memory_pb2.SENSITIVITY_PUBLIC: {"public", "private", "team", "agent"},
    memory_pb2.SENSITIVITY_INTERNAL: {"private", "team", "agent"},
    memory_pb2.SENSITIVITY_CONFIDENTIAL: {"private", "team"},
    memory_pb2.SENSITIVITY_RESTRICTED: {"private"},
}


CHANNELS = (channels.CHANNEL_PUBLIC, channels.CHANNEL_PRIVATE, channels.CHANNEL_TEAM, channels.CHANNEL_AGENT)


@pytest.mark.caches
async def test_a_channel_loads_its_levels_alone_in_every_answer(server: Server) -> None:
    keys = {level: f"/level/{level}" for level in LEVELS}
    for level, key in keys.items():
        await set_memory(server.alice, key, '"a xylophone"', sensitivity=level)
    preference = '{"type":"preference","text":"a xylophone"}'
    public = memory_pb2.SENSITIVITY_PUBLIC
    await set_memory(server.alice, "/level/p", preference, sensitivity=public)
    for channel in CHANNELS:
        name = channels.Channel.Name(channel)
        own = name.removeprefix("CHANNEL_").lower()
        expected = {key for level, key in keys.items() if own in LEVELS[level]}
        if own != "public":
            expected.add("/level/p")
        assert set(await listed(server.alice, channel=channel)) == expected
        assert set(await found(server.alice, "xylophone", channel=channel)) == expected
        one = await listed(server.alice, "/level", channel=channel, one_level=True)
        assert set(one) == expected
        for key in (*keys.values(), "/level/p"):
            calls = (get_slot(server.alice, key, channel=channel), history(server.alice, key, channel=channel))
            for call in calls:
                if key in expected:
                    assert await call
                else:
                    assert (await refused(call)).reason == "SLOT_NOT_FOUND"
            if key not in expected:
                back = service.RestoreSlotRequest(key=key, version=1, channel=channel)
                assert (await refused(server.alice(back))).reason == "SLOT_NOT_FOUND"


async def test_slots_are_found_by_their_texts_and_keys_while_they_are_in_force(server: Server) -> None:
    key = "/user/calendar/牙科复诊"
    await set_memory(server.alice, key, '{"text":"明天10点 xylophone lesson"}')
    assert await found(server.alice, "xylophone") == [key]
    assert await found(server.alice, "牙科复诊") == [key]
    [hit] = (await recall(server.alice, "xylophone", sources=[memory_pb2.SOURCE_SLOT])).hits
    assert hit.source == memory_pb2.SOURCE_SLOT
    assert hit.chunk.origin_id == (await get_slot(server.alice, key)).slot_id
    assert not (await recall(server.alice, "xylophone")).hits
    await set_memory(server.alice, key, '{"text":"piano lesson"}')
    answer = await recall(server.alice, "lesson", sources=[memory_pb2.SOURCE_SLOT])
    assert ["piano" in hit.chunk.text for hit in answer.hits] == [True]
    await set_memory(server.alice, key, "null")
    assert await found(server.alice, "lesson") == []
    past = '{"text":"late lesson","expired_at":"2001-01-01"}'
    await set_memory(server.alice, key, past)
    assert await found(server.alice, "lesson") == []
    assert await listed(server.alice) == [key]


BAD = {
    "key": [
        *("user", "/", "//", "/a/../b", "/./a", "/a\nb", "/a\x01b", "/a\x00b", "/a\u2028b", "/a\x85"),
        *("/" + "x" * 1024, "/x" * 33, "/" + "\u0958" * 200),
    ],
    "json_content": [
        *("", "{", "01", "NaN", "-Infinity", '{"a":1,"a":2}', '"\\ud800"', "[" * 101 + "]" * 101),
        *('"' + "x" * 65_536 + '"', "[1]]", "'a'", "\ufeff1", '{"a":{"\\udc00":1}}'),
    ],
}


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, values in BAD.items() for v in values])
async def test_what_is_no_key_or_no_json_is_refused_with_the_reason(server: Server, field: str, value: str) -> None:
    request = setting("/good", "1")
    setattr(request, field, value)
    told = await refused(server.alice(request))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert told.fields == (field,)
    assert await listed(server.alice) == []


async def test_a_source_has_to_be_there(server: Server) -> None:
    for source in (None, pb.SlotSource(), pb.SlotSource(provenance=pb.SlotProvenance())):
        told = await refused(server.alice(setting("/x", "1", source=source)))
        assert told.reason == "INVALID_FIELD"


async def test_a_forgotten_slot_is_gone_with_every_version_and_may_not_be_said_again(server: Server) -> None:
    said, key = "the xylophone is in the attic", "/user/where"
    slot = await set_memory(server.alice, key, json.dumps({"said": said}))
    await set_memory(server.alice, key, '{"said":"nowhere at all, they say"}')
    await set_memory(server.alice, "/user/other", '"the piano stays"')
    request = lifecycle.ForgetRequest()
    request.records.slot_ids.append(slot.slot_id)
    answer = await server.alice(request)
    stores = {each.store: each.rows for each in answer.receipt.stores}
    assert {"slots": 1, "slot_versions": 2, "chunks": 1}.items() <= stores.items()
    assert list(answer.receipt.records.slot_ids) == [slot.slot_id]
    assert (await refused(get_slot(server.alice, key))).reason == "SLOT_NOT_FOUND"
    assert (await refused(history(server.alice, key))).reason == "SLOT_NOT_FOUND"
    assert await listed(server.alice) == ["/user/other"]
    assert await found(server.alice, "nowhere xylophone piano") == ["/user/other"]
    escaped = '["\\u0054he  XYLOPHONE is in the attic!"]'
    told = await refused(set_memory(server.alice, "/elsewhere", escaped))
    assert told.reason == "VALUE_REJECTED"
    told = await refused(set_memory(server.alice, f"/{said}", "1"))
    assert (told.reason, told.metadata["field"]) == ("VALUE_REJECTED", "key")
    again = await set_memory(server.alice, key, '"something else"')
    assert (again.version, again.slot_id == slot.slot_id) == (1, False)


async def test_forgetting_a_value_finds_the_slots_that_repeat_it(server: Server) -> None:
    value = "ada lives in the hafenweg"
    confidential = memory_pb2.SENSITIVITY_CONFIDENTIAL
    slots = [
        await set_memory(server.alice, "/a", '{"x":["Ada lives in the \\u0048afenweg"]}'),
        await set_memory(server.alice, "/b", f'"{value}"', sensitivity=confidential),
        await set_memory(server.alice, f"/c/{value}", "1"),
        await set_memory(server.alice, "/d", "1", source=pb.SlotSource(text=value)),
    ]
    await set_memory(server.alice, "/e", f'"{value}"')
    slots.append(await set_memory(server.alice, "/e", '"now another"'))
    await set_memory(server.alice, "/stays", '"bob lives elsewhere"')
    answer = await server.alice(lifecycle.ForgetRequest(value=value))
    assert set(answer.receipt.records.slot_ids) == {slot.slot_id for slot in slots}
    assert await listed(server.alice) == ["/stays"]
