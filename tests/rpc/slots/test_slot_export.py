"""ExportSlots: every version, or the newest alone, in pages that hold nothing in between."""

import pytest
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2
from camillo.v1 import slot_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.slots.calls import set_memory
from tests.rpc.slots.watching import changes_of, exported, told, versions_of
from tests.server_fixtures import Server, refused

LONG = "窓" * 15_000


async def test_every_version_is_exported_in_the_order_of_writing(server: Server) -> None:
    written = [await set_memory(server.alice, f"/{n % 3}", f"{n}") for n in range(6)]
    written.append(await set_memory(server.alice, "/0", "null"))
    answers = await exported(server.reader)
    assert versions_of(answers) == written
    newest = versions_of(await exported(server.reader, newest_only=True))
    assert newest == [written[4], written[5]]
    await set_memory(server.alice, "/1", '"later"')
    later = await changes_of(server.alice, after_revision=answers[-1].revision)
    assert told(later) == ['"later"']


async def test_an_export_goes_on_behind_any_message(server: Server) -> None:
    """Over several messages, since one holds no more than 3 MiB."""
    for n in range(75):
        await set_memory(server.alice, f"/{n % 70:02}", f'"{n} {LONG}"')
    for newest_only in (False, True):
        answers = await exported(server.alice, newest_only=newest_only)
        everything = [slot.json_content for slot in versions_of(answers)]
        assert len(everything) == (70 if newest_only else 75)
        assert len(answers) > 1
        assert all(answer.ByteSize() < 4 * 1024 * 1024 for answer in answers)
        seen = 0
        for answer in answers:
            seen += len(answer.versions)
            token = answer.next_page_token
            rest = await exported(server.alice, newest_only=newest_only, page_token=token)
            assert [slot.json_content for slot in versions_of(rest)] == everything[seen:]


@pytest.mark.own_server
async def test_an_export_takes_the_prefix_the_channel_and_the_scope(server: Server) -> None:
    public, restricted = memory_pb2.SENSITIVITY_PUBLIC, memory_pb2.SENSITIVITY_RESTRICTED
    await set_memory(server.alice, "/a/x", '"open"', sensitivity=public)
    await set_memory(server.alice, "/a/x", '"secret"', sensitivity=restricted)
    await set_memory(server.alice, "/a b", '"beside"')
    await set_memory(server.admin, "/a/x", '"of all"', agent_id="@shared")
    await set_memory(server.rival, "/a/x", '"of a rival"', agent_id="alice")

    async def contents(**fields: object) -> list[str]:
        return [slot.json_content for slot in versions_of(await exported(server.alice, **fields))]

    assert await contents() == ['"open"', '"secret"', '"beside"']
    assert await contents(prefix="/a") == ['"open"', '"secret"']
    assert await contents(channel=channels.CHANNEL_PUBLIC) == ['"open"']
    assert await contents(channel=channels.CHANNEL_PUBLIC, newest_only=True) == []
    assert await contents(newest_only=True) == ['"secret"', '"beside"']
    assert await contents(shared=True) == ['"of all"']


async def test_what_is_forgotten_between_two_pages_is_not_exported(server: Server) -> None:
    slots = [await set_memory(server.alice, f"/{n:02}", f'"{n} {LONG}"') for n in range(80)]
    call = server.alice.begin(service.ExportSlotsRequest(), timeout=PATIENCE_SECONDS)
    first = await anext(aiter(call))
    call.cancel()
    request = lifecycle.ForgetRequest(allow_restating=True)
    request.records.slot_ids.append(slots[-1].slot_id)
    await server.alice(request)
    rest = versions_of(await exported(server.alice, page_token=first.next_page_token))
    sent = [*first.versions, *rest]
    assert sent == slots[:-1]


async def test_a_token_of_another_export_is_refused(server: Server) -> None:
    await set_memory(server.alice, "/a", "1")
    (answer,) = await exported(server.alice)
    (newest,) = await exported(server.alice, newest_only=True)
    for fields in (
        {"page_token": "AAAA"},
        {"page_token": "漢字"},
        {"page_token": newest.next_page_token},
        {"page_token": answer.next_page_token, "prefix": "/a"},
        {"page_token": answer.next_page_token, "newest_only": True},
        {"page_token": answer.next_page_token, "shared": True},
    ):
        assert (await refused(exported(server.alice, **fields))).reason == "INVALID_PAGE_TOKEN"
    assert versions_of(await exported(server.alice, page_token=answer.next_page_token)) == []
