"""Bad input: each kind is refused with its code, reason and field, next to what is good and taken."""

import math
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_pb2, memory_service_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness, Revision
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from tests.patience import PATIENCE_SECONDS
from tests.rpc.memories.calls import UNKNOWN_ID, listed, remember
from tests.server_fixtures import Caller, Server, refused

TOO_LATE = Timestamp(seconds=253402300800)
NESTED = {"deep": {"er": 1}}


def new(**fields: Any) -> service.RememberRequest:
    return service.RememberRequest(memory=pb.NewMemory(**{"content": "x", **fields}))


def recall(**fields: Any) -> service.RecallRequest:
    text = {} if "vector" in fields else {"text": "x"}
    return service.RecallRequest(**{**text, **fields})


def filtered(**fields: Any) -> service.ListMemoriesRequest:
    return service.ListMemoriesRequest(filter=pb.MemoryFilter(**fields))


def weighted(**fields: float) -> service.RecallRequest:
    weights = pb.ScoringWeights(**fields)
    return recall(profile=pb.ScoringProfile(weights=weights))


def update(*paths: str, version: int = 1, **fields: Any) -> service.UpdateMemoryRequest:
    return service.UpdateMemoryRequest(
        memory_id=UNKNOWN_ID, expected_version=version, update_mask=FieldMask(paths=paths), memory=pb.Memory(**fields)
    )


def forget(*ids: str) -> service.ForgetMemoriesRequest:
    return service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=ids))


def key(**fields: Any) -> admin.CreateKeyRequest:
    return admin.CreateKeyRequest(**{"any_agent": True, "role": admin_pb2.ROLE_READER, **fields})


# The field that is named, the request that breaks its limit, one just within it.
BAD: list[tuple[str, Message, Message]] = [
    ("memory.content", new(content=""), new(content="x")),
    ("memory.content", new(content="x" * 2001), new(content="x" * 2000)),
    ("memory.content", new(content="a\0b"), new(content="a\x01b")),
    ("memory.kind", new(kind=99), new(kind=8)),
    ("memory.sensitivity", new(sensitivity=5), new(sensitivity=4)),
    ("memory.session_id", new(session_id="x" * 129), new(session_id="x" * 128)),
    ("memory.session_id", new(session_id="\0"), new(session_id="\t")),
    ("memory.tags", new(tags=map(str, range(10_000))), new(tags=map(str, range(64)))),
    ("memory.tags[1]", new(tags=["a", ""]), new(tags=["a", " "])),
    ("memory.tags[0]", new(tags=["x" * 129]), new(tags=["x" * 128])),
    ("memory.source_refs", new(source_refs=map(str, range(65))), new(source_refs=["x" * 256])),
    ("memory.importance", new(importance=1.01), new(importance=1.0)),
    ("memory.importance", new(importance=-0.01), new(importance=0.0)),
    ("memory.importance", new(importance=math.nan), new(importance=0.5)),
    ("memory.occurred_at", new(occurred_at=TOO_LATE), new(occurred_at=datetime(9999, 12, 31, tzinfo=UTC))),
    ("memory.occurred_at", new(occurred_at=Timestamp(nanos=-1)), new(occurred_at=Timestamp())),
    ("memory.expires_at", new(expires_at=Timestamp(seconds=-(2**62))), new()),
    ("memory.memory_id", new(memory_id="42"), new(memory_id=UNKNOWN_ID)),
    ("memory.metadata.deep", new(metadata=NESTED), new(metadata={"deep": 1})),
    ("memory.metadata.n", new(metadata={"n": math.inf}), new(metadata={"n": 1e308})),
    ("memory.metadata.n", new(metadata={"n": "\0"}), new(metadata={"n": "\x01"})),
    ("memory.metadata key", new(metadata={"\0": 1}), new(metadata={"\x01": 1})),
    ("memory.metadata key", new(metadata={"": 1}), new(metadata={"k" * 128: 1})),
    ("memory.metadata", new(metadata={str(i): 1 for i in range(65)}), new(metadata={"1": 1})),
    ("memory.metadata", new(metadata={"k": "x" * 16_384}), new(metadata={"k": "x" * 16_000})),
    ("memory.vector.values", new(vector=pb.Vector()), new(vector=pb.Vector(values=[1.0] * 16))),
    ("memory.vector.values", new(vector=pb.Vector(values=[0.0] * 16)), new()),
    ("memory.vector.values", new(vector=pb.Vector(values=[math.nan] * 16)), new()),
    ("memory.vector.values", new(vector=pb.Vector(values=[math.inf] * 16)), new()),
    ("memory.vector.values", new(vector=pb.Vector(values=[1.0] * 4097)), new()),
    ("memory.vector.model_id", new(vector=pb.Vector(model_id="m" * 201, values=[1.0])), new()),
    ("memory.vector.model_id", new(vector=pb.Vector(model_id="\0", values=[1.0])), new()),
    ("request_id", service.RememberRequest(request_id="x" * 129, memory=new().memory), new()),
    ("request_id", service.RememberRequest(request_id="\0", memory=new().memory), new()),
    ("memory.content", service.RememberRequest(), new()),
    ("memories", service.BatchRememberRequest(), new()),
    ("text", recall(text=""), recall(text=" ")),
    ("text", service.RecallRequest(), recall()),
    ("text", recall(text="x" * 100_001), recall(text="x y " * 25_000)),
    ("text", recall(text="a\0b"), recall(text="a b")),
    ("limit", recall(limit=-1), recall(limit=0)),
    ("limit", recall(limit=201), recall(limit=200)),
    ("max_tokens", recall(max_tokens=-1), recall(max_tokens=1)),
    ("min_score", recall(min_score=math.nan), recall(min_score=0.5)),
    ("min_score", recall(min_score=-1), recall(min_score=0)),
    ("sources", recall(sources=[pb.SOURCE_UNSPECIFIED]), recall(sources=[pb.SOURCE_ARTIFACT])),
    ("sources", recall(sources=[77]), recall(sources=[])),
    ("profile.name", recall(profile=pb.ScoringProfile(name="best")), recall()),
    ("profile.weights.recency", weighted(recency=1.5), weighted(recency=1)),
    ("profile.weights.similarity", weighted(similarity=math.nan), weighted(similarity=1)),
    ("profile.weights.half_life_hours", weighted(half_life_hours=-1), weighted()),
    ("filter.kinds", filtered(kinds=[99]), filtered(kinds=[1])),
    ("filter.archived", filtered(archived=9), filtered(archived=3)),
    ("filter.max_sensitivity", filtered(max_sensitivity=-1), filtered(max_sensitivity=1)),
    ("filter.min_importance", filtered(min_importance=math.inf), filtered(min_importance=1)),
    ("filter.tags_any", filtered(tags_any=map(str, range(65))), filtered(tags_any=["a"])),
    ("filter.tags_all[0]", filtered(tags_all=["\0"]), filtered(tags_all=["a"])),
    ("filter.session_id", filtered(session_id="\0"), filtered(session_id="a")),
    ("filter.metadata.deep", filtered(metadata=NESTED), filtered(metadata={"deep": 1})),
    (
        "filter.document_categories[1]",
        filtered(document_categories=["policy", "政策"]),
        filtered(document_categories=["policy"]),
    ),
    (
        "filter.document_categories",
        filtered(document_categories=[f"c{number}" for number in range(17)]),
        filtered(document_categories=["c"] * 17),
    ),
    ("filter.workflow", filtered(workflow="x" * 129), filtered(workflow="請求 🧾")),
    ("filter.workflow_step", filtered(workflow_step="\0"), filtered(workflow_step="x" * 128)),
    ("filter.workflow_status", filtered(workflow_status=99), filtered(workflow_status=1)),
    (
        "filter.metadata",
        filtered(metadata={"tool": "grep"}, tool="sed"),
        filtered(metadata={"tool": "grep"}, tool="grep"),
    ),
    ("filter.occurred_from", filtered(occurred_from=TOO_LATE), filtered()),
    ("page_size", service.ListMemoriesRequest(page_size=-1), filtered()),
    ("page_size", service.ListMemoriesRequest(page_size=1001), filtered()),
    ("page_size", admin.ListAgentsRequest(page_size=-5), admin.ListAgentsRequest()),
    ("memory_id", service.GetMemoryRequest(memory_id=""), filtered()),
    ("memory_id", service.GetMemoryRequest(memory_id="{" + "a" * 36 + "}"), filtered()),
    ("memory_id", service.ListMemoryRevisionsRequest(memory_id="x" * 36), filtered()),
    ("memory_ids.ids", forget(), forget(UNKNOWN_ID)),
    ("memory_ids.ids[1]", forget(UNKNOWN_ID, "2"), forget(UNKNOWN_ID)),
    ("memory_ids.ids", forget(*[UNKNOWN_ID] * 10_001), forget(*[UNKNOWN_ID] * 10_000)),
    ("memory_ids.ids", service.ForgetMemoriesRequest(), forget(UNKNOWN_ID)),
    ("filter", service.ForgetMemoriesRequest(filter=pb.MemoryFilter()), forget(UNKNOWN_ID)),
    ("filter", service.ForgetMemoriesRequest(filter=pb.MemoryFilter(document_categories=["hr"])), forget(UNKNOWN_ID)),
    ("filter", service.ForgetMemoriesRequest(filter=pb.MemoryFilter(kinds=[pb.MEMORY_KIND_UNSPECIFIED])), filtered()),
    ("memory_ids.ids", service.RestoreMemoriesRequest(), filtered()),
    ("requests", service.BatchRecallRequest(), recall()),
    ("requests", service.BatchRecallRequest(requests=[recall()] * 33), recall()),
    ("start", service.WatchMemoriesRequest(), filtered()),
    ("agent_id", service.RecallRequest(agent_id="a/b", text="x"), recall(agent_id="a.b")),
    ("agent_id", service.RecallRequest(agent_id="x" * 129, text="x"), recall(agent_id="x" * 128)),
    ("expected_version", update("pinned", version=0), filtered()),
    ("expected_version", update("pinned", version=-1), filtered()),
    ("update_mask", update(), filtered()),
    ("update_mask", update("memory_id"), filtered()),
    ("update_mask", update("content.x"), filtered()),
    ("update_mask", update("version", "pinned"), filtered()),
    ("memory.content", update("content"), filtered()),
    ("memory.occurred_at", update("occurred_at"), filtered()),
    ("memory.vector.values", update("vector"), filtered()),
    ("tenant_id", admin.CreateTenantRequest(tenant_id="a b"), admin.CreateTenantRequest(tenant_id="ab")),
    ("tenant_id", admin.CreateTenantRequest(), admin.ListTenantsRequest()),
    ("display_name", admin.CreateTenantRequest(tenant_id="a", display_name="x" * 257), filtered()),
    ("agent_id", admin.CreateAgentRequest(agent_id=""), admin.CreateAgentRequest(agent_id="a")),
    ("agent_id", admin.CreateAgentRequest(agent_id="a\n"), admin.CreateAgentRequest(agent_id="a")),
    ("reach", admin.CreateKeyRequest(role=admin_pb2.ROLE_READER), key()),
    ("role", key(role=0), key(role=1)),
    ("role", key(role=9), key(role=4)),
    ("lifetime", key(lifetime=Duration()), key(lifetime=Duration(seconds=1))),
    ("lifetime", key(lifetime=Duration(seconds=-5)), key()),
    ("lifetime", key(lifetime=Duration(seconds=2**40)), key()),
    ("description", key(description="x" * 257), key(description="x" * 256)),
    ("key_id", admin.RevokeKeyRequest(key_id="mine"), admin.ListKeysRequest()),
]


@pytest.mark.own_server
@pytest.mark.parametrize("part", range(4))
async def test_a_field_beyond_its_limit_is_named(server: Server, part: int) -> None:
    for place, (field, bad, good) in enumerate(BAD[part::4]):
        what = f"{place * 4 + part}: {str(bad)[:200]!r}"
        told = await refused(answered(server.root, bad))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"), what
        assert field in told.fields, (what, told)
        assert len(told.message) < 2000, what
        await answered(server.root, good)


async def answered(caller: Caller, request: Message) -> object:
    call = caller.begin(request)
    if isinstance(request, service.WatchMemoriesRequest):
        return await anext(aiter(call))
    return await call


async def test_every_field_that_is_wrong_is_named_at_once(server: Server) -> None:
    request = new(content="", importance=3, tags=[""], kind=50)
    told = await refused(server.alice(request))
    assert set(told.fields) == {"memory.content", "memory.importance", "memory.tags[0]", "memory.kind"}


async def test_a_vector_of_the_servers_model_has_to_have_its_length(server: Server) -> None:
    """Stored, it would fail every later recall of the scope."""
    short = pb.Vector(values=[1.0, 2.0, 3.0])
    named = pb.Vector(model_id="random-16", values=[1.0, 2.0, 3.0])
    for vector in (short, named):
        batch = service.BatchRememberRequest(memories=[new(vector=vector).memory])
        assert (await server.alice(batch)).results[0].HasField("error")
        imported = service.ImportMemoriesRequest(memories=[pb.Memory(content="x", vector=vector)])
        assert (await server.alice.send([imported])).failed == 1
    await remember(server.alice, "good", vector=pb.Vector(values=[1.0] * 16))
    assert await listed(server.alice) == ["good"]
    for vector in (short, named):
        assert (await refused(server.alice(new(vector=vector)))).fields == ("memory.vector.values",)
        told = await refused(server.alice(recall(vector=vector)))
        assert (told.reason, told.fields) == ("INVALID_FIELD", ("vector.values",))
    assert (await server.alice(recall())).hits


RawCall = Callable[[str, bytes], Any]


@pytest.fixture
def raw(server: Server) -> RawCall:
    """Sends any bytes to a method."""

    def call(method: str, data: bytes) -> Any:
        name = f"/camillo.v1.{method}"
        method_call: Any = server.channel.unary_unary(name)
        return method_call(data, metadata=server.root.metadata, timeout=PATIENCE_SECONDS)

    return call


@pytest.mark.own_server
@pytest.mark.parametrize(
    "data",
    [b"\x1a\x04\x12\x02\xff\xfe", b"\xff\xff\xff", b"\x1a\xff\xff\xff\xff\x0f", b"\x0a\x01\x80"],
    ids=["invalid UTF-8", "no message", "a length beyond the end", "invalid UTF-8 in request_id"],
)
async def test_what_is_not_a_message_is_a_bad_argument(raw: RawCall, data: bytes) -> None:
    told = await refused(raw("MemoryService/Remember", data))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert told.fields == ("request",)
    good = await raw("MemoryService/Remember", b"\x1a\x04\x12\x02\xc3\xa4")
    assert memory_service_pb2.RememberResponse.FromString(good).memory.content == "ä"


@pytest.mark.own_server
async def test_fields_that_the_server_does_not_know_are_passed_over(raw: RawCall) -> None:
    known = b"\x1a\x04\x12\x02\xc3\xa4"
    good = await raw("MemoryService/Remember", known + b"\xfa\x3f\x03abc")
    assert memory_service_pb2.RememberResponse.FromString(good).memory.content == "ä"


@pytest.mark.own_server
async def test_an_unknown_method_is_unimplemented(raw: RawCall) -> None:
    told = await refused(raw("MemoryService/Dream", b""))
    assert told.code == grpc.StatusCode.UNIMPLEMENTED


async def test_a_message_over_the_size_limit_is_told_the_limit(server: Server) -> None:
    limit = 16 * 1024 * 1024
    assert (await refused(server.alice(recall(text="x" * 500_000)))).fields == ("text",)
    # A request larger than any valid one of the method is refused before it is read.
    told = await refused(server.alice(recall(text="x" * (limit - 100))))
    assert told.fields == ("request",)
    assert "bytes in this method" in told.message
    told = await refused(server.alice(recall(text="x" * (limit + 1))))
    assert told.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(limit) in told.message
    assert (await remember(server.alice, "still there")).version == 1


async def test_a_deadline_that_has_passed_is_exceeded_and_writes_nothing(server: Server) -> None:
    told = await refused(server.alice(new(), timeout=-1))
    assert told.code == grpc.StatusCode.DEADLINE_EXCEEDED
    assert await listed(server.alice) == []
    await server.alice(new(), timeout=PATIENCE_SECONDS)
    assert await listed(server.alice) == ["x"]


@pytest.mark.parametrize("token", ["", "?", "A", "not base 64 \u00e4", "AAAA", "x" * 5000, "\0"])
async def test_a_revision_that_is_none_is_a_bad_field(server: Server, token: str) -> None:
    freshness = Freshness(at_least_as_fresh=Revision(token=token))
    told = await refused(server.alice(recall(freshness=freshness)))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert told.fields == ("freshness.at_least_as_fresh.token",)


async def test_the_revision_of_another_scope_is_unknown(server: Server) -> None:
    theirs = await server.rival(new())
    mine = await server.alice(new())
    for revision, reason in ((theirs.revision, "REVISION_UNKNOWN"), (mine.revision, "")):
        freshness = Freshness(at_least_as_fresh=revision)
        for request in (
            recall(freshness=freshness),
            service.ListMemoriesRequest(freshness=freshness),
            service.GetMemoryRequest(memory_id=mine.memory.memory_id, freshness=freshness),
            service.WatchMemoriesRequest(after_revision=revision),
        ):
            if not reason:
                await answered(server.alice, request)
                continue
            told = await refused(answered(server.alice, request))
            assert (told.code, told.reason) == (grpc.StatusCode.OUT_OF_RANGE, reason)


async def test_a_revision_that_is_not_reached_is_behind(server: Server) -> None:
    written = await server.alice(new())
    ahead = bytearray(urlsafe_b64decode(written.revision.token + "="))
    ahead[-1] += 1
    freshness = Freshness(at_least_as_fresh=Revision(token=urlsafe_b64encode(ahead).decode().rstrip("=")))
    told = await refused(server.alice(recall(freshness=freshness), timeout=0.5))
    assert (told.code, told.reason) in (
        (grpc.StatusCode.UNAVAILABLE, "REVISION_BEHIND"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, ""),
    )
    told = await refused(server.alice(recall(freshness=freshness), timeout=20))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "REVISION_BEHIND")
    assert told.retry_seconds
