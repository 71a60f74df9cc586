"""Forgotten values come back through no way of writing, however they are written, until their block is lifted."""

from datetime import timedelta
from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import task_pb2, task_service_pb2

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import get, listed, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import bundle, open_task, record, texts
from tests.rpc.stating import WAYS, Way, called, recorded_in_a_batch, remembered
from tests.rpc.test_secrets import stored_texts
from tests.rpc.watching import Watch
from tests.server_fixtures import Caller, Server, refused

VALUE = "The user lives at 12 Main Street, Basel"
SPELLINGS = (
    VALUE,
    "THE USER LIVES AT 12 MAIN STREET, BASEL!",
    "The  user lives\tat 12 Main Street,\u00a0Basel.",
    "The u\u200bser lives at 12 Ma\u00adin Street, Ba\u2060sel",
    "\u202aThe user\u202c lives at \u200f12 Main Street, Basel",
    "Тhе usеr livеs аt 12 Маin Strееt, Ваsеl",
    "Ｔｈｅ ｕｓｅｒ ｌｉｖｅｓ ａｔ １２ Ｍａｉｎ Ｓｔｒｅｅｔ， Ｂａｓｅｌ",
    "𝐓𝐡𝐞 𝐮𝐬𝐞𝐫 𝐥𝐢𝐯𝐞𝐬 𝐚𝐭 ١٢ 𝖬𝖺𝗂𝗇 𝚂𝚝𝚛𝚎𝚎𝚝, 𝔹𝕒𝕤𝕖𝕝",
)
AFFIXED = (
    f"📌 {VALUE} ✅",
    f"▪ {VALUE}",
    f"║ {VALUE} ║",
    f"<li>{VALUE}</li>",
    f"Note:{VALUE}",
    f"Please remember that {VALUE}",
    f"The value is {VALUE}",
    VALUE.replace("a", "ꓮ").replace("e", "Ꭼ"),
)
PARAPHRASE = "The home of the user is in Main Street 12 in Basel"


@pytest.fixture
async def server(server: Server) -> Server:
    """A server with another agent, to whom things are handed over."""
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    return server


async def forgotten(caller: Caller, text: str = VALUE, **fields: Any) -> service.ForgetMemoriesResponse:
    """The answer to a forgetting of this text, which was remembered before."""
    stored = await remember(caller, text)
    answer: service.ForgetMemoriesResponse = await caller(forget(stored.memory_id, **fields))
    return answer


async def lifted(caller: Caller, **which: Any) -> int:
    answer = await caller(lifecycle.LiftValueBlocksRequest(agent_id="alice", **which))
    return int(answer.lifted)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
async def test_no_way_of_writing_brings_it_back(server: Server, way: Way) -> None:
    assert await way(server.alice, PARAPHRASE.replace("home", "house")) is None
    answer = await forgotten(server.alice)
    assert answer.receipt.blocked_values == 1
    for spelling in SPELLINGS:
        refusal = await way(server.alice, spelling)
        assert refusal is not None, spelling
        assert refusal.reason == "VALUE_REJECTED", refusal
        assert refusal.metadata["field"]
        assert "Basel" not in str(refusal)
    assert await way(server.alice, PARAPHRASE) is None
    assert await lifted(server.admin, content=SPELLINGS[-1]) == 1
    assert await way(server.alice, VALUE) is None


async def test_what_stands_around_it_hides_nothing(server: Server) -> None:
    for text in AFFIXED:
        assert await remembered(server.alice, text) is None
    await forgotten(server.alice)
    for text in AFFIXED:
        for way in (remembered, recorded_in_a_batch):
            refusal = await way(server.alice, text)
            assert refusal is not None, text
            assert refusal.reason == "VALUE_REJECTED"
    assert await lifted(server.admin, content=AFFIXED[-2]) == 1
    assert await remembered(server.alice, AFFIXED[0]) is None


async def test_who_may_restate_it_may(server: Server) -> None:
    answer = await forgotten(server.alice, allow_restating=True)
    assert (answer.forgotten, answer.receipt.blocked_values) == (1, 0)
    assert await remembered(server.alice, VALUE) is None
    assert (await forgotten(server.alice)).receipt.blocked_values == 1
    assert await remembered(server.alice, VALUE) is not None


async def test_the_blocks_of_a_receipt_are_lifted_together(server: Server) -> None:
    stored = [await remember(server.alice, text) for text in (VALUE, "用户住在巴塞尔。", "Ana")]
    answer = await server.alice(forget(*(each.memory_id for each in stored)))
    assert answer.receipt.blocked_values == 3
    other = await forgotten(server.alice, "another value")
    assert await remembered(server.alice, "用户 住在巴塞尔") is not None
    assert await lifted(server.admin, receipt_id=answer.receipt.receipt_id) == 3
    assert await lifted(server.admin, receipt_id=answer.receipt.receipt_id) == 0
    assert await remembered(server.alice, "用户 住在巴塞尔") is None
    assert await remembered(server.alice, "another value") is not None
    unknown = lifecycle.LiftValueBlocksRequest(receipt_id="01890a5d-ac96-774b-bcce-b302099a8057")
    assert (await refused(server.admin(unknown))).reason == "RECEIPT_NOT_FOUND"
    assert await lifted(server.admin, content="never said") == 0
    request = lifecycle.LiftValueBlocksRequest(agent_id="alice", receipt_id=other.receipt.receipt_id, request_id="lift")
    assert (await server.admin(request)).lifted == 1
    assert (await server.admin(request)).lifted == 1


async def test_what_was_said_in_earlier_versions_may_not_be_said_either(server: Server) -> None:
    stored = await remember(server.alice, VALUE)
    await server.alice(update(stored.memory_id, 1, content="the user has moved"))
    answer = await server.alice(forget(stored.memory_id))
    assert answer.receipt.blocked_values == 2
    for text in (VALUE, "The user has moved."):
        refusal = await remembered(server.alice, text)
        assert refusal is not None
        assert refusal.reason == "VALUE_REJECTED"


@pytest.mark.parametrize("sensitivity", [pb.SENSITIVITY_PUBLIC, pb.SENSITIVITY_RESTRICTED])
async def test_it_holds_for_what_is_encrypted_too(server: Server, sensitivity: Any) -> None:
    stored = await remember(server.alice, VALUE, sensitivity=sensitivity)
    await server.alice(update(stored.memory_id, 1, content=PARAPHRASE))
    assert (await server.alice(forget(stored.memory_id))).receipt.blocked_values == 2
    for text in (VALUE, PARAPHRASE):
        for level in (pb.SENSITIVITY_PUBLIC, pb.SENSITIVITY_RESTRICTED):
            said = pb.NewMemory(content=text, sensitivity=level)
            refusal = await refused(server.alice(service.RememberRequest(memory=said)))
            assert refusal.reason == "VALUE_REJECTED"


async def test_it_holds_for_years_and_whatever_passes_meanwhile(server: Server) -> None:
    await forgotten(server.alice)
    for years in (1, 10, 70):
        server.clock.move(timedelta(days=365 * years).total_seconds())
        await server.alice(lifecycle.RunMaintenanceRequest())
        assert await remembered(server.alice, VALUE) is not None
    assert await remembered(server.alice, PARAPHRASE) is None


async def test_it_holds_in_its_own_scope_and_what_is_shared_in_every_agents(server: Server) -> None:
    admin_caller = server.admin
    await forgotten(server.alice)
    for agent_id in ("bob", ""):
        stated = pb.NewMemory(content=VALUE)
        request = service.RememberRequest(agent_id=agent_id, memory=stated)
        assert await called(admin_caller, request) is None
    assert await remembered(server.rival, VALUE) is None
    shared = await remember(admin_caller, "the office is in Basel")
    await admin_caller(forget(shared.memory_id))
    for agent_id in ("alice", "bob", ""):
        stated = pb.NewMemory(content="The office is in Basel!")
        request = service.RememberRequest(agent_id=agent_id, memory=stated)
        refusal = await refused(admin_caller(request))
        assert refusal.reason == "VALUE_REJECTED"
    assert await remembered(server.rival, "the office is in Basel") is None


async def test_a_batch_of_events_keeps_its_order_and_tells_a_repeat_the_same(server: Server) -> None:
    await forgotten(server.alice)
    refusal = await recorded_in_a_batch(server.alice, VALUE)
    assert refusal is not None
    assert refusal.metadata["field"] == "content.text"
    assert len(await texts(server.alice)) == 2


async def test_who_repeats_a_request_of_before_gets_its_answer(server: Server) -> None:
    said = service.RememberRequest(request_id="r", memory=pb.NewMemory(content=VALUE))
    first = await server.alice(said)
    event_answer = await record(server.alice, PARAPHRASE)
    await server.alice(forget(first.memory.memory_id))
    assert (await server.alice(said)).memory.memory_id == first.memory.memory_id
    assert await listed(server.alice) == []
    assert event_answer.event_id


async def test_a_task_of_before_can_still_be_closed(server: Server) -> None:
    task = await open_task(server.alice, VALUE)
    await forgotten(server.alice)
    request = task_service_pb2.UpsertTaskRequest(
        task_id=task.task_id, expected_version=1, task=task_pb2.NewTask(title=VALUE, status=task_pb2.TASK_STATUS_DONE)
    )
    assert (await refused(server.alice(request))).metadata["field"] == "title"
    request.update_mask.paths.append("status")
    assert (await server.alice(request)).task.stated.status == task_pb2.TASK_STATUS_DONE


@pytest.mark.own_server
async def test_nothing_of_the_text_is_left_anywhere(server: Server) -> None:
    unusual, control = "zxqvborogove", "zxqvmimsy"
    said = pb.NewMemory(content=f"the {unusual} is mine", metadata={"why": unusual})
    request = service.RememberRequest(request_id="once", memory=said)
    stored = (await server.alice(request)).memory
    # Once more, and in a batch: what the answers are made from may not tell it either.
    request.request_id = "twice"
    await server.alice(request)
    await server.alice(service.BatchRememberRequest(request_id="batch", memories=[said]))
    kept = await remember(server.alice, f"the {control} is mine")
    await server.alice(update(stored.memory_id, 1, content=f"the {unusual} was mine", tags=[unusual]))
    summary = await remember(
        server.alice, f"about the {unusual}", kind=pb.MEMORY_KIND_SUMMARY, source_refs=[stored.memory_id]
    )
    before = stored_texts(server.database)
    assert unusual in before
    answer = await server.alice(forget(stored.memory_id))
    assert list(answer.receipt.memory_ids) == sorted([stored.memory_id, summary.memory_id])

    after = stored_texts(server.database)
    assert control in after
    assert unusual not in after
    told = [
        str(await recall(server.alice, f"{unusual} {control}")),
        str(await listed(server.alice, pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE))),
        str([part async for part in server.alice.begin(service.ExportMemoriesRequest())]),
        str(await bundle(server.alice, f"{unusual} {control}")),
        str(await get(server.alice, kept.memory_id)),
    ]
    async with Watch(server.alice, from_beginning=True) as watch:
        told.append(str(await watch.until_caught_up()))
    assert all(control in text for text in told)
    assert not any(unusual in text.replace(f"{unusual} {control}", "") for text in told)
