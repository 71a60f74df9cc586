"""mcp: the tools of memory over standard input and output, with a server that runs, or one that is started for them."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from camillo_cli.connection import ClientOptions, space_option
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.output import note
from camillo_formats.space_routing import AUTO, routed_spaces
from typer import Option

from camillo_server.doors.gateway.mcp.offers import DEFAULT_PROFILE, PROFILES

if TYPE_CHECKING:
    from camillo_client import AsyncCamillo
    from camillo_client.local_server import LocalServer

DEFAULT_ADDRESS = "localhost:7070"


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
    database, which all programs of this user share, and which ends when none uses it. Example, as a line in the
    configuration of a client: camillo mcp

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

    with claimed_stdio() as (source, sink):
        asyncio.run(_serve(source, sink, profile, person, ServerAtHand(client)))


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

    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._local: LocalServer | None = None
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
        """Closes the client's connection. A server of this user may end then, if it has no other caller."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()
        local, self._local = self._local, None
        if local is not None:
            local.close()

    async def _found(self) -> str:
        """The address of a server. Raises CliError."""
        address = self._options.address
        if address != DEFAULT_ADDRESS:
            return address
        return await asyncio.to_thread(self._found_here)

    def _found_here(self) -> str:
        """The address of this user's server or, where none runs, of whatever serves at the default address, else of the
        server that is started. Raises CliError."""
        from camillo_cli.unreachable import listener_at
        from camillo_client.local_process import LocalServerError
        from camillo_client.local_server import find_or_start, running_server

        directory = self._data_dir()
        try:
            if running_server(directory) is None:
                if listener_at(DEFAULT_ADDRESS) in ("http2", "tls"):
                    return DEFAULT_ADDRESS
                note("starting a server with an embedded database, which ends by itself when no program uses it")
            self._local = find_or_start(directory)
        except LocalServerError as error:
            note(f"error: {error}")
            raise CliError(str(error)) from None
        return self._local.running.address

    def _data_dir(self) -> Path:
        from camillo_cli.connection import data_directory

        return self._options.data_dir or data_directory(os.environ)

    def _connected(self, address: str) -> AsyncCamillo:
        """Raises CliError, ValueError."""
        from camillo_cli.connection import acting_space, tls_of
        from camillo_client import AsyncCamillo

        options = self._options
        return AsyncCamillo.connect(
            address,
            key=options.key or None,
            tls=tls_of(options),
            agent_id=acting_space(options),
            timeout_seconds=options.timeout,
            data_dir=self._data_dir(),
        )
