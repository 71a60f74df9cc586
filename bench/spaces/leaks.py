"""Attempts at the spaces of others, as the tests make them, and more of them."""

import asyncio

import grpc
import httpx

from bench.app_server import TENANT
from bench.measure.servers import AppServer
from bench.measure.timing import Figure, Figures
from tests.rpc.spaces.foreign_doors import try_http, try_postgres
from tests.rpc.spaces.foreign_spaces import Tally, control, fill, intruder_keys, try_methods, try_names
from tests.rpc.spaces.space_names import FOREIGN
from tests.server_fixtures import Caller

CALL_SECONDS = 120.0


async def tried_leaks(app: AppServer, http_port: int, requests: int) -> Figures:
    """How much was tried at every door, and how often anything of a foreign space was told; so many requests of each
    method by each intruder. Raises RuntimeError where not even the owner was told by one of the doors."""
    tally = Tally()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{app.port}") as channel:

        def caller(key: str) -> Caller:
            return Caller(channel, key, CALL_SECONDS)

        owner = caller(app.secret)
        for space in FOREIGN:
            await fill(owner, space)
        known = await control(owner, tally, frozenset())
        keys = await intruder_keys(owner)
        callers = [caller(key) for key in keys]
        await try_methods(callers, known, tally, requests)
        await try_names(callers, tally)
        base_url = f"http://127.0.0.1:{http_port}"
        async with httpx.AsyncClient(base_url=base_url, timeout=CALL_SECONDS) as client:
            await try_http(client, app.secret, keys, tally)
    await asyncio.to_thread(try_postgres, app.url("server"), TENANT, tally)
    missing = {"ListMemories", "POST mcp", "POST v1", 'table "memories"'} - tally.controls
    if missing:
        raise RuntimeError(f"the owner is not told what the others must not be: {missing}")
    return {"rls_tried": Figure((tally.tried,)), "rls_leaks": Figure((len(tally.leaks),))}
