"""The pipeline's own Python around a call that does nothing: `python -m bench.decisions.pipeline_overhead` (docs/adr/calls.md).

gRPC is left out: the handler that the pipeline makes gets a context whose message is there at once. Processor time, the least
of many rounds, less that of the passes of the event loop between the calls.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import grpc
from camillo_server.identity.api_keys import ApiKey, SigningSecrets
from camillo_server.identity.credentials import Authenticator
from camillo_server.identity.key_cache import KeyCache
from camillo_server.identity.key_signing import KeySigner
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.ids import KeyId, TenantId
from camillo_server.kernel.scope import Role
from camillo_server.quota_settings import QuotaSettings
from camillo_server.rpc.pipeline import Pipeline
from camillo_server.server_settings import ServerSettings
from camillo_server.settings import DatabaseSettings, IdentitySettings
from camillo_server.storage.database import Database
from camillo_server.storage.quotas import Quotas
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.tracing import no_tracing

from bench.measure.echo_server import METHOD
from bench.measure.servers import new_secret

CALLS, ROUNDS = 500, 60
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
KEY = ApiKey(KeyId("k"), TenantId("acme"), None, Role.ROOT, "", BEGAN, None, None)


class OneKey:
    """A directory in which every secret is that of one key."""

    async def find(self, secret_digest: bytes) -> ApiKey:
        return KEY

    async def signing_secrets(self, used_before: datetime) -> SigningSecrets:
        return SigningSecrets((), has_unsigned_keys=True)


class Context:
    """The part of gRPC's context that the pipeline asks for."""

    def __init__(self, metadata: tuple[tuple[str, str], ...]) -> None:
        self._metadata = metadata

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def time_remaining(self) -> float:
        return 30.0

    def auth_context(self) -> dict[str, Any]:
        return {}

    def peer(self) -> str:
        return "ipv4:127.0.0.1:50412"

    async def read(self) -> bytes:
        return b"x"


def _pipeline() -> Pipeline:
    clock, directory = SystemClock(), OneKey()
    identity = IdentitySettings(key_cache_seconds=300)
    keys = KeyCache(directory, directory, clock, identity)
    authenticator = Authenticator(keys, KeySigner(directory, clock, accepts_unsigned=True), clock)
    # Never opened: without bounds, nothing of a tenant is counted.
    database = Database("postgresql://nobody.invalid", DatabaseSettings())
    quotas = Quotas(database, database, QuotaSettings())
    return Pipeline(authenticator, ServerSettings(), Instruments(), no_tracing(), quotas)


async def _echo(request: bytes, _: object) -> bytes:
    return request


def _as_it_is(data: bytes) -> bytes:
    return data


async def _handler(pipeline: Pipeline) -> Callable[[Any, Any], Awaitable[bytes]]:
    async def registered(_: grpc.HandlerCallDetails) -> Any:
        return grpc.unary_unary_rpc_method_handler(_echo, _as_it_is, _as_it_is)

    details: Any = type("Details", (), {"method": METHOD})
    handler: Any = await pipeline.intercept_service(registered, details)
    call: Callable[[Any, Any], Awaitable[bytes]] = handler.stream_unary
    return call


async def _microseconds(call: Callable[[], Awaitable[object]]) -> float:
    """The time of one call and the pass of the event loop after it: the pipeline lets one call begin in each."""
    taken = []
    for _ in range(ROUNDS):
        started = time.process_time()
        for _ in range(CALLS):
            await call()
            await asyncio.sleep(0)
        taken.append(time.process_time() - started)
    return min(taken) / CALLS * 1e6


async def _measure() -> None:
    pipeline = _pipeline()
    call = await _handler(pipeline)
    context = Context((("authorization", f"Bearer {new_secret()}"), ("user-agent", "grpc-python")))
    loop = asyncio.get_running_loop()

    async def nothing() -> None:
        # The pipeline has one function run in the next pass, too.
        loop.call_soon(int)

    least = await _microseconds(nothing)
    whole = await _microseconds(lambda: call(None, context))
    print(f"the pipeline's own Python: {whole - least:.1f} us a call")


def main() -> None:
    asyncio.run(_measure())


if __name__ == "__main__":
    main()
