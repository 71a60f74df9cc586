"""Paths for everybody, which have nothing of what is stored: the document of OpenAPI, the page that shows it, and
health."""

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from camillo_server.doors.gateway.exchange import Exchange, Receive, Scope, Send
from camillo_server.doors.gateway.http_answers import has_tag
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop

ASSETS = Path(__file__).parent / "assets"
PAGE_PATH = "/docs"
# Written by `make generate`.
DOCUMENT = "openapi.json"
# By the name of an asset: it is served with this type.
TYPES: Mapping[str, str] = {
    "reference.html": "text/html; charset=utf-8",
    "reference.css": "text/css; charset=utf-8",
    "reference.js": "text/javascript; charset=utf-8",
    "operations.js": "text/javascript; charset=utf-8",
}
# Nothing from elsewhere, nothing inline, and within no other page.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    # It may be kept, and is asked for again: a server may be of another version by then.
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


def openapi_routes() -> list[BaseRoute]:
    """`GET /openapi.json`, and the page `GET /docs` with its assets."""
    paths = {f"/{DOCUMENT}": DOCUMENT, PAGE_PATH: "reference.html"}
    paths |= {f"{PAGE_PATH}/{name}": name for name in TYPES if not name.endswith(".html")}
    return [Route(path, partial(_asset, name), name=name) for path, name in paths.items()]


@dataclass(frozen=True, slots=True)
class _Stored:
    """A body as it is sent, and its entity tag: a weak one, since both encodings of the body have it."""

    body: bytes
    compressed: bytes
    tag: str

    @classmethod
    def of(cls, body: bytes) -> "_Stored":
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
        return cls(body, gzip.compress(body, mtime=0), tag)

    def answer(self, request: Request, media_type: str) -> Response:
        headers = {
            **HEADERS,
            "content-security-policy": POLICY,
            "etag": self.tag,
            "vary": "accept-encoding",
        }
        if has_tag(request.headers.get("if-none-match", ""), self.tag):
            return Response(status_code=304, headers=headers)
        if _takes_gzip(request.headers.get("accept-encoding", "")):
            headers["content-encoding"] = "gzip"
            return Response(self.compressed, headers=headers, media_type=media_type)
        return Response(self.body, headers=headers, media_type=media_type)


async def _asset(name: str, request: Request) -> Response:
    stored = await off_loop(UNBOUNDED, partial(_stored_asset, name))
    return stored.answer(request, TYPES.get(name, "application/json"))


@cache
def _stored_asset(name: str) -> _Stored:
    return _Stored.of((ASSETS / name).read_bytes())


def _takes_gzip(accepted: str) -> bool:
    """Whether the caller accepts gzip, and not only with a quality of 0."""
    for each in accepted.split(","):
        coding, _, quality = each.replace(" ", "").partition(";")
        if coding.lower() in ("gzip", "*"):
            return quality not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


Application = Callable[[Scope, Receive, Send], Awaitable[None]]
# Whether a part of the server is well, as health by gRPC says it; of "" the whole. None for a part that is not known.
IsServing = Callable[[str], bool | None]
LIVE, READY = "/healthz", "/readyz"


class HealthPaths:
    """An ASGI application before another one."""

    def __init__(self, application: Application, is_serving: IsServing) -> None:
        self._application = application
        self._is_serving = is_serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of HTTP."""
        if scope["path"] not in (LIVE, READY):
            await self._application(scope, receive, send)
            return
        exchange = Exchange(scope, receive, send, has_body=False)
        if exchange.http_method not in ("GET", "HEAD"):
            await exchange.refuse_method(("GET", "HEAD"))
            return
        # Who answers is alive; whether calls should come here is another question.
        is_well: bool | None = True
        if scope["path"] == READY:
            is_well = self._is_serving(dict(exchange.query).get("service", ""))
        status, text = _ANSWERS[is_well]
        await exchange.respond(status, {"content-type": "text/plain; charset=utf-8"}, text)


_ANSWERS = {
    True: (200, b"ok\n"),
    False: (503, b"not serving\n"),
    None: (404, b"no such part of the server\n"),
}
