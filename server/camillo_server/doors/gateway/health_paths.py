"""`/healthz` and `/readyz`, for those who watch a server by HTTP: without a credential, and under whatever host they
call it."""

from collections.abc import Awaitable, Callable

from camillo_server.doors.gateway.exchange import Exchange, Receive, Scope, Send

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
