"""Every method of 0.1.0 through its generated stubs alone, and what they make of answers of a newer contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
from camillo.v1 import admin_service_pb2 as administration
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_pb2 import Role
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.memory_pb2 import Memory, NewMemory, Source
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo_client.failures import from_rpc_error
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

if TYPE_CHECKING:
    from tests.compatibility.playing import Stage


def play(stage: Stage) -> None:
    stub = MemoryServiceStub(stage.channel())
    alice = {"metadata": stage.credential("alice"), "timeout": 10}
    root = {"metadata": stage.credential("root"), "timeout": 10}
    memory = writes(stub, alice)
    reads(stub, alice, memory)
    streams(stub, alice, root)
    bears_fields_it_does_not_know(stub, alice, stage.secret)
    bears_reasons_it_does_not_know(stub, alice)
    forgets(stub, alice, memory)
    administers(AdminServiceStub(stage.channel()), root)


def writes(stub: Any, alice: dict[str, Any]) -> Memory:
    tea = NewMemory(content="Ada prefers tea", tags=["drinks"])
    stored = stub.Remember(service.RememberRequest(request_id="r1", memory=tea), **alice)
    assert stored.revision.token
    batch = service.BatchRememberRequest(request_id="r2", memories=[NewMemory(content="milk"), NewMemory(content="")])
    kinds = [result.WhichOneof("outcome") for result in stub.BatchRemember(batch, **alice).results]
    assert kinds == ["memory", "error"]
    change = service.UpdateMemoryRequest(
        request_id="r3",
        memory_id=stored.memory.memory_id,
        expected_version=1,
        update_mask={"paths": ["archived"]},
        memory=Memory(archived=True),
    )
    assert stub.UpdateMemory(change, **alice).memory.archived
    back = service.RestoreMemoriesRequest(request_id="r4", memory_ids=service.MemoryIds(ids=[stored.memory.memory_id]))
    assert stub.RestoreMemories(back, **alice).restored == 1
    memory: Memory = stored.memory
    return memory


def reads(stub: Any, alice: dict[str, Any], memory: Memory) -> None:
    got = stub.GetMemory(service.GetMemoryRequest(memory_id=memory.memory_id), **alice)
    assert (got.memory.content, got.memory.version) == ("Ada prefers tea", 3)
    recall = service.RecallRequest(text="tea", limit=1)
    [hit] = stub.Recall(recall, **alice).hits
    assert hit.memory.memory_id == memory.memory_id
    both = stub.BatchRecall(service.BatchRecallRequest(requests=[recall, recall]), **alice)
    assert [len(each.response.hits) for each in both.results] == [1, 1]
    first = stub.ListMemories(service.ListMemoriesRequest(page_size=1), **alice)
    second = service.ListMemoriesRequest(page_size=1, page_token=first.next_page_token)
    assert stub.ListMemories(second, **alice).memories != first.memories
    history = service.ListMemoryRevisionsRequest(memory_id=memory.memory_id)
    assert len(stub.ListMemoryRevisions(history, **alice).revisions) == 3


def streams(stub: Any, alice: dict[str, Any], root: dict[str, Any]) -> None:
    parts = list(stub.ExportMemories(service.ExportMemoriesRequest(), **alice))
    memories = [memory for part in parts for memory in part.memories]
    assert {memory.content for memory in memories} == {"Ada prefers tea", "milk"}
    sent = [service.ImportMemoriesRequest(agent_id="heir", memories=memories)]
    assert stub.ImportMemories(iter(sent), **root).imported == 2
    watch = stub.WatchMemories(service.WatchMemoriesRequest(from_beginning=True), **alice)
    assert next(watch).change.changed.content
    watch.cancel()


def bears_fields_it_does_not_know(stub: Any, alice: dict[str, Any], token: str) -> None:
    """Secrets that were taken out, chunks of events: nothing of it is in this contract."""
    secret = NewMemory(content=f"The token is {token} for the build")
    answer = stub.Remember(service.RememberRequest(request_id="r5", memory=secret), **alice)
    assert token not in answer.memory.content
    assert unknown_fields(answer)
    # With an event that a newer client recorded.
    recall = service.RecallRequest(text="kettle", sources=[Source.SOURCE_EVENT, Source.SOURCE_MEMORY], explain=True)
    hits = stub.Recall(recall, **alice).hits
    [event] = [hit for hit in hits if hit.WhichOneof("item") is None]
    assert unknown_fields(event)
    assert event.score > 0
    assert event.source == Source.SOURCE_EVENT


def bears_reasons_it_does_not_know(stub: Any, alice: dict[str, Any]) -> None:
    """The code decides, and the reason is kept: 0.1.0 stored repeats twice."""
    milk = stub.Recall(service.RecallRequest(text="milk", limit=1), **alice).hits[0].memory
    repeating = service.UpdateMemoryRequest(
        request_id="r6",
        memory_id=milk.memory_id,
        expected_version=1,
        update_mask={"paths": ["content"]},
        memory=Memory(content="Ada prefers tea"),
    )
    try:
        stub.UpdateMemory(repeating, **alice)
    except grpc.RpcError as error:
        typed = from_rpc_error(error)
    assert type(typed).__name__ == "AlreadyExists"
    assert typed.reason == "MEMORY_REPEATED"
    assert "MEMORY_REPEATED" in str(typed)


def forgets(stub: Any, alice: dict[str, Any], memory: Memory) -> None:
    forget = service.ForgetMemoriesRequest(request_id="r7", memory_ids=service.MemoryIds(ids=[memory.memory_id]))
    answer = stub.ForgetMemories(forget, **alice)
    assert list(answer.receipt.memory_ids) == [memory.memory_id]


def administers(stub: Any, root: dict[str, Any]) -> None:
    of = administration
    assert stub.WhoAmI(of.WhoAmIRequest(), **root).role == Role.ROLE_ROOT
    stub.CreateTenant(of.CreateTenantRequest(request_id="a1", tenant_id="guests"), **root)
    agent: dict[str, Any] = {"tenant_id": "guests", "agent_id": "visitor"}
    stub.CreateAgent(of.CreateAgentRequest(request_id="a2", **agent), **root)
    key = of.CreateKeyRequest(request_id="a3", role=Role.ROLE_READER, **agent)
    key_id = stub.CreateKey(key, **root).key.key_id
    [listed] = stub.ListKeys(of.ListKeysRequest(tenant_id="guests"), **root).keys
    assert listed.key_id == key_id
    revoke = of.RevokeKeyRequest(request_id="a4", tenant_id="guests", key_id=key_id)
    assert stub.RevokeKey(revoke, **root).key.HasField("revoked_at")
    [visitor] = stub.ListAgents(of.ListAgentsRequest(tenant_id="guests"), **root).agents
    assert visitor.agent_id == "visitor"
    gone = of.DeleteAgentRequest(request_id="a5", confirm_agent_id="visitor", **agent)
    assert stub.DeleteAgent(gone, **root).forgotten_memories == 0
    assert len(stub.ListTenants(of.ListTenantsRequest(), **root).tenants) == 3
    end = of.DeleteTenantRequest(request_id="a6", tenant_id="guests", confirm_tenant_id="guests")
    assert stub.DeleteTenant(end, **root).forgotten_memories == 0


def unknown_fields(message: Message) -> int:
    """How many fields came that this contract does not have."""
    return len(UnknownFieldSet(message))
