"""Keeps out what a browser was led to send, and what two readers of HTTP would read differently."""

import re
from collections.abc import Awaitable, Callable, Iterable
from ipaddress import ip_address
from typing import NamedTuple

from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from camillo_server.doors.gateway.exchange import Exchange, Receive, Scope, Send
from camillo_server.settings.sections import ServerSettings

Application = Callable[[Scope, Receive, Send], Awaitable[None]]
MISDIRECTED = 421
# Headers that may stand once: one reader takes the first, and another one the last.
GIVEN_ONCE = (b"host", b"origin", b"authorization", b"content-length", b"transfer-encoding")
_NAME = r"(?P<name>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{0,255})(?::(?P<port>[0-9]{1,5}))?"
_HOST = re.compile(_NAME, re.ASCII)
_ORIGIN = re.compile(rf"null|(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://{_NAME}", re.ASCII)
_PORTS = {"http": 80, "https": 443}


class Place(NamedTuple):
    """The host that a header names, in small letters, and its port, 0 where none is told or known."""

    name: str
    port: int


class Guard:
    """An ASGI application before another one.

    Where only this machine reaches the port, a page of any site may still send there, under a name of its own that
    leads here (DNS rebinding): `Host` has to be a name of this machine, and `Origin` that of a page that came from
    here, unless settings name others."""

    def __init__(self, application: Application, settings: ServerSettings) -> None:
        self._application = application
        self._is_local = settings.is_loopback
        self._hosts = settings.accepted_hosts
        self._origins = settings.accepted_origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        refusal = self._refusal(scope["headers"], scope.get("scheme", "http"))
        if refusal is None:
            await self._application(scope, receive, send)
        else:
            http_status, message = refusal
            exchange = Exchange(scope, receive, send, has_body=False)
            code = Code.INVALID_ARGUMENT if http_status in (400, 415) else Code.PERMISSION_DENIED
            status = Status(code=code, message=message)
            more = {"accept-encoding": "identity"} if http_status == 415 else {}
            await exchange.refuse(status, http_status, {"connection": "close", **more})

    def _refusal(self, sent: Iterable[tuple[bytes, bytes]], scheme: str) -> tuple[int, str] | None:
        headers = dict[bytes, str]()
        for name, value in sent:
            if name in headers and name in GIVEN_ONCE:
                return 400, f"a request has one {name.decode()}"
            headers[name] = value.decode("latin-1")
        if b"transfer-encoding" in headers and b"content-length" in headers:
            return 400, "a request has content-length or transfer-encoding, never both"
        if headers.get(b"content-encoding", "identity").strip().lower() not in ("", "identity"):
            return 415, "bodies are taken as they are: send them without a content-encoding"
        host = _place(_HOST, headers.get(b"host", ""), scheme)
        if host is None:
            return 400, "the host is no name and port"
        if not self._is_accepted(host.name):
            return MISDIRECTED, "the host is none of this server: server.http_hosts names others"
        return self._refusal_of_origin(headers.get(b"origin"), host)

    def _refusal_of_origin(self, origin: str | None, host: Place) -> tuple[int, str] | None:
        if origin is None:
            return None
        if _ORIGIN.fullmatch(origin) is None:
            return 400, "the origin is none: a scheme, a host, and a port or nothing"
        if self._is_local and not self._is_own(origin, host):
            return 403, "the origin may not call: server.http_origins names those that may"
        return None

    def _is_accepted(self, name: str) -> bool:
        if not self._hosts and not self._is_local:
            return True
        # Without one, it is no browser.
        return not name or "*" in self._hosts or name in self._hosts or self._is_here(name)

    def _is_here(self, name: str) -> bool:
        if not self._is_local:
            return False
        try:
            return name == "localhost" or ip_address(name).is_loopback
        except ValueError:
            return False

    def _is_own(self, origin: str, host: Place) -> bool:
        if "*" in self._origins or origin in self._origins:
            return True
        # This machine has several names; another port is another program's.
        own = _place(_ORIGIN, origin, "")
        return own is not None and self._is_here(own.name) and own.port == host.port


def _place(form: re.Pattern[str], text: str, scheme: str) -> Place | None:
    """The host in a header of this form, with the port that its scheme has where it names none; None for what is no
    such header."""
    parsed = form.fullmatch(text)
    if parsed is None:
        return None
    found = parsed.groupdict()
    name = (found["name"] or "").strip("[]").lower().removesuffix(".")
    stated = found["port"]
    # A port without a name leads nowhere.
    if stated and not name:
        return None
    return Place(name, int(stated) if stated else _PORTS.get(found.get("scheme") or scheme, 0))
