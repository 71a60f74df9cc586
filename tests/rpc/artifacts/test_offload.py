"""OffloadOutput: short output stays, long output is kept, and what stands in its place tells the most for its
tokens."""

import asyncio
import json
from typing import Any

import grpc
import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import memory_pb2 as memory

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import listed, offload, output, put, read
from tests.rpc.tool_outputs import cargo_log, npm_log, pytest_log
from tests.server_fixtures import Server, StartServer, refused

# Most tokens that a text of this size may cost, whatever it is.
ORDINARY_TOKENS = 350

SHORT = {
    "english": "3 files changed, 40 insertions(+), 2 deletions(-)\n",
    "chinese": "構建失敗：第 3 行，缺少分號\n",
    "arabic": "فشل البناء في السطر ٣\n",
    "emoji": "👩‍👩‍👧‍👦 ok 🧠🇩🇪\n",
    "combining": "e\u0301 a\u0308 क्षि\n",
    "thai": "การทดสอบล้มเหลว\n",
    "one space": " ",
    "carriage returns": "a\r\nb\rc\r\n",
    "escapes": "\x1b[31mred\x1b[0m \x00 \x07\n",
    "byte order mark": "\ufeffbegin\n",
}


async def test_short_output_comes_back_as_it_is_and_is_not_stored(server: Server) -> None:
    for name, text in SHORT.items():
        answer = await offload(server.alice, text, name=name)
        assert answer.WhichOneof("outcome") == "inline", name
        assert answer.inline == answer.text == text
        assert answer.output_tokens == answer.text_tokens > 0
        assert not answer.HasField("preview")
    assert await listed(server.alice) == []


NOT_UTF_8 = {
    b"caf\xe9 ok": "caf\ufffd ok",
    b"\xff\xfe\xfd": "\ufffd\ufffd\ufffd",
    b"cut \xf0\x9f\x99": "cut \ufffd",
    b"\xed\xa0\x80 lone surrogate": "\ufffd\ufffd\ufffd lone surrogate",
}


async def test_what_is_no_utf_8_is_replaced_in_line(server: Server) -> None:
    for data, text in NOT_UTF_8.items():
        assert (await offload(server.alice, data)).inline == text
        kept = (await offload(server.alice, data, threshold_tokens=1)).artifact
        assert await read(server.alice, kept.artifact_id) == data


async def test_the_threshold_is_exact(server: Server) -> None:
    for text in ("word " * 40, "構建失敗 " * 30, "🧠🙂 " * 30, "x = [1, 2]\n" * 20):
        tokens = (await offload(server.alice, text, threshold_tokens=100_000)).output_tokens
        at = await offload(server.alice, text, threshold_tokens=tokens)
        assert (at.WhichOneof("outcome"), at.inline) == ("inline", text)
        above = await offload(server.alice, text, threshold_tokens=tokens - 1)
        assert above.WhichOneof("outcome") == "artifact"
        assert above.output_tokens == tokens


async def test_without_a_threshold_500_tokens_stay(server: Server) -> None:
    lines = [f"word {number} ok" for number in range(150)]
    while (await offload(server.alice, "\n".join(lines))).WhichOneof("outcome") == "artifact":
        lines.pop()
    most = await offload(server.alice, "\n".join(lines))
    assert 490 <= most.output_tokens <= 500
    above = await offload(server.alice, "\n".join([*lines, f"word {len(lines)} ok"]))
    assert above.artifact.artifact_id
    assert above.output_tokens > 500


FAILURES: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "pytest": (
        pytest_log(),
        {"tool": "shell", "command": "pytest -q", "exit_code": 1},
        ["test_order_0295", "test_refund_twice", "test_überweisung", "2 failed, 598 passed"],
    ),
    "npm": (
        npm_log(),
        {"tool": "shell", "command": "npm install", "exit_code": 1},
        ["unable to resolve dependency tree", 'peer react@"^17.0.0" from react-table@7.8.0'],
    ),
    "cargo": (
        cargo_log(),
        {"tool": "shell", "command": "cargo test --lib", "exit_code": 101},
        ["lexer::reads_emoji", "src/lexer.rs:88", "499 passed; 1 failed"],
    ),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_long_output_is_kept_and_its_failures_are_named(server: Server, name: str) -> None:
    text, fields, telling = FAILURES[name]
    answer = await offload(server.alice, text, session_id="s1", **fields)
    artifact = answer.artifact
    for words in telling:
        assert words in artifact.summary
    assert f"exit code {fields['exit_code']}" in artifact.summary
    assert artifact.kind == pb.CONTENT_KIND_LOG
    assert artifact.artifact_id.startswith(name)
    assert answer.text.splitlines()[0] == artifact.memory_ref
    assert artifact.summary in answer.text
    assert answer.preview.head in answer.text
    assert answer.preview.tail in answer.text
    assert text.startswith(answer.preview.head.splitlines()[0])
    assert answer.preview.tail.splitlines()[-1] == text.splitlines()[-1]
    assert answer.text_tokens <= ORDINARY_TOKENS
    assert 1.5 < len(text) / answer.output_tokens < 5
    assert await read(server.alice, artifact.artifact_id) == text.encode()
    got = await server.alice(service.GetArtifactRequest(artifact_id=answer.text.splitlines()[0]))
    assert (got.artifact, got.preview) == (artifact, answer.preview)
    for wanted in (pb.ArtifactFilter(session_id="s1"), pb.ArtifactFilter(tool="shell")):
        assert await listed(server.alice, wanted) == [artifact]
    assert await listed(server.alice, pb.ArtifactFilter(session_id="s2")) == []


LONG: dict[str, tuple[bytes, int, int]] = {
    "one line": (b"a b c " * 100_000, 500, 1),
    "one word": (b"x" * 300_000, 700, 1),
    "newlines": (b"\n" * 100_000, 150, 100_000),
    "chinese": (("構建失敗：缺少分號 " * 5 + "\n").encode() * 2_000, 900, 2_000),
    "arabic": ("فشل البناء في السطر\n".encode() * 5_000, 400, 5_000),
    "emoji": ("👩‍👩‍👧‍👦🇩🇪\n".encode() * 2_000, 900, 2_000),
    "combining": (("e\u0301" * 500 + "\n").encode() * 50, 2_000, 50),
    "marks upon marks": (("a" + "\u0301" * 60_000).encode(), 900, 1),
    "json": (json.dumps([{"id": i, "名": f"x{i}"} for i in range(9_000)]).encode(), 400, 1),
    "progress": (b"".join(b"\r%d%%" % (i % 100) for i in range(9_000)) + b"\ndone\n", 150, 2),
    "binary": (bytes(range(256)) * 400, 100, 0),
}


async def test_whatever_is_put_out_little_stands_in_its_place(server: Server) -> None:
    for name, (data, most_tokens, lines) in LONG.items():
        answer = await offload(server.alice, data)
        artifact = answer.artifact
        assert answer.text.splitlines()[0] == artifact.memory_ref
        assert 0 < answer.text_tokens <= most_tokens, name
        assert answer.text_tokens < answer.output_tokens
        assert 0 < len(artifact.summary) <= 2_000
        assert max(len(answer.preview.head), len(answer.preview.tail)) <= 2_000
        assert artifact.line_count == lines, name
        assert answer.HasField("preview") == (name != "binary")
        assert await read(server.alice, artifact.artifact_id) == data


async def test_a_repeated_request_stores_nothing_more(server: Server, database: TestDatabase) -> None:
    text = npm_log()
    first = await offload(server.alice, text, request_id="once", command="npm install")
    again = await offload(server.alice, text, request_id="once", command="npm install")
    assert again == first
    at_once = await asyncio.gather(*(offload(server.alice, text, request_id="twice") for _ in range(5)))
    assert len({each.artifact.artifact_id for each in at_once}) == 1
    assert len(await listed(server.alice)) == 2
    for other in (
        output(text + "!", request_id="once", command="npm install"),
        output(text, request_id="once", command="npm ci"),
    ):
        told = await refused(server.alice(other))
        assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    assert len(await listed(server.alice)) == 2


async def test_one_content_offloaded_twice_is_kept_once(server: Server) -> None:
    one = await offload(server.alice, npm_log(), name="one")
    put_too = await put(server.alice, npm_log().encode(), name="two")
    assert one.artifact.sha256 == put_too.artifact.sha256
    assert one.artifact.summary
    first = service.DeleteArtifactRequest(artifact_id=one.artifact.artifact_id)
    assert not (await server.alice(first)).receipt.bytes_deleted
    assert await read(server.alice, put_too.artifact.artifact_id) == npm_log().encode()


async def test_confidential_output_is_kept_under_its_level(server: Server) -> None:
    answer = await offload(
        server.alice, npm_log(), sensitivity=memory.SENSITIVITY_CONFIDENTIAL, command="npm install", is_shared=True
    )
    assert answer.artifact.sensitivity == memory.SENSITIVITY_CONFIDENTIAL
    # The id does not show what is encrypted either.
    assert answer.artifact.artifact_id.startswith("artifact_")
    assert "npm install" in answer.text
    assert await read(server.alice, answer.artifact.artifact_id) == npm_log().encode()
    told = await refused(offload(server.alice, npm_log(), sensitivity=memory.SENSITIVITY_RESTRICTED, is_shared=True))
    assert told.fields == ("artifact.sensitivity",)


async def test_empty_output_is_refused(server: Server) -> None:
    told = await refused(offload(server.alice, b""))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert told.fields == ("output",)


async def test_output_up_to_the_limit_of_a_message_is_taken(start_server: StartServer) -> None:
    server = await start_server(server={"max_message_bytes": 1024 * 1024})
    told = await refused(offload(server.alice, b"x" * (1024 * 1024 + 1)))
    assert told.code == grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(1024 * 1024) in told.message
    assert await listed(server.alice) == []
    most = await offload(server.alice, b"x y\n" * (256 * 1024 - 10))
    assert most.artifact.size_bytes == 1024 * 1024 - 40
    assert 256 * 1024 <= most.output_tokens < 1024 * 1024


async def test_output_beyond_what_an_artifact_may_hold_or_a_quota_is_refused(start_server: StartServer) -> None:
    server = await start_server(artifacts={"max_bytes": 100_000, "quota_bytes": 150_000})
    told = await refused(offload(server.alice, b"x y\n" * 25_001))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert told.fields == ("output",)
    await offload(server.alice, b"x y\n" * 25_000)
    told = await refused(offload(server.alice, b"z y\n" * 25_000))
    assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    assert len(await listed(server.alice)) == 1
