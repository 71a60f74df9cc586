"""Keeps out what a browser was led to send, and what two readers of HTTP would read differently."""

from collections.abc import Awaitable, Callable, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from camillo_server.gateway.exchange import Exchange, Receive, Scope, Send
from camillo_server.server_settings import ServerSettings

Application = Callable[[Scope, Receive, Send], Awaitable[None]]
MISDIRECTED = 421


class Guard:
    """An ASGI application before another one.

    Where only this machine reaches the port, a page of any site may still send there, under a name of its own that leads here (DNS
    rebinding): `Host` has to be a name of this machine, and `Origin` that of a page that came from here, unless settings name others.
    """

    def __init__(self, application: Application, settings: ServerSettings) -> None:
        self._application = application
        self._is_local = settings.is_loopback
        self._hosts = settings.accepted_hosts
        self._origins = settings.accepted_origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(headers)
        if refusal is None:
            await self._application(scope, receive, send)
        else:
            http_status, message = refusal
            exchange = Exchange(scope, receive, send, has_body=False)
            code = Code.INVALID_ARGUMENT if http_status == 400 else Code.PERMISSION_DENIED
            status = Status(code=code, message=message)
            await exchange.refuse(status, http_status, {"connection": "close"})

    def _refusal(self, headers: Mapping[bytes, str]) -> tuple[int, str] | None:
        if b"transfer-encoding" in headers and b"content-length" in headers:
            return 400, "a request has content-length or transfer-encoding, never both"
        host = headers.get(b"host", "")
        if not self._is_accepted(host):
            return MISDIRECTED, "the host is none of this server: server.http_hosts names others"
        origin = headers.get(b"origin")
        if origin is not None and self._is_local and not self._is_own(origin, host):
            return 403, "the origin may not call: server.http_origins names those that may"
        return None

    def _is_accepted(self, host: str) -> bool:
        if not self._hosts and not self._is_local:
            return True
        # Without one, it is no browser.
        name = _name(host)
        return not name or "*" in self._hosts or name in self._hosts or self._is_here(name)

    def _is_here(self, name: str) -> bool:
        if not self._is_local:
            return False
        try:
            return name == "localhost" or ip_address(name).is_loopback
        except ValueError:
            return False

    def _is_own(self, origin: str, host: str) -> bool:
        return "*" in self._origins or origin in self._origins or urlsplit(origin).netloc == host


def _name(host: str) -> str:
    """Without the port, in small letters."""
    name = host[1 : host.find("]")] if host.startswith("[") else host.partition(":")[0]
    return name.lower().rstrip(".")
