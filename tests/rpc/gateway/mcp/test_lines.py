"""`camillo mcp` line by line: every request gets an answer, whatever the line holds."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from camillo_server.doors.gateway.mcp.stdio import MAX_LINE_BYTES

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.mcp.test_stdio import program, raw_process
from tests.server_fixtures import Server, StartServer

PING = b'{"jsonrpc":"2.0","id":"p","method":"ping"}'
HALF = (
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember","arguments":{"content":"cut \\ud83d"}}}'
)
REFUSED_LINES = [
    (b'{"jsonrpc":"2.0","id":701,"method":', None, -32700),
    (b"no json", None, -32700),
    (b"\xff\xfe\x00", None, -32700),
    ('{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"), None, -32700),
    (b"[" * 100_000, None, -32700),
    (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', None, -32700),
    (b'{"id":' + b"9" * 5000 + b"}", None, -32700),
    (b"[]", None, -32600),
    (b"7", None, -32600),
    (b'"text"', None, -32600),
    (b"null", None, -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"1.0","id":2,"method":"ping"}', 2, -32600),
    (b'{"jsonrpc":"2.0","id":3}', 3, -32600),
    (b'{"jsonrpc":"2.0","id":4,"method":7}', 4, -32600),
    (b'{"jsonrpc":"2.0","id":5,"method":"no/such"}', 5, -32601),
    (b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":[1]}', 6, -32602),
    (b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{}}', 8, -32602),
    (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"no such"}}', 9, -32602),
    (b'{"jsonrpc":"2.0","id":10,"method":"resources/read","params":{"uri":7}}', 10, -32602),
    (b'{"jsonrpc":"2.0","id":11,"method":"prompts/get","params":{"name":"none"}}', 11, -32602),
    (b'{"jsonrpc":"2.0","id":"\\ud83d","method":"no/such"}', "\ud83d", -32601),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"no/such"}', 1.5, -32601),
]


class RawClient:
    """Sends bytes and reads lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.sink, self._source = process.stdin, process.stdout

    async def answer(self, line: bytes) -> Any:
        self.sink.write(line + b"\n")
        return await self.read()

    async def read(self) -> Any:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return json.loads(await self._source.readline())


@asynccontextmanager
async def raw_client(server: Server) -> AsyncIterator[RawClient]:
    started = program("--address", server.address, key=server.keys.alice)
    async with raw_process(started) as process:
        yield RawClient(process)


async def test_every_line_gets_an_answer(server: Server) -> None:
    async with raw_client(server) as client:
        for line, number, code in REFUSED_LINES:
            answer = await client.answer(line)
            assert (answer["id"], answer["error"]["code"]) == (number, code), line[:80]
            assert answer["error"]["message"]
        answer = await client.answer(HALF)
        assert answer["id"] == 7
        assert "half of a character" in answer["result"]["content"][0]["text"]
        assert (await client.answer(PING))["result"] == {}


async def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered(server: Server) -> None:
    async with raw_client(server) as client:
        answer = await client.answer(b'{"a":"' + b"x" * MAX_LINE_BYTES + b'"}')
        assert answer["error"]["code"] == -32600
        assert str(MAX_LINE_BYTES) in answer["error"]["message"]
        assert (await client.answer(PING))["result"] == {}


async def test_marks_and_ends_of_lines_of_other_systems_are_read(server: Server) -> None:
    async with raw_client(server) as client:
        assert (await client.answer(b"\xef\xbb\xbf" + PING))["result"] == {}
        assert (await client.answer(PING + b"\r"))["result"] == {}
        assert (await client.answer(b"\n \n" + PING))["result"] == {}


async def test_a_batch_is_answered_as_one(server: Server) -> None:
    call = {"name": "remember", "arguments": {"content": "批处理 batch 🌙"}}
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        7,
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    async with raw_client(server) as client:
        answers = await client.answer(json.dumps(batch).encode())
        assert [each["id"] for each in answers] == [1, None, 2]
        assert answers[0]["result"] == {}
        assert answers[1]["error"]["code"] == -32600
        assert "remembered as" in answers[2]["result"]["content"][0]["text"]
        # A message without an id has no answer, and neither has an answer.
        lines = [
            b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
            b'{"jsonrpc":"2.0","id":1,"result":{}}',
            PING,
        ]
        assert (await client.answer(b"\n".join(lines)))["id"] == "p"


async def test_every_revision_with_a_handshake_is_spoken(server: Server) -> None:
    async with raw_client(server) as client:
        for asked, agreed in (
            ("2024-11-05", "2024-11-05"),
            ("2025-03-26", "2025-03-26"),
            ("2025-06-18", "2025-06-18"),
            ("1999-01-01", "2025-11-25"),
            (None, "2025-11-25"),
        ):
            first = {"jsonrpc": "2.0", "id": 0, "method": "initialize"}
            answer = await client.answer(json.dumps({**first, "params": {"protocolVersion": asked}}).encode())
            assert answer["result"]["protocolVersion"] == agreed


async def test_what_was_asked_before_the_end_is_answered(server: Server) -> None:
    call = {"name": "remember", "arguments": {"content": "the last words"}}
    line = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    async with raw_client(server) as client:
        # Without a line's end.
        client.sink.write(json.dumps(line).encode())
        client.sink.close()
        assert "remembered as" in (await client.read())["result"]["content"][0]["text"]


async def test_what_fits_nothing_is_told_as_nothing(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical", "embedding_dimensions": 384})
    async with raw_client(server) as client:
        for number, content in enumerate(
            ("Kim takes insulin at eight", "Ana prefers tea", "The boiler was serviced in May")
        ):
            await client.answer(called(number, "remember", content=content))
        found = await client.answer(called(8, "recall", query="when does Kim take insulin?"))
        assert "insulin" in found["result"]["content"][0]["text"]
        found = await client.answer(called(9, "recall", query="quantum chromodynamics lattice"))
        assert found["result"]["content"][0]["text"] == "nothing is remembered about that"
        assert found["result"]["structuredContent"]["ids"] == []
        dry = await client.answer(called(10, "forget", query="quantum chromodynamics lattice"))
        assert dry["result"]["content"][0]["text"] == "no memory matches"


def called(number: int, tool: str, **arguments: Any) -> bytes:
    params = {"name": tool, "arguments": arguments}
    line = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    return json.dumps(line).encode()
