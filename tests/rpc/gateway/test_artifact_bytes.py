"""Bytes of artifacts by HTTP: ranges, validators, uploads that break and go on."""

import asyncio
import hashlib
import random
import subprocess
from base64 import b64encode
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from camillo.v1 import artifact_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import Web

NAME = "日志 🌙 تقرير.log"
BYTES = random.Random(7).randbytes(3 * 1024 * 1024 + 17)  # noqa: S311
UPLOAD = "/v1/artifacts/upload"


def digest_of(content: bytes) -> str:
    return f"sha-256=:{b64encode(hashlib.sha256(content).digest()).decode()}:"


async def put(web: Web, content: bytes, **stated: str) -> httpx.Response:
    """Stored; the answer."""
    answer = await web.alice.put(UPLOAD, params=stated, content=content)
    assert answer.status_code == 201, answer.text
    return answer


async def test_what_is_put_comes_back_with_what_was_said_about_it(web: Web) -> None:
    stored = await put(web, BYTES, name=NAME, media_type="text/x-log", tags="一")
    artifact = stored.json()["artifact"]
    assert (artifact["name"], artifact["tags"]) == (NAME, ["一"])
    answer = await web.alice.get(stored.headers["location"])
    assert answer.content == BYTES
    assert answer.headers["etag"] == stored.headers["etag"] == f'"{hashlib.sha256(BYTES).hexdigest()}"'
    assert answer.headers["content-type"] == "text/x-log"
    assert answer.headers["content-length"] == str(len(BYTES))
    assert answer.headers["x-content-type-options"] == "nosniff"
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment; filename*=UTF-8''%E6%97%A5")
    by_grpc = await web.server.alice(service.GetArtifactRequest(artifact_id=artifact["artifactId"]))
    assert by_grpc.artifact.sha256 == hashlib.sha256(BYTES).digest()


@pytest.mark.parametrize(
    ("range", "expected"),
    [
        ("bytes=0-0", BYTES[:1]),
        ("bytes=1000000-2000000", BYTES[1_000_000:2_000_001]),
        ("bytes=3145000-", BYTES[3_145_000:]),
        ("bytes=3145000-99999999999", BYTES[3_145_000:]),
        ("bytes=-17", BYTES[-17:]),
        ("bytes=-99999999", BYTES),
    ],
)
async def test_a_range_is_a_part(web: Web, range: str, expected: bytes) -> None:
    location = (await put(web, BYTES)).headers["location"]
    answer = await web.alice.get(location, headers={"range": range})
    assert (answer.status_code, answer.content) == (206, expected)
    start = len(BYTES) - len(expected) if "=-" in range else int(range[6:].split("-")[0])
    end = start + len(expected) - 1
    assert answer.headers["content-range"] == f"bytes {start}-{end}/{len(BYTES)}"


async def test_validators_and_ranges_that_are_none(web: Web) -> None:
    stored = await put(web, BYTES)
    location, tag = stored.headers["location"], stored.headers["etag"]

    async def get(**headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await web.alice.get(location, headers=named)

    for tags in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        unchanged = await get(if_none_match=tags)
        assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert (await get(if_none_match='"other"')).status_code == 200
    for none in ("bytes=5-1,7-9", "lines=1-2", "bytes=-", "bytes=a-b"):
        assert (await get(range=none)).status_code == 200
    beyond = await get(range=f"bytes={len(BYTES)}-")
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{len(BYTES)}")
    assert (await get(range="bytes=9-3")).status_code == 416
    assert (await get(range="bytes=0-9", if_range=tag)).status_code == 206
    assert (await get(range="bytes=0-9", if_range='"before"')).status_code == 200
    head = await web.alice.head(location)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(BYTES))


async def test_an_upload_that_broke_goes_on_where_it_ended(web: Web) -> None:
    upload_id, sent = str(uuid4()), 2 * 1024 * 1024
    _, writer = await asyncio.open_connection("127.0.0.1", web.port)
    head = (
        f"PUT {UPLOAD}?upload_id={upload_id} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(BYTES)}\r\n"
        f"authorization: Bearer {web.server.keys.alice}\r\n\r\n"
    )
    writer.write(head.encode() + BYTES[:sent])
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await held_bytes(web, upload_id):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    writer.close()
    held = await held_bytes(web, upload_id)
    assert 0 < held <= sent
    rest = {
        "content-range": f"bytes {held}-{len(BYTES) - 1}/{len(BYTES)}",
        "camillo-prefix-digest": digest_of(BYTES[:held]),
    }
    other = {**rest, "camillo-prefix-digest": digest_of(b"other")}
    for headers in (other, {"content-range": rest["content-range"]}):
        refused = await web.alice.put(UPLOAD, params={"upload_id": upload_id}, content=BYTES[held:], headers=headers)
        assert refused.status_code in (400, 409), refused.text
    answer = await web.alice.put(UPLOAD, params={"upload_id": upload_id}, content=BYTES[held:], headers=rest)
    assert answer.status_code == 201, answer.text
    assert (await web.alice.get(answer.headers["location"])).content == BYTES


async def held_bytes(web: Web, upload_id: str) -> int:
    answer = await web.alice.get(f"/v1/uploads/{upload_id}")
    return int(answer.json().get("heldBytes", 0)) if answer.status_code == 200 else 0


async def test_what_is_wrong_with_an_upload_is_said_and_nothing_kept(web: Web) -> None:
    for headers, reason in (
        ({"content-digest": digest_of(b"other")}, "CONTENT_MISMATCH"),
        ({"content-digest": "md5=:AAAA:"}, "INVALID_FIELD"),
        ({"content-range": "bytes 0-9/100"}, "INVALID_FIELD"),
        ({"content-range": "bytes */100"}, "INVALID_FIELD"),
    ):
        answer = await web.alice.put(UPLOAD, content=BYTES, headers=headers)
        assert (answer.status_code, answer.json()["details"][0]["reason"]) == (400, reason)
    unknown = await web.alice.put(UPLOAD, params={"colour": "red"}, content=b"some")
    assert (unknown.status_code, "colour" in unknown.text) == (400, True)
    assert (await web.alice.post(UPLOAD, content=b"some")).headers["allow"] == "PUT"
    assert (await web.alice.get("/v1/artifacts")).json() == {}
    await put(web, b"some")
    assert len((await web.alice.get("/v1/artifacts")).json()["artifacts"]) == 1


async def test_bytes_are_for_those_who_may_read_them(web: Web) -> None:
    location = (await put(web, BYTES)).headers["location"]
    rival = web.with_key(web.server.keys.rival)
    assert (await web.alice.get(location, headers=rival)).status_code == 404
    nobody = await web.alice.get(location, headers=web.with_key("cam_nobody"))
    assert (nobody.status_code, nobody.headers["www-authenticate"]) == (401, "Bearer")
    reader = web.with_key(web.server.keys.reader)
    assert (await web.alice.put(UPLOAD, content=b"x", headers=reader)).status_code == 403
    assert (await web.alice.get(location, headers=reader)).content == BYTES


async def test_a_page_that_was_stored_is_shown_by_no_browser(web: Web) -> None:
    page = b"<script>alert(1)</script>"
    for media_type, expected in (
        ("text/html", "text/html"),
        ("text/html\r\nset-cookie: a=b", "application/octet-stream"),
        ("javascript", "application/octet-stream"),
    ):
        location = (await put(web, page, media_type=media_type)).headers["location"]
        headers = (await web.alice.get(location)).headers
        assert headers["content-type"] == expected
        assert headers["content-disposition"].startswith("attachment")
        assert "sandbox" in headers["content-security-policy"]
        assert "set-cookie" not in headers


async def test_curl_puts_and_goes_on_with_a_download(web: Web, tmp_path: Path) -> None:
    sent, got = tmp_path / "sent", tmp_path / "got"
    sent.write_bytes(BYTES)
    authorization = ("-sS", "--fail-with-body", "-H", f"authorization: Bearer {web.server.keys.alice}")
    address = f"http://127.0.0.1:{web.port}"

    async def curl(*arguments: str) -> bytes:
        done = await asyncio.to_thread(
            subprocess.run, ["curl", *authorization, *arguments], capture_output=True, check=False
        )
        assert not done.returncode, done
        return done.stdout

    headers = await curl("-D", "-", "-o", "/dev/null", "-T", str(sent), f"{address}{UPLOAD}")
    location = next(line.split(": ")[1] for line in headers.decode().splitlines() if line.startswith("location"))
    got.write_bytes(BYTES[:1_000_000])
    await curl("-C", "-", "-o", str(got), f"{address}{location}")
    assert got.read_bytes() == BYTES
