"""The EventSource of JavaScript reads a watch; that of Node does not connect again where a connection broke, as
browsers do."""

import asyncio
import json
import os
import shutil

import pytest

from tests.patience import PATIENCE_SECONDS
from tests.rpc.gateway.conftest import Web

PROGRAM = """
const events = new EventSource(process.argv[1]);
events.onmessage = (event) => {
  const text = JSON.parse(event.data).change?.changed?.content;
  if (text) console.log(JSON.stringify(text));
};
"""


@pytest.mark.skipif(shutil.which("node") is None and "CI" not in os.environ, reason="node is not here")
async def test_it_is_told_of_changes(web: Web) -> None:
    url = f"http://127.0.0.1:{web.port}/v1/memories:watch?from_beginning=true&access_token="

    async def remember(text: str) -> None:
        await web.alice.post("/v1/memories", json={"memory": {"content": text}})

    await remember("first 🌙")
    reading = await asyncio.create_subprocess_exec(
        "node",
        "--experimental-eventsource",
        "--no-warnings",
        "-e",
        PROGRAM,
        url + web.server.keys.alice,
        stdout=asyncio.subprocess.PIPE,
    )
    assert reading.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert json.loads(await reading.stdout.readline()) == "first 🌙"
            await remember("second والعربية")
            assert json.loads(await reading.stdout.readline()) == "second والعربية"
    finally:
        reading.kill()
        await reading.wait()


async def test_a_key_in_a_query_is_for_events_alone(web: Web) -> None:
    web.alice.headers.pop("authorization")
    key = web.server.keys.alice
    events = {"accept": "text/event-stream"}
    for accept in ({}, events):
        asked = await web.alice.get("/v1/memories", params={"access_token": key}, headers=accept)
        assert asked.status_code == 401
    query = {"from_beginning": "true", "access_token": key}
    async with web.alice.stream("GET", "/v1/memories:watch", params=query, headers=events) as answer:
        assert answer.status_code == 200
    for wrong in ("access_token=cam_other", f"access_token={key}&access_token={key}"):
        url = f"/v1/memories:watch?from_beginning=true&{wrong}"
        asked = await web.alice.get(url, headers=events)
        assert asked.status_code == 401
