"""The server answers HTTP as Envoy's transcoder does for the same method: every binding, asked twice."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode
from zlib import crc32

import httpx
import numpy as np
import pytest
from camillo_server.doors.gateway.bindings import BODY_WHOLE, HttpBinding, contract_bindings
from camillo_server.doors.rpc.call import DEFAULT_AGENT_KEY
from camillo_server.doors.rpc.contract import CONTRACT
from google.api.annotations_pb2 import http
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.mesh.conftest import NewReplica, StartEnvoy
from tests.mesh.envoy_process import Envoy
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.rpc.random_messages import ID, RandomMessages
from tests.tenant_keys import Keys

MESSAGES = int(os.environ.get("CAMILLO_TEST_ORACLE_MESSAGES", "3"))
# By their own names Envoy has only methods that have no other path; streams to the server are an array there, and lines
# here.
BINDINGS = [
    each
    for each in contract_bindings(CONTRACT)
    if not each.descriptor.client_streaming
    and (each.template != each.method or not each.descriptor.GetOptions().HasExtension(http))
]
# Their answers contain a time, or change with every call, so only their fields are compared and not the values.
UNSTEADY = frozenset(
    """
    Archive BuildBundle BuildDigest BuildSnapshot BuildWorkingMemory Forget ForgetMemories ForgetSpace ListAuditEntries ListIndexes
    Prune RebuildChunks Reset RunMaintenance VerifyAudit
    """.split()  # noqa: E501
)
# The first one samples the server for seconds; of the other a repeat is told that there is no such agent.
NOT_TWICE = frozenset({"ProfileServer", "DeleteAgent"})
# Written behind the answers of recalls; and who answers them, which changes while a scope is read into memory.
COUNTED = frozenset({"accessCount", "accessedAt", "answeredBy"})
AGENT = "ferret"

pytestmark = [pytest.mark.xdist_group("mesh_oracle"), pytest.mark.timeout(300)]


@dataclass(frozen=True, slots=True)
class Paths:
    """The two ways to one server."""

    envoy: Envoy
    http_port: int
    keys: Keys

    @property
    def urls(self) -> tuple[str, str]:
        return f"http://{self.envoy.address}", f"http://127.0.0.1:{self.http_port}"


@pytest.fixture(scope="module")
async def both_paths(mesh_keys: Keys, new_replica: NewReplica, start_envoy: StartEnvoy) -> Paths:
    port = free_port()
    replica = new_replica(server={"http_port": port})
    await replica.start()
    envoy = await start_envoy([replica])
    await envoy.until_well(1)
    return Paths(envoy, port, mesh_keys)


@dataclass(frozen=True, slots=True)
class Request:
    """A request as curl would send it."""

    method: str
    url: str
    body: bytes


def as_http(binding: HttpBinding, message: Message) -> Request:
    """A message as a request of this binding. Fields that no path or query can have are left out."""
    fields = json_format.MessageToDict(message, preserving_proto_field_name=True)
    path = "".join(f"/{each}" for each in binding.segments)
    for name in binding.variables:
        value = str(fields.pop(name, "") or ID)
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    url = f"{path}:{binding.verb}" if binding.verb else path
    if binding.body == BODY_WHOLE:
        return Request(binding.http_method, url, json.dumps(fields).encode())
    query = urlencode(list(flattened(fields, "")))
    return Request(binding.http_method, f"{url}?{query}" if query else url, b"")


def fill(random: RandomMessages, message: Message) -> None:
    """Fills a message with random values that JSON can express."""
    while True:
        message.Clear()
        random.new(message)
        with suppress(ValueError, json_format.Error):
            json_format.MessageToDict(message)
            return


def flattened(fields: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if name == "metadata":
            # Any JSON, which no query can have.
            continue
        if isinstance(value, Mapping):
            yield from flattened(value, f"{path}{name}.")
        else:
            for each in value if isinstance(value, list) else [value]:
                if not isinstance(each, Mapping | list):
                    told = str(each).lower() if isinstance(each, bool) else str(each)
                    yield f"{path}{name}", told


def comparable(content: bytes) -> Any:
    """The JSON, or each of its lines, without what changes by itself."""
    return [_without_counts(json.loads(line)) for line in content.splitlines() if line]


def names(content: bytes) -> Any:
    """The fields of the JSON, or of each of its lines."""
    return [sorted(json.loads(line)) for line in content.splitlines() if line]


def _without_counts(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _without_counts(each) for name, each in told.items() if name not in COUNTED}
    if isinstance(told, float):
        # Envoy writes nine digits of a float, Python as many as distinguish it from its neighbours.
        return float(np.float32(told))
    return [_without_counts(each) for each in told] if isinstance(told, list) else told


async def answer(client: httpx.AsyncClient, base: str, asked: Request) -> tuple[int, bytes]:
    """Status and body; of a stream that never ends, what comes first."""
    headers = {"content-type": "application/json"}
    async with client.stream(asked.method, base + asked.url, content=asked.body, headers=headers) as told:
        if ":watch" in asked.url or "/Watch" in asked.url:
            return told.status_code, b""
        return told.status_code, await told.aread()


@pytest.mark.parametrize("binding", BINDINGS, ids=lambda each: f"{each.http_method} {each.template}")
async def test_both_say_the_same(both_paths: Paths, binding: HttpBinding) -> None:
    if binding.descriptor.name in NOT_TWICE:
        pytest.skip("the second answer is another one by what the method does")
    random = RandomMessages(crc32(binding.template.encode()), {})
    statuses = set()
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as client:
        client.headers["authorization"] = f"Bearer {both_paths.keys.admin}"
        # Where none is named, gRPC acts for the shared scope, and HTTP for the agent `default`.
        client.headers[DEFAULT_AGENT_KEY] = AGENT
        for number in range(MESSAGES):
            message = GetMessageClass(binding.descriptor.input_type)()
            if number:
                fill(random, message)
            if "request_id" in binding.descriptor.input_type.fields_by_name:
                # The second one is a repeat of the first, and is answered alike.
                message.request_id = f"{binding.template} {number}"  # type: ignore[attr-defined]
            asked = as_http(binding, message)
            theirs, ours = [await answer(client, base, asked) for base in both_paths.urls]
            assert theirs[0] == ours[0], (asked, theirs, ours)
            statuses.add(ours[0])
            if ours[0] != 400 or b"@type" in theirs[1]:
                compare = names if binding.descriptor.name in UNSTEADY else comparable
                assert compare(theirs[1]) == compare(ours[1]), asked
    assert statuses
