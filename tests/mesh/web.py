"""Calls as web pages and curl make them, by HTTP/1.1."""

import asyncio
import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from tests.mesh.envoy_process import Envoy
from tests.patience import PATIENCE_SECONDS

TRAILERS = 0x80


@dataclass(frozen=True, slots=True)
class Answer:
    """Response to a request by HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def frames(self) -> list[tuple[int, bytes]]:
        """The flags and the content of each frame of gRPC-Web."""
        found, rest = [], self.body
        while rest:
            size = int.from_bytes(rest[1:5], "big")
            found.append((rest[0], rest[5 : 5 + size]))
            rest = rest[5 + size :]
        return found


async def requested(envoy: Envoy, what: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
    """The answer to `what`, such as `GET /v1/whoami`."""
    return await asyncio.to_thread(_requested, envoy, what, body, headers or {})


async def asked(envoy: Envoy, key: str, what: str, message: object = None) -> Answer:
    """The answer to a call with JSON, if any."""
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
    body = b"" if message is None else json.dumps(message).encode()
    return await requested(envoy, what, body, headers)


async def grpc_web(envoy: Envoy, key: str, path: str, message: Message) -> Answer:
    """The answer to a unary call of gRPC-Web."""
    content = message.SerializeToString()
    body = b"\0" + len(content).to_bytes(4, "big") + content
    headers = {"authorization": f"Bearer {key}", "content-type": "application/grpc-web+proto", "x-grpc-web": "1"}
    return await requested(envoy, f"POST {path}", body, headers)


def _requested(envoy: Envoy, what: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    method, _, path = what.partition(" ")
    connection = http.client.HTTPConnection("127.0.0.1", envoy.port, timeout=PATIENCE_SECONDS)
    try:
        connection.request(method, path, body, dict(headers))
        response = connection.getresponse()
        told = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, told, response.read())
    finally:
        connection.close()
