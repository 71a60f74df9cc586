"""One request of HTTP and its answer, as everything that the port serves sees them."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from camillo_server.doors.gateway import http_answers as answers
from camillo_server.doors.gateway.calls import Arrival, CallFailed
from camillo_server.doors.gateway.json_bodies import JsonBody
from camillo_server.doors.gateway.json_bounds import JsonBounds
from camillo_server.doors.rpc.call import DEFAULT_AGENT_KEY
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.request_bodies import HeldBody
from camillo_server.kernel.errors import InvalidField, invalid_field

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Answer = TypeVar("Answer")

HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
TIMEOUT_KEYS = ("x-request-timeout", "grpc-timeout")
GRPC_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
MAX_DEADLINE_SECONDS = 3600.0
ACCESS_TOKEN = "access_token"  # noqa: S105
MAX_REQUEST_ID_CHARACTERS = 128
DEFAULT_AGENT = "default"


class CallerGone(Exception):
    """The caller has hung up: there is nobody to answer."""


class Exchange:
    """A request that is read only when somebody asks for it, and what goes back.

    `has_body` False leaves the body unread, whatever there is of it.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, has_body: bool = True) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_read = asyncio.Event()
        if not has_body:
            self._is_read.set()
        self.headers = _headers(scope)
        self.http_method: str = scope["method"]
        self._accept = self.headers.get("accept", "")
        encoded = scope["query_string"].decode("ascii", "replace")
        # The fields of the query, in their order.
        self.query: Sequence[tuple[str, str]] = parse_qsl(encoded, keep_blank_values=True)

    @property
    def wants_events(self) -> bool:
        """Whether a stream is to come as Server-Sent Events."""
        return answers.EVENTS in self._accept

    def take_access_token(self) -> None:
        """Lets the query give the credential (RFC 6750, 2.3), as a browser's EventSource can send no header."""
        tokens = [value for name, value in self.query if name == ACCESS_TOKEN]
        if len(tokens) == 1 and "authorization" not in self.headers:
            self.headers["authorization"] = f"Bearer {tokens[0]}"
            self.query = [each for each in self.query if each[0] != ACCESS_TOKEN]

    def arrival(self, bodies: AsyncIterator[bytes], default_seconds: float | None) -> Arrival:
        """A call with these messages, as the methods take it. Raises InvalidField."""
        seconds = _deadline(self.headers, default_seconds)
        # No wide default: who reaches any agent and names none acts for one, as with the clients.
        named = self.headers.get(DEFAULT_AGENT_KEY) or DEFAULT_AGENT
        sent = {**self.headers, DEFAULT_AGENT_KEY: named}
        return Arrival([*sent.items()], bodies, peer_of(self._scope), seconds)

    async def parts(self) -> AsyncIterator[bytes]:
        """The body as it comes."""
        more = True
        while more:
            part = await self._receive()
            if part["type"] == "http.disconnect":
                # To the pipeline it is what a cancelled call of gRPC is.
                raise asyncio.CancelledError
            more = part.get("more_body", False)
            if not more:
                self._is_read.set()
            yield part.get("body", b"")

    async def body(self, bounds: JsonBounds, where: str, held: HeldBody) -> JsonBody:
        """The whole body. Raises InvalidField where it is too large, before it is read if it says so, and what
        `JsonBody` raises."""
        body = JsonBody(bounds, where, held)
        stated = self.headers.get("content-length", "")
        if stated.isdecimal() and int(stated) > bounds.max_bytes:
            raise body.too_large()
        async for part in self.parts():
            await body.add(part)
        return body

    async def unless_gone(self, work: Awaitable[Answer]) -> Answer:
        """Awaits the work and returns its result. Cancels it and raises CallerGone if the caller hangs up before."""
        working = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
            # A caller who hangs up while the body is read ends the work from within.
            if not working.done() or working.cancelled():
                raise CallerGone
            return working.result()
        finally:
            for task in (working, gone):
                task.cancel()
            await asyncio.gather(working, gone, return_exceptions=True)

    async def answer(self, work: Awaitable[None]) -> None:
        """Does what answers, and answers what it raises."""
        try:
            await work
        except InvalidField as error:
            await self.refuse(to_status(error))
        except CallFailed as error:
            await self.refuse(error.status)
        except CallerGone:
            return

    async def refuse(self, status: Status, http_status: int = 0, more: Mapping[str, str] | None = None) -> None:
        """The answer of a call that failed; with another status of HTTP than that of its code, and more headers, where
        stated."""
        of_code, headers, body = answers.failure(status, self._accept)
        await self.respond(http_status or of_code, {**headers, **(more or {})}, body)

    async def refuse_method(self, allowed: Sequence[str]) -> None:
        """405: the path has only these methods of HTTP."""
        status = Status(code=Code.UNIMPLEMENTED, message="this path has no such method of HTTP")
        await self.refuse(status, 405, {"allow": ", ".join(allowed)})

    async def respond(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """The whole answer; to HEAD without the body."""
        await self.start(status, {"content-length": str(len(body)), **headers})
        await self.end(b"" if self.http_method == "HEAD" else body)

    async def start(self, status: int, headers: Mapping[str, str]) -> None:
        """Begins an answer, which goes on with `send` and ends with `end`."""
        named = {**HEADERS, "x-request-id": self.headers["x-request-id"], **headers}
        encoded = [(name.encode(), value.encode("latin-1")) for name, value in named.items()]
        start = {"type": "http.response.start", "status": status, "headers": encoded}
        await self._send(start)

    async def send(self, part: bytes) -> None:
        """A part of the body, when the caller has taken those before."""
        await self._send({"type": "http.response.body", "body": part, "more_body": True})

    async def end(self, part: bytes = b"") -> None:
        """The last part."""
        await self._send({"type": "http.response.body", "body": part})

    async def _gone(self) -> None:
        await self._is_read.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass


def peer_of(scope: Scope) -> str:
    """Where a request comes from, as gRPC says it."""
    host, port = scope.get("client") or ("", 0)
    return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"


def _headers(scope: Scope) -> dict[str, str]:
    """Headers by lower-case names. A repeated one is a list (RFC 9110, 5.3), so neither of two credentials counts."""
    headers: dict[str, str] = {}
    for encoded, value in scope["headers"]:
        key, text = encoded.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    request_id = headers.get("x-request-id", "")[:MAX_REQUEST_ID_CHARACTERS]
    headers["x-request-id"] = request_id or os.urandom(8).hex()
    return headers


def _deadline(headers: Mapping[str, str], default: float | None) -> float | None:
    """The seconds that a caller gives a call. Raises InvalidField."""
    key = next((each for each in TIMEOUT_KEYS if each in headers), None)
    if key is None:
        return default
    text = headers[key]
    unit = GRPC_UNITS.get(text[-1:], 0.0) if key == "grpc-timeout" else 1.0
    number = text[:-1] if key == "grpc-timeout" else text
    try:
        seconds = float(number) * unit
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        form = "digits and one of HMSmun" if key == "grpc-timeout" else "seconds above 0"
        raise invalid_field(key, f"must be {form}")
    return min(seconds, MAX_DEADLINE_SECONDS)
