"""Secrets in artifacts: taken out of the bytes and of every field, told to the caller, and found nowhere afterwards."""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import grpc
import pytest
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import memory_pb2 as memory

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, offload, put, read, upload
from tests.rpc.search.masked_text import Text, assert_nowhere, counted, text_of, told
from tests.rpc.test_secrets import CONTROL, stored_texts, telling_lines
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, StartServer, refusal

SECRETS = samples(11)
FILLER = "".join(f"строка {i} 構建 ok 🔧\n" for i in range(40_000)).encode()


def all_kinds(secrets: dict[str, str] = SECRETS) -> Text:
    """A secret of each kind, words in many scripts around it."""
    parts: list[bytes | tuple[str, str]] = []
    for kind, secret in secrets.items():
        parts += ["鍵 🔑 مفتاح é ".encode(), (kind, secret), f" {CONTROL} {kind}\n".encode()]
    return text_of(*parts)


def across(border_of: int, shift: float) -> Text:
    """A secret of each kind across a border of its own: so much of it (0 to 1) before."""
    parts: list[bytes | tuple[str, str]] = []
    size = 0
    for number, (kind, secret) in enumerate(SECRETS.items(), 1):
        start = number * border_of - round(shift * len(secret))
        fill = FILLER[: start - size - 1]
        parts += [fill + b"." * (start - size - 1 - len(fill)) + b" ", (kind, secret), b" "]
        size = start + len(secret) + 1
    return text_of(*parts, CONTROL.encode())


async def assert_told(caller: Caller, answer: service.PutArtifactResponse, text: Text) -> None:
    """Checks that answers tell what was redacted, now and later, and that all else is there."""
    artifact = answer.artifact
    assert told(answer.redactions) == text.told
    assert counted(artifact) == Counter(kind for kind, _ in text.told)
    kept = await read(caller, artifact.artifact_id)
    text.assert_masked(kept)
    assert artifact.sha256 == sha256(kept).digest()
    got = await caller(service.GetArtifactRequest(artifact_id=artifact.artifact_id))
    assert told(got.redactions) == text.told
    assert got.artifact == artifact


@pytest.mark.parametrize("sensitivity", [memory.SENSITIVITY_INTERNAL, memory.SENSITIVITY_RESTRICTED])
async def test_however_the_messages_are_cut_every_secret_is_masked(
    server: Server, database: TestDatabase, caplog: pytest.LogCaptureFixture, sensitivity: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    text = all_kinds()
    answers = []
    for size in (1, 2, 7, len(text.data)):
        answer = await put(
            server.alice,
            text.data,
            message_bytes=size,
            sensitivity=sensitivity,
            description=CONTROL,
            session_id=CONTROL,
        )
        await assert_told(server.alice, answer, text)
        answers.append(answer)
    # Uncompressed, so that the search of what is stored shows it.
    await put(server.alice, CONTROL.encode())
    assert_nowhere(database, SECRETS.values(), also=answers)
    logging.getLogger("camillo_server").debug(CONTROL)
    assert CONTROL in caplog.text
    assert not any(line in caplog.text for each in SECRETS.values() for line in telling_lines(each))


async def test_messages_cut_at_random_give_the_same(server: Server) -> None:
    dice = random.Random(5)  # noqa: S311
    text = all_kinds()
    hashes = set()
    for _ in range(12):
        messages = cut_at(text.data, dice.sample(range(1, len(text.data)), dice.randrange(1, 200)))
        answer = await server.alice.send(messages, "PutArtifact")
        hashes.add(answer.artifact.sha256)
        assert told(answer.redactions) == text.told
    assert len(hashes) == 1


def cut_at(data: bytes, places: Iterable[int]) -> Iterable[service.PutArtifactRequest]:
    """An upload whose messages begin at these places."""
    header, *_, finish = upload(data)
    yield header
    starts = [0, *sorted(places)]
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        part = service.ArtifactBytes(offset=start, data=data[start:end])
        yield service.PutArtifactRequest(bytes=part)
    yield finish


@pytest.mark.parametrize("share_before", [0.0, 0.02, 0.5, 0.98, 1.0])
async def test_secrets_across_the_borders_of_parts_are_masked(
    server: Server, database: TestDatabase, share_before: float
) -> None:
    text = across(MIB, share_before)
    answer = await put(server.alice, text.data, description=CONTROL)
    await assert_told(server.alice, answer, text)
    assert_nowhere(database, SECRETS.values(), also=[answer])


async def test_secrets_where_an_upload_broke_off_are_masked(
    start_server: StartServer, database: TestDatabase, tmp_path: Path
) -> None:
    """No secret is stored even in between, nor by a server whose bytes lie in files."""
    bytes_at = tmp_path / "bytes"
    server = await start_server(artifacts={"store_url": f"file://{bytes_at}"})
    await put(server.alice, CONTROL.encode(), description=CONTROL)
    held = Counter[int]()
    for number, kind in enumerate(SECRETS):
        text = broken_text(kind, float(number % 2))
        upload_id = str(uuid4())
        offset = await break_off(server, text.data, upload_id)
        held[offset] += 1
        assert_nowhere(database, SECRETS.values(), bytes_at)
        rest = text.data[offset:]
        answer = await put(server.alice, rest, **going_on(text.data, upload_id, offset))
        await assert_told(server.alice, answer, text)
        await server.alice(service.DeleteArtifactRequest(artifact_id=answer.artifact.artifact_id))
    assert held[MIB]
    assert not held.keys() - {MIB, 3 * MIB}
    assert_nowhere(database, SECRETS.values(), tmp_path)


def broken_text(kind: str, share_before: float) -> Text:
    """Four parts: the secret at the first border, across the second, and what tells of another before the third."""
    key = "q8Zt2Lw9PmX4vB7nR5cK1dF6"
    one, two = (kind, SECRETS[kind]), ("generic-api-key", key)
    first = filled(MIB - round(share_before * len(one[1])))
    second = filled(2 * MIB - len(first) - len(one[1]) - len(one[1]) // 2)
    told = b' api_key = "'
    third = filled(MIB - (len(one[1]) - len(one[1]) // 2) - len(told))
    return text_of(first, one, second, one, third + told, two, b'"\n', filled(MIB // 2))


def filled(size: int) -> bytes:
    """Filler of so many bytes; the first and the last are spaces."""
    whole = FILLER[: size - 2].decode("utf-8", "ignore").encode()
    return b" " + whole + b" " * (size - 1 - len(whole))


def going_on(data: bytes, upload_id: str, offset: int) -> dict[str, Any]:
    prefix = sha256(data[:offset]).digest() if offset else b""
    return {"upload_id": upload_id, "offset": offset, "prefix_sha256": prefix}


async def break_off(server: Server, data: bytes, upload_id: str) -> int:
    """Sends all but the finish and breaks off when a part is held: how many bytes are then."""
    enough = asyncio.Event()

    async def messages() -> AsyncIterator[service.PutArtifactRequest]:
        for message in list(upload(data, upload_id=upload_id))[:-1]:
            yield message
        await enough.wait()

    sending = asyncio.create_task(server.alice.send(messages(), "PutArtifact"))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await held_bytes(server, upload_id) == 0:
            assert not sending.done(), sending.exception()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    return await held_bytes(server, upload_id)


async def held_bytes(server: Server, upload_id: str) -> int:
    """0 while there is no upload."""
    try:
        answer = await server.alice(service.GetUploadRequest(upload_id=upload_id))
    except grpc.aio.AioRpcError as error:
        if refusal(error).reason != "UPLOAD_NOT_FOUND":
            raise
        return 0
    return int(answer.held_bytes)


async def test_what_is_offloaded_has_no_secret_left_inline_or_stored(
    server: Server, database: TestDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    text = all_kinds()
    inline = await offload(server.alice, text.data, threshold_tokens=100_000, request_id="a")
    assert inline.text == inline.inline
    text.assert_masked(inline.inline.encode())
    assert told(inline.redactions) == text.told
    stored = await offload(server.alice, text.data, threshold_tokens=1, request_id="b", description=CONTROL)
    assert told(stored.redactions) == text.told
    assert counted(stored.artifact) == Counter(kind for kind, _ in text.told)
    text.assert_masked(await read(server.alice, stored.artifact.artifact_id))
    page = await server.alice(
        service.ReadArtifactPageRequest(artifact_id=stored.artifact.artifact_id, max_tokens=32_000)
    )
    text.assert_masked(page.text.encode())
    assert_nowhere(database, SECRETS.values(), also=[inline, stored, page])
    assert not any(line in caplog.text for each in SECRETS.values() for line in telling_lines(each))


@pytest.mark.parametrize("how", ["escapes", "backspace", "utf-16"])
@pytest.mark.parametrize("size", [1, MIB])
async def test_a_secret_that_only_a_reader_would_see_is_shown_to_none(
    server: Server, database: TestDatabase, how: str, size: int
) -> None:
    """The secret is interrupted in its bytes, but would be whole in the summary and in the preview."""
    pat = SECRETS["github-pat"]
    between = {"escapes": "\x1b[m\x1b[K", "backspace": "\b", "utf-16": ""}[how]
    line = f"ERROR: {CONTROL} {'x' * 60} \x1b[31mghp_{between}{pat[4:]} {CONTROL}\n"
    fill = "заполнение ok\n" * (size // 16)
    data = (line + fill + line + fill + line).encode("utf-16" if how == "utf-16" else "utf-8")
    stored = await offload(server.alice, data, threshold_tokens=1, tool="shell", exit_code=1)
    shown = [stored.text, stored.artifact.summary, stored.preview.head]
    assert all(f"ERROR: {CONTROL}" in text for text in shown)
    assert not any(pat[4:20] in text for text in [*shown, str(stored), stored_texts(database)])
    assert "[redacted" in stored.preview.head
