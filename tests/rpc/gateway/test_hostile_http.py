"""Requests by HTTP that are meant to harm, or that a browser was led to send."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from camillo_server.doors.gateway.http_server import HEAD_SECONDS, STALLED_SECONDS

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.rpc.gateway.conftest import Web
from tests.server_fixtures import StartServer

READERS = 1000


async def raw(web: Web, request: bytes) -> bytes:
    """Sends bytes, and returns what the server answers first; empty if it resets the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    writer.write(request)
    async with asyncio.timeout(PATIENCE_SECONDS):
        try:
            answer = await reader.read(65536)
        except ConnectionResetError:
            answer = b""
    writer.close()
    return answer


def post(web: Web, *headers: str, body: str = "{}") -> bytes:
    """A request for who is asking, with these headers more."""
    authorization = f"authorization: Bearer {web.server.keys.alice}"
    head = ["POST /camillo.v1.AdminService/WhoAmI HTTP/1.1", "host: localhost", authorization]
    return "\r\n".join([*head, *headers, "", body]).encode()


async def test_requests_that_two_readers_read_differently_are_refused(web: Web) -> None:
    assert (await raw(web, post(web, "content-length: 2"))).startswith(b"HTTP/1.1 200")
    chunked = "2\r\n{}\r\n0\r\n\r\n"
    sound = post(web, "transfer-encoding: chunked", body=chunked)
    assert (await raw(web, sound)).startswith(b"HTTP/1.1 200")
    for headers, body in (
        (("content-length: 2", "content-length: 3"), "{}"),
        (("content-length: 2", "transfer-encoding: chunked"), chunked),
        (("content-length: +2",), "{}"),
        (("transfer-encoding: xchunked",), chunked),
        (("transfer-encoding: chunked", "transfer-encoding: identity"), chunked),
        (("content-length : 2",), "{}"),
        (("x: a\nx-b: c\x00",), "{}"),
    ):
        answer = await raw(web, post(web, *headers, body=body))
        assert answer.split(b" ")[1] in (b"400", b"501"), (headers, answer)
    assert (await web.alice.get("/v1/whoami")).status_code == 200


async def test_an_upload_of_more_bytes_than_there_may_be_is_refused(web: Web) -> None:
    authorization = f"authorization: Bearer {web.server.keys.alice}"
    for size in (10**18, 10**20 - 1):
        head = ["PUT /v1/artifacts/upload HTTP/1.1", "host: localhost", authorization, f"content-length: {size}"]
        answer = await raw(web, "\r\n".join([*head, "", ""]).encode())
        assert (answer.split(b" ")[1], b"header.size_bytes" in answer) == (b"400", True), answer


async def test_large_heads_and_deep_bodies_meet_a_bound(web: Web) -> None:
    large = post(web, f"x-large: {'a' * 10_000_000}", "content-length: 2")
    assert (await raw(web, large)).split(b" ")[1:2] in ([b"400"], [])
    path = "/v1/memories"
    bombs = (
        '{"memory":' * 100_000,
        '{"memory":{"metadata":{"a":' + "[" * 100_000 + "]" * 100_000 + "}}}",
        '{"memory":{"tags":[' + '"a",' * 200_000 + '"a"]}}',
        json.dumps({"memory": {"content": "长" * 5_000_000}}),
        '{"memory":{"importance":' + "9" * 100_000 + "}}",
    )
    for bomb in bombs:
        answer = await web.alice.post(path, content=bomb.encode())
        assert answer.status_code == 400, (bomb[:30], answer.text[:200])
        assert len(answer.content) < 10_000
    too_large = await web.alice.post(path, content=b" " * (17 * 1024 * 1024))
    assert (too_large.status_code, "in this method" in too_large.text) == (400, True)
    assert (await web.alice.get("/v1/memories")).json().get("memories", []) == []


async def test_paths_lead_nowhere_but_where_they_say(web: Web) -> None:
    stored = await web.alice.post("/v1/memories", json={"memory": {"content": "tea"}})
    memory_id = stored.json()["memory"]["memoryId"]

    async def get(path: str) -> int:
        request = f"GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {web.server.keys.alice}\r\n\r\n"
        return int((await raw(web, request.encode())).split(b" ")[1])

    assert await get(f"/v1/memories/{memory_id}") == 200
    assert await get(f"/v1/memories/{memory_id.replace('-', '%2D')}") == 200
    for path in (
        f"/v1/x/../memories/{memory_id}",
        f"/v1/x/%2e%2e/memories/{memory_id}",
        f"//v1/memories/{memory_id}",
        f"/v1//memories/{memory_id}",
        f"/v1/memories%2F{memory_id}",
        f"/v1/memories/{memory_id}/",
        f"/v1/memories/{memory_id}%00",
        f"/v1/memories/..%2F..%2F{memory_id}",
        "/v1/artifacts/..%2f..%2fetc%2fpasswd/content",
        f"http://elsewhere/v1/memories/{memory_id}/",
    ):
        assert await get(path) in (400, 404), path


@pytest.mark.own_server
async def test_who_sends_slowly_or_takes_nothing_is_cut_off(web: Web) -> None:
    """Time is moved: the connections are looked at as they would be later."""
    assert web.server.app._http is not None
    slow = web.server.app._http._slow
    await web.alice.get("/v1/whoami")
    reader, writer = await asyncio.open_connection("127.0.0.1", web.port)
    silent, _ = await asyncio.open_connection("127.0.0.1", web.port)
    writer.write(b"GET /v1/whoami HTTP/1.1\r\nhost: loc")
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len([*slow._connections]) < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    now = time.monotonic()
    slow.cut_off(now)
    slow.cut_off(now + HEAD_SECONDS - 1)
    assert len([*slow._connections]) == 3
    slow.cut_off(now + HEAD_SECONDS)
    for each in (reader, silent):
        with suppress(ConnectionResetError):
            assert await each.read() == b""
    # Who has been answered may wait longer for the next.
    assert (await web.alice.get("/v1/whoami")).status_code == 200
    assert len([*slow._connections]) == 1


@pytest.mark.own_server
async def test_who_takes_nothing_of_an_answer_is_cut_off(web: Web) -> None:
    assert web.server.app._http is not None
    slow = web.server.app._http._slow
    content = b"x" * 8_000_000
    stored = await web.alice.put("/v1/artifacts/upload", content=content)
    _, writer = await asyncio.open_connection("127.0.0.1", web.port)
    request = (
        f"GET {stored.headers['location']} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer "
        f"{web.server.keys.alice}\r\n\r\n"
    )
    writer.write(request.encode())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not any(map(untaken, slow._connections)):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    now = time.monotonic()
    slow.cut_off(now)
    slow.cut_off(now + STALLED_SECONDS - 1)
    assert len([*slow._connections]) == 2
    slow.cut_off(now + STALLED_SECONDS)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len([*slow._connections]) > 1:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    writer.close()
    assert (await web.alice.get(stored.headers["location"])).content == content


def untaken(connection: Any) -> int:
    size: int = connection.transport.get_write_buffer_size()
    return size


async def test_a_name_that_leads_here_and_a_page_of_elsewhere_are_refused(web: Web) -> None:
    async def status(**headers: str) -> int:
        return (await web.alice.get("/v1/whoami", headers=headers)).status_code

    for host in ("localhost", f"127.0.0.1:{web.port}", f"[::1]:{web.port}", "LOCALHOST.", "127.9.9.9"):
        assert await status(host=host) == 200, host
    for host in ("rebound.example", "localhost.example", "127.0.0.1.example", "10.0.0.1", "[fe80::1]"):
        assert await status(host=host) == 421, host
    own = f"http://localhost:{web.port}"
    assert await status(host=f"localhost:{web.port}", origin=own) == 200
    for origin in (
        *("https://evil.example", "null", "http://localhost:1", "http://localhost"),
        *("http://127.evil.example", "chrome-extension://abc", "file://", "app://."),
    ):
        assert await status(host=f"localhost:{web.port}", origin=origin) == 403, origin


@pytest.mark.own_server
async def test_a_host_or_an_origin_that_is_none_is_refused(web: Web, caplog: pytest.LogCaptureFixture) -> None:
    own, host = f"origin: http://localhost:{web.port}", f"host: localhost:{web.port}"

    async def status(*headers: str) -> bytes:
        key = f"authorization: Bearer {web.server.keys.alice}"
        head = "\r\n".join(["GET /v1/whoami HTTP/1.1", key, *headers, "", ""])
        return (await raw(web, head.encode("latin-1"))).split(b" ")[1]

    assert await status(host, own) == b"200"
    assert await status("host:") == b"200"
    for origin in (
        *("http://[", "http://]", "http://[::1", "http://a:b", "http://a:99999999", "//localhost"),
        *("localhost", "", "http://localhost/path", "http://u@localhost", "http://a b", "http://\xe9"),
        *("null, null", "http://a, http://b", "http://[::1].example", "http://[::1]x"),
    ):
        assert await status(host, f"origin: {origin}") == b"400", origin
    for name in (
        *("[", "]", "[::1", "[::1].example", "[::1]x:1", "localhost:x", "localhost:1:1", ":7071"),
        *("u@localhost", "local host", "localhost/", "localhost#", "\xe9", "localhost:"),
    ):
        assert await status(f"host: {name}") == b"400", name
    evil = "origin: https://evil.example"
    for twice in ((evil, own), (own, evil), (own, own)):
        assert await status(host, *twice) == b"400", twice
    assert await status(host, "host: evil.example") == b"400"
    assert await status(host, f"authorization: Bearer {web.server.keys.root}") == b"400"
    assert "Traceback" not in caplog.text


@pytest.fixture
async def shared(start_server: StartServer) -> AsyncIterator[Web]:
    """A server whose settings name a host and an origin."""
    port = free_port()
    server = await start_server(
        server={"http_port": port, "http_hosts": "memory.example", "http_origins": "https://app.example"}
    )
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_SECONDS) as client:
        yield Web(server, client, port)


async def test_pages_of_origins_that_are_named_may_call(shared: Web) -> None:
    key = shared.with_key(shared.server.keys.alice)
    page = {"host": "memory.example", "origin": "https://app.example"}
    asked = {
        **page,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
    }
    allowed = await shared.alice.request("OPTIONS", "/v1/memories", headers=asked)
    assert allowed.status_code == 200
    assert allowed.headers["access-control-allow-origin"] == "https://app.example"
    assert "authorization" in allowed.headers["access-control-allow-headers"]
    answer = await shared.alice.get("/v1/whoami", headers=page | key)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    assert "access-control-allow-credentials" not in answer.headers
    for other in ({"origin": "https://evil.example"}, {"host": "evil.example"}):
        assert (await shared.alice.get("/v1/whoami", headers=page | key | other)).status_code in (403, 421)


async def test_a_thousand_readers_of_events_are_told(start_server: StartServer) -> None:
    port = free_port()
    server = await start_server(server={"http_port": port, "max_streams": 4 * READERS})
    head = (
        "GET /v1/memories:watch?from_beginning=true HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n"
        f"authorization: Bearer {server.keys.alice}\r\n\r\n"
    )

    async def open_one() -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode())
        assert b" 200 " in await reader.readline()
        writers.append(writer)
        return reader

    writers: list[asyncio.StreamWriter] = []
    async with asyncio.timeout(PATIENCE_SECONDS):
        readers = await asyncio.gather(*(open_one() for _ in range(READERS)))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
            key = {"authorization": f"Bearer {server.keys.alice}"}
            sent = {"memory": {"content": "told to all 🌙"}}
            assert (await client.post("/v1/memories", json=sent, headers=key)).status_code == 200
        await asyncio.gather(*(reader.readuntil("told to all 🌙".encode()) for reader in readers))
    for writer in writers:
        writer.close()
