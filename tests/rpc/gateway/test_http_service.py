"""The contract by HTTP and JSON: bodies, paths, queries, streams, errors."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import httpx
import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.memory_pb2 import NewMemory
from camillo_server.doors.rpc.server import AddressInUse
from google.protobuf import json_format

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import DRAIN_SECONDS, Web
from tests.server_fixtures import StartServer

TEXT = "喜欢深色模式 🌙 والعربية é"


async def test_what_is_remembered_by_http_is_read_by_grpc(web: Web) -> None:
    sent = {"requestId": "one", "memory": {"content": TEXT, "tags": ["a", "b"]}}
    answer = await web.alice.post("/v1/memories", json=sent)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    memory = answer.json()["memory"]
    assert memory["content"] == TEXT
    assert memory["kind"] == "MEMORY_KIND_FACT"
    memory_id = memory["memoryId"]
    by_grpc = await web.server.alice(service.GetMemoryRequest(memory_id=memory_id))
    read = await web.alice.get(f"/v1/memories/{memory_id}")
    assert read.json() == json_format.MessageToDict(by_grpc)


async def test_a_model_is_asked_for_in_the_query_of_an_address(web: Web) -> None:
    for judged in ({"judge": "true"}, {}):
        answer = await web.alice.get("/v1/memories:contradictions", params=judged)
        assert answer.status_code == 200
        told = ["UNJUDGED_REASON_NO_MODEL"] if judged else []
        assert answer.json().get("degraded", []) == told


async def test_a_repeated_request_is_one_write(web: Web) -> None:
    sent = {"requestId": "one", "memory": {"content": TEXT}}
    first, second = [await web.alice.post("/v1/memories", json=sent) for _ in range(2)]
    assert first.json() == second.json()
    listed = (await web.alice.get("/v1/memories")).json()
    assert [each["content"] for each in listed["memories"]] == [TEXT]


async def test_a_read_that_names_a_revision_has_the_write_that_returned_it(web: Web) -> None:
    revision = (await web.alice.post("/v1/memories", json={"memory": {"content": TEXT}})).json()["revision"]
    asked = {"text": "深色模式", "freshness": {"atLeastAsFresh": revision}}
    found = await web.alice.post("/v1/memories:recall", json=asked)
    assert [hit["memory"]["content"] for hit in found.json()["hits"]] == [TEXT]
    in_query = {"freshness.atLeastAsFresh.token": revision["token"]}
    listed = await web.alice.get("/v1/memories", params=in_query)
    assert [each["content"] for each in listed.json()["memories"]] == [TEXT]
    for unknown in ("word", revision):
        refused = await web.alice.post(
            "/v1/memories:recall", json={"text": "x", "freshness": {"atLeastAsFresh": {"token": unknown}}}
        )
        assert refused.status_code == 400


async def test_fields_of_a_query_are_those_of_the_request(web: Web) -> None:
    for number in range(3):
        memory = {"content": f"number {number}", "tags": [f"t{number}"]}
        await web.alice.post("/v1/memories", json={"memory": memory})
    by_name = await web.alice.get("/v1/memories", params={"page_size": 2})
    by_json_name = await web.alice.get("/v1/memories", params={"pageSize": "2"})
    assert len(by_name.json()["memories"]) == 2
    assert by_name.json()["memories"] == by_json_name.json()["memories"]
    token = by_name.json()["nextPageToken"]
    rest = await web.alice.get("/v1/memories", params={"page_size": 2, "page_token": token})
    assert len(rest.json()["memories"]) == 1
    tagged = "filter.tagsAny=t1&filter.tags_any=t2"
    assert len((await web.alice.get(f"/v1/memories?{tagged}")).json()["memories"]) == 2
    twice = await web.alice.get("/v1/memories?page_size=1&pageSize=2")
    assert twice.status_code == 400


@pytest.mark.own_server
async def test_every_method_is_called_by_its_own_name_too(web: Web) -> None:
    answer = await web.alice.post("/camillo.v1.AdminService/WhoAmI")
    assert answer.json() == (await web.alice.get("/v1/whoami")).json()
    assert answer.json()["tenantId"] == "acme"


async def test_errors_are_statuses_with_their_reason(web: Web) -> None:
    absent = "00000000-0000-4000-8000-000000000000"
    answer = await web.alice.get(f"/v1/memories/{absent}")
    assert answer.status_code == 404
    reply = answer.json()
    assert reply["code"] == grpc.StatusCode.NOT_FOUND.value[0]
    [info] = [each for each in reply["details"] if each["@type"].endswith("ErrorInfo")]
    assert info["reason"] == "MEMORY_NOT_FOUND"
    problem = await web.alice.get(f"/v1/memories/{absent}", headers={"accept": "application/problem+json"})
    assert problem.headers["content-type"] == "application/problem+json"
    assert (problem.json()["status"], problem.json()["reason"]) == (404, "MEMORY_NOT_FOUND")


async def test_what_cannot_be_read_is_refused(web: Web) -> None:
    for body in (b"{not json", b'{"memory": {"content": 1}}', b"\xff", b'{"unknown": 1}'):
        answer = await web.alice.post("/v1/memories", content=body)
        assert (answer.status_code, answer.json()["code"]) == (400, 3), answer.text
    deep = b'{"memory":{"metadata":' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}}"
    assert (await web.alice.post("/v1/memories", content=deep)).status_code == 400
    for query in ("unknown=1", "page_size=x", "filter=1", "page_size=1&page_size=2"):
        answer = await web.alice.get(f"/v1/memories?{query}")
        assert (answer.status_code, answer.json()["code"]) == (400, 3), query
    assert (await web.alice.get("/v1/memories?page_size=1")).status_code == 200


async def test_a_caller_without_a_key_is_asked_for_one(web: Web) -> None:
    async with httpx.AsyncClient(base_url=web.alice.base_url) as nobody:
        answer = await nobody.post("/v1/memories", content=b"{not even read")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


async def test_roles_hold(web: Web) -> None:
    reader = web.with_key(web.server.keys.reader)
    refused = await web.alice.post("/v1/memories", json={"memory": {"content": "x"}}, headers=reader)
    assert refused.status_code == 403
    assert (await web.alice.get("/v1/memories", headers=reader)).status_code == 200


async def test_paths_that_lead_nowhere(web: Web) -> None:
    for path in ("/v1/nothing", "/v1//memories", "/v1/memories/", "/v1/%2e%2e/v1/memories", "/"):
        answer = await web.alice.get(path)
        assert answer.status_code in (400, 404), path
    answer = await web.alice.delete("/v1/memories")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")


async def test_an_export_is_lines_of_json(web: Web) -> None:
    for number in range(3):
        await web.alice.post("/v1/memories", json={"memory": {"content": f"{TEXT} {number}"}})
    answer = await web.alice.get("/v1/memories:export")
    assert answer.headers["content-type"] == "application/x-ndjson"
    exported = [json.loads(line) for line in answer.text.splitlines()]
    texts = [memory["content"] for each in exported for memory in each["memories"]]
    assert sorted(texts) == [f"{TEXT} {number}" for number in range(3)]


async def test_an_import_is_lines_of_json(web: Web) -> None:
    url = "/camillo.v1.MemoryService/ImportMemories"
    lines = [json.dumps({"memories": [{"content": f"{TEXT} {number}"}]}) for number in range(3)]

    async def slowly() -> AsyncIterator[bytes]:
        """Sends the lines in parts that end amid lines and characters."""
        sent = "\n\n".join(lines).encode()
        for begin in range(0, len(sent), 7):
            yield sent[begin : begin + 7]

    answer = await web.alice.post(url, content=slowly())
    assert (answer.status_code, answer.json()["imported"]) == (200, "3"), answer.text
    wrong = await web.alice.post(url, content=lines[0] + "\n{")
    violation = wrong.json()["details"][1]["fieldViolations"][0]
    assert (wrong.status_code, violation["field"]) == (400, "lines[1]")


async def test_a_watch_goes_on_behind_the_last_event(web: Web) -> None:
    events = {"accept": "text/event-stream"}

    async def changes(count: int, headers: dict[str, str]) -> list[tuple[str, str]]:
        seen: list[tuple[str, str]] = []
        url = "/v1/memories:watch?from_beginning=true"
        async with web.alice.stream("GET", url, headers=events | headers) as answer:
            assert answer.status_code == 200, await answer.aread()
            last_id = ""
            async for line in answer.aiter_lines():
                if line.startswith("id: "):
                    last_id = line[4:]
                elif line.startswith("data: ") and "changed" in (data := json.loads(line[6:])["change"]):
                    seen.append((last_id, data["changed"]["content"]))
                if len(seen) == count:
                    return seen
        raise AssertionError("the watch ended")

    await web.alice.post("/v1/memories", json={"memory": {"content": "first"}})
    async with asyncio.timeout(30):
        [(resume_token, content)] = await changes(1, {})
        assert content == "first"
        await web.alice.post("/v1/memories", json={"memory": {"content": "second"}})
        [(_, content)] = await changes(1, {"last-event-id": resume_token})
    assert content == "second"


async def test_a_deadline_of_the_caller_holds(web: Web) -> None:
    for headers in ({"x-request-timeout": "0"}, {"grpc-timeout": "10x"}, {"x-request-timeout": "nan"}):
        assert (await web.alice.get("/v1/whoami", headers=headers)).status_code == 400
    assert (await web.alice.get("/v1/whoami", headers={"grpc-timeout": "5S"})).status_code == 200
    late = await web.alice.get("/v1/memories", headers={"grpc-timeout": "1n"})
    assert late.status_code == 504


@pytest.mark.own_server
async def test_a_caller_who_hangs_up_is_no_error(web: Web, caplog: pytest.LogCaptureFixture) -> None:
    """Amid a watch, and before the body that was announced is there."""
    assert web.server.app._http is not None
    in_flight = web.server.app._http._server.server_state.tasks

    async def until_in_flight(count: int) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(in_flight) != count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    await web.alice.post("/v1/memories", json={"memory": {"content": TEXT}})
    url = "/v1/memories:watch?from_beginning=true"
    async with web.alice.stream("GET", url) as answer:
        assert answer.status_code == 200
        await until_in_flight(1)
    await until_in_flight(0)
    _, writer = await asyncio.open_connection("127.0.0.1", web.port)
    head = "POST /v1/memories HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n"
    writer.write(f"{head}authorization: Bearer {web.server.keys.alice}\r\n\r\n{{".encode())
    await until_in_flight(1)
    writer.close()
    await until_in_flight(0)
    assert (await web.alice.get("/v1/whoami")).status_code == 200
    logging.getLogger("uvicorn.error").error("a control")
    assert [each.message for each in caplog.records if each.levelno >= logging.ERROR] == ["a control"]


@pytest.mark.own_server
async def test_a_stop_ends_watches_at_once(web: Web) -> None:
    async with web.alice.stream("GET", "/v1/memories:watch?from_beginning=true") as answer:
        began = time.monotonic()
        await web.server.app.stop()
        assert time.monotonic() - began < DRAIN_SECONDS / 2
        lines = [json.loads(line) async for line in answer.aiter_lines()]
    assert lines[-1]["error"]["code"] == grpc.StatusCode.UNAVAILABLE.value[0]


async def test_a_port_that_is_taken_is_named_with_its_option(web: Web, start_server: StartServer) -> None:
    with pytest.raises(AddressInUse, match=rf"{web.port}.*--http-port"):
        await start_server(server={"http_port": web.port})


@pytest.mark.parametrize(
    "request_",
    [
        service.RememberRequest(memory=NewMemory(content="x", tags=["tag"] * 10_001)),
        service.ForgetMemoriesRequest(memory_ids=service.MemoryIds(ids=["x"] * 10_001)),
        service.BatchRecallRequest(requests=[service.RecallRequest(text="x")] * 33),
    ],
    ids=["tags", "ids", "requests"],
)
async def test_too_many_values_are_refused_as_by_grpc(web: Web, request_: Any) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await web.server.alice(request_)
    name = request_.DESCRIPTOR.name.removesuffix("Request")
    sent = json_format.MessageToDict(request_)
    answer = await web.alice.post(f"/camillo.v1.MemoryService/{name}", json=sent)
    assert answer.status_code == 400
    assert answer.json()["message"] == refused.value.details()
