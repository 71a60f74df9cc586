"""The options with which a command reaches a server, and the client made of them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from camillo_server.cli.failures import CliError, ExitCode, from_server, one_line
from camillo_server.cli.output import note
from camillo_server.cli.root_key_file import local_key

if TYPE_CHECKING:
    from camillo_client import Camillo, Tls

DEFAULT_AGENT = "default"
PANEL = "Connection"


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Where the server is, and as whom to call it."""

    as_json: Annotated[bool, Option("--json", help="JSON on standard output and nothing else.")] = (
        False
    )
    address: Annotated[
        str,
        Option(
            envvar="CAMILLO_ADDRESS", help="Host and port of the server.", rich_help_panel=PANEL
        ),
    ] = "localhost:7070"
    key: Annotated[
        str | None,
        Option(
            envvar="CAMILLO_KEY",
            help="API key. A server on this machine: found in its data directory.",
            rich_help_panel=PANEL,
        ),
    ] = None
    agent: Annotated[
        str | None,
        Option(
            envvar="CAMILLO_AGENT",
            help="Whose memory; '' for what the tenant shares. Left out: the key's own agent, else 'default'.",
            rich_help_panel=PANEL,
        ),
    ] = None
    timeout: Annotated[
        float, Option(min=0.001, help="Seconds that a call may take.", rich_help_panel=PANEL)
    ] = 10.0
    data_dir: Annotated[
        Path | None,
        Option(help="Data directory of a server on this machine.", rich_help_panel=PANEL),
    ] = None
    tls: Annotated[
        bool, Option("--tls", help="Encrypt, trusting public authorities.", rich_help_panel=PANEL)
    ] = False
    ca: Annotated[
        Path | None,
        Option(
            help="Encrypt, trusting the authorities in this PEM file.",
            exists=True,
            dir_okay=False,
            rich_help_panel=PANEL,
        ),
    ] = None
    cert: Annotated[
        Path | None,
        Option(
            help="Certificate to show (PEM).", exists=True, dir_okay=False, rich_help_panel=PANEL
        ),
    ] = None
    cert_key: Annotated[
        Path | None,
        Option(help="Its private key (PEM).", exists=True, dir_okay=False, rich_help_panel=PANEL),
    ] = None


@contextmanager
def connected(options: ClientOptions) -> Iterator[Camillo]:
    """A client that reads and writes one agent's memory. Failures of its calls leave as CliError."""
    found = _found_key(options)
    with _explaining(options, found), _telling_warnings():
        agent = options.agent
        if agent is None:
            agent = DEFAULT_AGENT if found else _own_agent(options)
        with _client(options, found, agent) as camillo:
            yield camillo


@contextmanager
def administering(options: ClientOptions) -> Iterator[Camillo]:
    """A client for calls that concern no agent's memory. Failures of its calls leave as CliError."""
    found = _found_key(options)
    with (
        _explaining(options, found),
        _telling_warnings(),
        _client(options, found, "") as camillo,
    ):
        yield camillo


def _client(options: ClientOptions, found: str, agent: str) -> Camillo:
    from camillo_client import Camillo

    return Camillo.connect(
        options.address,
        key=options.key or found,
        tls=_tls(options),
        agent_id=agent,
        timeout_seconds=options.timeout,
    )


def _found_key(options: ClientOptions) -> str:
    """The key of a server on this machine; empty where the caller has brought a credential."""
    if options.key or options.cert:
        return ""
    return local_key(options.address, options.data_dir, os.environ)


def _own_agent(options: ClientOptions) -> str:
    """The one agent of the credential; the default agent for a credential that may act for any."""
    with _client(options, "", "") as camillo:
        caller = camillo.who_am_i()
    return DEFAULT_AGENT if caller.any_agent else caller.agent_id


def _tls(options: ClientOptions) -> Tls | None:
    from camillo_client import Tls

    if (options.cert is None) != (options.cert_key is None):
        raise CliError("--cert and --cert-key go together", ExitCode.USAGE)
    if not (options.tls or options.ca or options.cert):
        return None
    return Tls(options.ca, options.cert, options.cert_key)


@contextmanager
def _telling_warnings() -> Iterator[None]:
    """The client warns of every secret that was not stored, and of a key that goes unencrypted; here that is a line beside the
    result."""
    from camillo_client import SecretRedacted

    with warnings.catch_warnings():
        warnings.simplefilter("always", SecretRedacted)
        warnings.showwarning = lambda message, *_, **__: note(f"note: {message}")
        yield


@contextmanager
def _explaining(options: ClientOptions, found: str) -> Iterator[None]:
    from camillo_client import CamilloError

    try:
        yield
    except CamilloError as error:
        told = from_server(error, options.address)
        if found and error.reason == "CREDENTIAL_INVALID":
            told = CliError(
                f"the server at {options.address} does not know the key in the data directory: "
                "name that server's own with --data-dir, or give a key with --key",
                ExitCode.REFUSED,
            )
        raise told from error
    except UnicodeEncodeError as error:
        raise CliError("the input is not UTF-8 text", ExitCode.USAGE) from error
    except ValueError as error:
        # What the client itself refuses to send.
        raise CliError(one_line(str(error)), ExitCode.USAGE) from error
