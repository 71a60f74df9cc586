"""mcp: the tools of memory over standard input and output, with a server that runs, or one that is started for them."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack, suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

from camillo_cli.connection import ClientOptions, space_option
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.output import note
from camillo_formats.space_routing import AUTO, routed_spaces
from typer import Option

from camillo_server.doors.gateway.mcp.offers import DEFAULT_PROFILE, PROFILES

if TYPE_CHECKING:
    from camillo_client import AsyncCamillo

DEFAULT_ADDRESS = "localhost:7070"
STOP_SECONDS = 10.0
# For a server that another client of MCP is starting at the same time.
ANOTHER_START_SECONDS = 30.0
POLL_SECONDS = 0.25


def mcp(
    client: ClientOptions,
    profile: Annotated[
        str,
        Option(
            help=f"The tools: {', '.join(PROFILES)}.",
            envvar="CAMILLO_MCP_PROFILE",
            show_default=True,
        ),
    ] = DEFAULT_PROFILE,
) -> None:
    """Serve memory to a client of MCP over standard input and output, until it closes them.

    It uses the server at --address. Where the address is not set and none runs, it starts one with an embedded
    database, which ends with this command. Example, as a line in the configuration of a client: camillo mcp

    Example: camillo mcp --agent reviewer --profile minimal
    """
    if profile not in PROFILES:
        raise CliError(f"--profile must be one of {', '.join(PROFILES)}", ExitCode.USAGE)
    try:
        is_auto = client.space == AUTO
        stated = space_option(replace(client, space=None) if is_auto else client)
        own, person = routed_spaces(os.environ, os.getcwd(), stated, AUTO if is_auto else "")
    except ValueError as error:
        raise CliError(str(error), ExitCode.USAGE) from None
    if is_auto:
        # Said to the server, so that a key without a grant for it is refused.
        client = replace(client, agent=None, user=None, project=None, space=own)
    from camillo_server.doors.gateway.mcp.stdio import claimed_stdio

    with claimed_stdio() as (source, sink), ExitStack() as stack:
        asyncio.run(_serve(source, sink, profile, person, ServerAtHand(client, stack)))


async def _serve(source: int, sink: int, profile: str, person: str, server: ServerAtHand) -> None:
    from camillo_server.doors.gateway.mcp.stdio import StdioLines, StdioServer

    # It starts while the client asks what there is.
    starting = asyncio.create_task(server.start())
    await StdioServer(StdioLines(source, sink), profile, server.connection, person).serve()
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    await server.close()


class ServerAtHand:
    """A client of the server at an address, which is started where it is on this machine and none runs."""

    def __init__(self, options: ClientOptions, stack: ExitStack) -> None:
        self._options = options
        self._stack = stack
        self._client: AsyncCamillo | None = None
        self._address = ""
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Has a server at hand before it is needed. Where that fails, the calls that need it say so."""
        async with self._lock:
            with suppress(CliError):
                self._address = await self._found()

    async def connection(self, gone: AsyncCamillo | None) -> AsyncCamillo:
        """The client; `gone` is one that found no server. Raises MemoryCallFailed where there is none."""
        from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed

        async with self._lock:
            if self._client is not None and self._client is not gone:
                return self._client
            if self._client is not None:
                await self.close()
                self._address = ""
            try:
                self._address = self._address or await self._found()
                self._client = self._connected(self._address)
            except (CliError, ValueError) as error:
                raise MemoryCallFailed("UNAVAILABLE", str(error)) from None
            return self._client

    async def close(self) -> None:
        """Closes the client's connection. A server that was started ends with the stack."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _found(self) -> str:
        """The address of a server. Raises CliError."""
        address = self._options.address
        found = await asyncio.to_thread(_listener_at, address)
        if found in ("http2", "tls") or address != DEFAULT_ADDRESS:
            return address
        if found is not None:
            raise CliError(f"what listens at {address} is not a Camillo server")
        return await self._started()

    async def _started(self) -> str:
        """Raises CliError."""
        note("starting a server with an embedded database, which ends with this command")
        data_dir = self._options.data_dir
        arguments = [f"--data-dir={data_dir}"] if data_dir else []
        demo = await asyncio.to_thread(import_module, "camillo_server.cli.demo")
        child = self._stack.enter_context(demo.ChildServer(arguments, _quiet(), STOP_SECONDS))
        try:
            ready = await asyncio.to_thread(child.wait_until_ready)
        except CliError:
            return await self._of_another()
        address: str = ready["address"]
        return address

    async def _of_another(self) -> str:
        """A server that another client of MCP was faster to start: the data directory has room for one. Raises
        CliError."""
        for _ in range(round(ANOTHER_START_SECONDS / POLL_SECONDS)):
            if await asyncio.to_thread(_listener_at, DEFAULT_ADDRESS) == "http2":
                return DEFAULT_ADDRESS
            await asyncio.sleep(POLL_SECONDS)
        raise CliError("no memory server could be started: standard error says why")

    def _connected(self, address: str) -> AsyncCamillo:
        """Raises CliError, ValueError."""
        from camillo_cli.connection import acting_space, configured_data_dir, tls_of
        from camillo_client import AsyncCamillo

        options = self._options
        return AsyncCamillo.connect(
            address,
            key=options.key or None,
            tls=tls_of(options),
            agent_id=acting_space(options),
            timeout_seconds=options.timeout,
            data_dir=options.data_dir or configured_data_dir(options),
        )


def _listener_at(address: str) -> str | None:
    from camillo_cli.unreachable import listener_at

    return listener_at(address)


def _quiet() -> dict[str, str]:
    """The environment of a server whose log is read, if at all, in a window of the client: warnings alone, as text."""
    environ = dict(os.environ)
    if "CAMILLO_CONFIG" not in environ:
        environ.setdefault("CAMILLO_TELEMETRY_LOG_LEVEL", "warning")
        environ.setdefault("CAMILLO_TELEMETRY_LOG_FORMAT", "text")
    return environ
