"""Hundreds of random requests for every method: none is answered with a defect, and the server lives on."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import lifecycle_service_pb2
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.memory_pb2 import SOURCE_MEMORY
from camillo_server.doors.rpc.contract import CONTRACT
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.rpc.artifacts.calls import put_text
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.random_messages import ID, RandomMessages
from tests.rpc.records import decide, open_task, put_view, record
from tests.rpc.runs.calls import start
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Caller, Server, refusal

# For each method; 1250 make 100,000 in all.
REQUESTS = int(os.environ.get("CAMILLO_TEST_REQUESTS", "200"))
AT_ONCE = 24
METHODS = [
    method
    for module in CONTRACT
    for described in module.DESCRIPTOR.services_by_name.values()
    for method in described.methods
]
DEFECTS = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE}


def test_every_method_is_tried() -> None:
    assert len(METHODS) >= 80


@pytest.mark.own_server
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
async def test_no_request_is_answered_with_a_defect(server: Server, method: MethodDescriptor) -> None:
    await remember(server.root, "known", memory_id=ID)
    await server.root(update(ID, 1, content="known still"))
    await server.root(admin.CreateAgentRequest(agent_id="bob"))
    known: dict[str, Sequence[Any]] = {"artifact_id": await artifact_ids(server, method), **await ground(server.root)}
    page = await server.root(service.ListMemoriesRequest(page_size=1))
    known["token"] = [page.revision.token]
    if method.name == "UpsertTask":
        known["paths"] = ["title", "goal", "status", "tags"]
    if method.name == "SetQuotas":
        known["name"] = known["reset"] = ["handoffs", "runs"]
    if method.name == "CreateKey":
        known["actors"] = ["human:ada", "agent:*"]
        known["document_categories"] = ["hr", "legal"]
        known["spaces"] = ["users/42:read", "teams/eu/*:write"]
    if method.name == "ForgetSpace":
        known["agent_id"], known["also_named"] = ["bob"], ["Ana Lima", "安娜"]
    if method.name in ("AddLinks", "RemoveLinks"):
        known["id"] = [ID, ID.replace("0", "1", 1), ID.replace("0", "2", 1), ID.replace("0", "3", 1)]
        # Both ends of a link have to be right.
        known["source"] = [SOURCE_MEMORY]
    messages = RandomMessages(len(method.full_name), known)
    outcomes: Counter[str] = Counter()
    todo = iter(range(REQUESTS))

    async def work() -> None:
        for _ in todo:
            outcomes[await attempt(server.root, method, messages)] += 1

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    assert sum(outcomes.values()) == REQUESTS
    # Requests that were all refused at the door would prove little.
    assert outcomes["INVALID_ARGUMENT"] < 0.95 * REQUESTS, outcomes
    await still_answers(server)


async def artifact_ids(server: Server, method: MethodDescriptor) -> list[str]:
    """Ids of many artifacts, so that some are left however many the requests delete."""
    is_asked = method.containing_service.name == "ArtifactService"
    texts = ['{"a": [1, 2]}', "one word\ntwo words\n", "\x00binary"] * (10 if is_asked else 1)
    return [(await put_text(server.root, f"{text}{i}")).artifact_id for i, text in enumerate(texts)]


async def ground(root: Caller) -> dict[str, list[str]]:
    """Ids of what was recorded, decided and opened, by the names of the fields that hold them."""
    event = await record(root, "known")
    decision = await decide(root, "known", event.event_id)
    task = await open_task(root, "known")
    await put_view(root, "rules", "known")
    run_id = await start(root)
    slot = await set_memory(root, "/known", '"known"')
    compaction_id, receipt_id = await lifecycle(root)
    ids = [event.event_id, decision.decision_id, task.task_id, *event.chunk_ids, ID]
    return {
        "event_id": [event.event_id],
        "decision_id": [decision.decision_id],
        "decision_ids": [decision.decision_id],
        "successor_id": [decision.decision_id],
        "task_id": [task.task_id, ""],
        "task_ids": [task.task_id],
        "refs": ids,
        "ref": ids,
        "run_id": [run_id],
        "change_id": [ID],
        "compaction_id": [compaction_id],
        "key": ["/known", "/known/too"],
        "slot_ids": [slot.slot_id],
        "receipt_id": [receipt_id],
    }


async def lifecycle(root: Caller) -> tuple[str, str]:
    """The ids of a compaction that is proposed, and of a receipt."""
    for text in ("alike one", "alike two", "alike three"):
        await remember(root, text, tags=["alike"])
    memory = await remember(root, "to be forgotten")
    criteria = lifecycle_service_pb2.CompactionCriteria(tags=["alike"], tag_threshold=2, skip_near_duplicates=True)
    request = lifecycle_service_pb2.CompactRequest(criteria=criteria, dry_run=True)
    (proposal,) = (await root(request)).compactions
    forgetting = service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=[memory.memory_id]))
    answer = await root(forgetting)
    return proposal.compaction_id, answer.receipt.receipt_id


async def attempt(caller: Caller, method: MethodDescriptor, messages: RandomMessages) -> str:
    """The name of the code of one random call. Fails for a code that tells of a defect."""
    requests = new_requests(method, messages)
    try:
        await answer(caller, method, requests)
    except grpc.aio.AioRpcError as error:
        told = refusal(error)
        assert told.code not in DEFECTS, (told, [str(request)[:1500] for request in requests])
        assert told.reason or told.code == grpc.StatusCode.DEADLINE_EXCEEDED, told
        return told.code.name
    return "OK"


def new_requests(method: MethodDescriptor, messages: RandomMessages) -> list[Message]:
    """A random request, or those of a stream."""
    if method.name == "PutArtifact":
        messages.choose_hostility()
        return [*messages.upload()]
    if method.name == "PublishDocument":
        messages.choose_hostility()
        return [*messages.document()]
    requests = [new_request(method, messages)]
    if method.client_streaming:
        requests.append(new_request(method, messages))
        requests[1].ClearField("agent_id")
        requests[1].ClearField("on_conflict")
    return requests


def new_request(method: MethodDescriptor, messages: RandomMessages) -> Message:
    request = GetMessageClass(method.input_type)()
    messages.new(request)
    spare_the_test_itself(request)
    return request


def spare_the_test_itself(request: Message) -> None:
    """Root stays, and every freshness can be reached without waiting for it."""
    if isinstance(request, admin.DeleteTenantRequest) and request.tenant_id == "acme":
        request.tenant_id = request.confirm_tenant_id = "rival"


async def answer(caller: Caller, method: MethodDescriptor, requests: list[Message]) -> None:
    if method.client_streaming:
        await caller.send(requests, method.name)
    elif method.server_streaming:
        await read_some(caller.begin(requests[0]))
    else:
        await caller(requests[0])


async def read_some(call: Any) -> None:
    """The first message of a stream, which may have no end."""
    responses: AsyncIterator[Any] = aiter(call)
    try:
        await anext(responses, None)
    finally:
        call.cancel()


async def still_answers(server: Server) -> None:
    who = await server.root(admin.WhoAmIRequest())
    assert who.tenant_id == "acme"
    memory = await remember(server.root, "afterwards", agent_id="witness")
    found = await server.root(service.RecallRequest(agent_id="witness", text="afterwards"))
    assert [hit.memory.memory_id for hit in found.hits] == [memory.memory_id]
