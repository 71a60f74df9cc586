"""JSON by HTTP/1.1, gRPC-Web, pages of other origins, and health, as Envoy makes them of the same contract."""

import base64

import grpc
import pytest
from camillo.v1.memory_pb2 import MemoryFilter, NewMemory
from camillo.v1.memory_service_pb2 import (
    GetMemoryRequest,
    RecallRequest,
    RecallResponse,
    RememberRequest,
    RememberResponse,
)
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.mesh.conftest import PAGE
from tests.mesh.fleet import Fleet
from tests.mesh.web import TRAILERS, asked, grpc_web, requested
from tests.patience import until

CONTENT = "The kettle 壶 whistles 🫖 at صفر"
# Not the same: what is forgotten may not be stated again.
IN_A_PAGE = "茶 is served 🍵 بالنعناع, if that kettle boils"
# More than Envoy takes into its memory by itself.
LARGE_BYTES = 3 * 1024 * 1024
ABSENT = "00000000-0000-4000-8000-000000000000"

pytestmark = [pytest.mark.xdist_group("mesh_one"), pytest.mark.timeout(110)]


async def test_json_writes_finds_and_tells_what_is_wrong(served: Fleet) -> None:
    told = {"memory": {"content": CONTENT, "tags": ["kitchen"]}}
    written = await asked(served.envoy, served.keys.alice, "POST /v1/memories", told)
    assert written.status == 200, written.body
    assert written.json["memory"]["content"] == CONTENT
    memory_id = written.json["memory"]["memoryId"]
    demand = {"freshness": {"atLeastAsFresh": written.json["revision"]}}
    query = {"text": "kettle", "filter": {"tagsAny": ["kitchen"]}, **demand}
    recalled = await asked(served.envoy, served.keys.alice, "POST /v1/memories:recall", query)
    assert [hit["memory"]["memoryId"] for hit in recalled.json["hits"]] == [memory_id]
    read = await asked(served.envoy, served.keys.alice, f"GET /v1/memories/{memory_id}")
    assert read.json["memory"]["content"] == CONTENT
    removed = {"memoryIds": {"ids": [memory_id]}}
    forgotten = await asked(served.envoy, served.keys.alice, "POST /v1/memories:forget", removed)
    assert forgotten.json["forgotten"] == "1"
    assert (await asked(served.envoy, served.keys.alice, f"GET /v1/memories/{memory_id}")).status == 404


async def test_an_error_in_json_has_its_reason(served: Fleet) -> None:
    absent = await asked(served.envoy, served.keys.alice, f"GET /v1/memories/{ABSENT}")
    assert (absent.status, absent.json["code"]) == (404, grpc.StatusCode.NOT_FOUND.value[0])
    [detail] = [each for each in absent.json["details"] if "reason" in each]
    assert detail["@type"] == "type.googleapis.com/google.rpc.ErrorInfo"
    assert (detail["domain"], detail["reason"]) == ("camillo.v1", "MEMORY_NOT_FOUND")
    assert detail["metadata"] == {"memory_id": ABSENT}
    stranger = await asked(served.envoy, "nobody", f"GET /v1/memories/{ABSENT}")
    assert stranger.status == 401
    nothing = await asked(served.envoy, served.keys.alice, "POST /v1/memories", {"memory": {"content": ""}})
    assert nothing.status == 400
    assert "memory.content" in str(nothing.json["details"])
    unknown = await asked(served.envoy, served.keys.alice, "POST /v1/memories", {"memry": {"content": "x"}})
    assert unknown.status == 400
    assert (await asked(served.envoy, served.keys.alice, "GET /v1/nothing")).status == 404
    # Nor does anything but gRPC reach the path of a call that has another one for JSON.
    recall = "POST /camillo.v1.MemoryService/Recall"
    assert (await asked(served.envoy, served.keys.alice, recall, {"text": "x"})).status == 404


async def test_a_large_body_passes(served: Fleet) -> None:
    output = base64.b64encode(bytes(LARGE_BYTES)).decode()
    told = {"output": output, "artifact": {"tool": "shell"}}
    kept = await asked(served.envoy, served.keys.alice, "POST /v1/artifacts:offload", told)
    assert kept.status == 200, kept.body
    assert kept.json["artifact"]["sizeBytes"] == str(LARGE_BYTES)


async def test_what_is_looked_for_is_not_logged(served: Fleet) -> None:
    word = "unloggable"
    for path in ("/v1/memories", "/v1/nothing-here"):
        await asked(served.envoy, served.keys.alice, f"GET {path}?filter.tagsAny={word}")

    def log() -> str:
        return served.envoy.access_log.read_text()

    # Envoy writes now and then.
    await until(lambda: "/v1/nothing-here" in log())
    assert "/camillo.v1.MemoryService/ListMemories" in log()
    assert word not in log()
    assert served.keys.alice not in log()


async def test_grpc_web_answers_in_frames(served: Fleet) -> None:
    service = "/camillo.v1.MemoryService"
    request = RememberRequest(memory=NewMemory(content=IN_A_PAGE, tags=["page"]))
    answer = await grpc_web(served.envoy, served.keys.alice, f"{service}/Remember", request)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/grpc-web+proto")
    (message_flags, message), (trailer_flags, trailers) = answer.frames()
    assert (message_flags, trailer_flags) == (0, TRAILERS)
    assert RememberResponse.FromString(message).memory.content == IN_A_PAGE
    assert b"grpc-status:0" in trailers.replace(b" ", b"")
    query = RecallRequest(text="kettle", filter=MemoryFilter(tags_any=["page"]))
    recalled = await grpc_web(served.envoy, served.keys.alice, f"{service}/Recall", query)
    [hit] = RecallResponse.FromString(recalled.frames()[0][1]).hits
    assert hit.memory.content == IN_A_PAGE


async def test_an_error_in_grpc_web_has_its_status(served: Fleet) -> None:
    path, request = "/camillo.v1.MemoryService/GetMemory", GetMemoryRequest(memory_id=ABSENT)
    answer = await grpc_web(served.envoy, served.keys.alice, path, request)
    # Without a message the status comes among the headers.
    assert answer.status == 200
    assert answer.headers["grpc-status"] == str(grpc.StatusCode.NOT_FOUND.value[0])
    assert answer.headers["grpc-status-details-bin"]


@pytest.mark.parametrize("path", ["/camillo.v1.MemoryService/Recall", "/v1/memories:recall"])
async def test_pages_of_named_origins_may_call(served: Fleet, path: str) -> None:
    asks = {"access-control-request-method": "POST"}
    calls = {"authorization": f"Bearer {served.keys.alice}", "content-type": "application/json"}

    async def allowed(method: str, origin: str, headers: dict[str, str]) -> str | None:
        told = {"origin": origin, **headers}
        answer = await requested(served.envoy, f"{method} {path}", b'{"text": "x"}', told)
        return answer.headers.get("access-control-allow-origin")

    for method, headers in (("OPTIONS", asks), ("POST", calls)):
        assert await allowed(method, PAGE, headers) == PAGE
        assert await allowed(method, "https://stranger.example.com", headers) is None


async def test_health_tells_of_the_servers(served: Fleet) -> None:
    async with grpc.aio.insecure_channel(served.envoy.address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=10)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        # Streams without a key would take the room of those with one.
        watch = stub.Watch(health_pb2.HealthCheckRequest(), timeout=10)
        assert await watch.code() is grpc.StatusCode.UNIMPLEMENTED
    assert (await requested(served.envoy, "GET /healthz")).status == 200
