"""A7 and A8 by HTTP: channels and secrets are the server's affair, whichever way a caller comes."""

import base64
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from camillo_client import AsyncCamillo

from tests.patience import PATIENCE_SECONDS
from tests.rpc.test_secrets import CONTROL, assert_nowhere, telling_lines
from tests.scenarios.conftest import in_memory
from tests.scenarios.test_a07_channels import (
    ALLOWED,
    PREFERENCE,
    PRIVATE_DECISION,
    WORD,
    ChannelName,
    Shown,
    store_everything,
)
from tests.secret_samples import samples
from tests.server_fixtures import ANY_PORT, Server

SECRETS = samples(9)


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """A server that answers by HTTP, too."""
    return {"server": {"http_port": ANY_PORT}, "memory": {"embedding_model": "lexical", "embedding_dimensions": None}}


@pytest.fixture
async def http(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """Alice, with a key alone."""
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.http_port}",
        headers={"authorization": f"Bearer {server.keys.alice}"},
        timeout=PATIENCE_SECONDS,
    ) as client:
        yield client


@pytest.mark.parametrize("channel", ALLOWED)
async def test_a_channel_shows_what_it_may(alice: AsyncCamillo, http: httpx.AsyncClient, channel: ChannelName) -> None:
    await store_everything(alice)
    await in_memory(alice)
    asked = {"channel": f"CHANNEL_{channel.upper()}"}
    build = {**asked, "queryText": f"{WORD} keeper", "sessionId": "s"}
    answer = await http.post("/v1/context:bundle", json=build)
    assert answer.status_code == 200, answer.text
    shown = Shown.of(answer.json()["bundle"]["prompt"])
    for kind in ("memory", "pinned", "event", "decision", "task"):
        assert shown.levels(kind) == ALLOWED[channel], kind
    sources = ["SOURCE_MEMORY", "SOURCE_EVENT", "SOURCE_DECISION", "SOURCE_SLOT"]
    recall = {**asked, "text": f"{WORD} keeper", "sources": sources, "limit": 100}
    found = Shown.of((await http.post("/v1/memories:recall", json=recall)).text)
    listed = Shown.of((await http.get("/v1/events", params=asked)).text)
    for kind in ("memory", "pinned", "event", "slot"):
        assert found.levels(kind) == ALLOWED[channel], kind
    assert listed.levels("event") == ALLOWED[channel]
    for mark in (PREFERENCE, PRIVATE_DECISION):
        assert (mark in found.marks) == (channel != "public")


@pytest.mark.own_server
@pytest.mark.timeout(300)
async def test_no_secret_is_kept(server: Server, http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for secret in SECRETS.values():
        await send_everywhere(http, secret)
        assert_unsaid(secret, caplog.text)
    assert_nowhere(server.database, [*SECRETS.values()])


async def send_everywhere(http: httpx.AsyncClient, secret: str) -> None:
    """Writes a text with the secret in each way; every answer tells of it, and none says it."""
    text = f"前 {CONTROL} {secret} 後"
    actor = {"type": "ACTOR_TYPE_HUMAN", "id": "ann"}
    nested = {"a": [{"token": secret, "b": {"c": [text]}}]}
    sent = (
        ("POST", "/v1/memories", {"memory": {"content": text}}),
        ("POST", "/v1/events", {"event": {"sessionId": "s", "actor": actor, "text": text}}),
        ("POST", "/v1/events", {"event": {"sessionId": "s", "actor": actor, "json": nested}}),
        ("POST", "/v1/artifacts:offload", {"output": encoded(f"{text}\n" * 2_000)}),
    )
    for method, path, body in sent:
        answer = await http.request(method, path, json=body)
        assert (answer.status_code, "redactions" in answer.text.lower()) == (200, True), answer.text
        assert_unsaid(secret, answer.text)
    lines = json.dumps({"memories": [{"content": f"{text} of an import"}]})
    answer = await http.post("/camillo.v1.MemoryService/ImportMemories", content=lines)
    assert answer.json()["redactions"]
    content = (f"{CONTROL}\n" * 9_000 + text).encode()
    answer = await http.put("/v1/artifacts/upload", content=content)
    assert answer.json()["redactions"]
    bytes_of = await http.get(answer.headers["location"])
    assert len(bytes_of.content) == len(content)
    assert_unsaid(secret, bytes_of.text)
    assert CONTROL in bytes_of.text


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def assert_unsaid(secret: str, text: str) -> None:
    for line in telling_lines(secret):
        assert line not in text
