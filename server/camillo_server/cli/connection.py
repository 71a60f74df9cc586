"""The options with which a command reaches a server, and the client that they make."""

from __future__ import annotations

import ipaddress
import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from camillo_server.cli.failures import CliError, ExitCode, from_server, one_line
from camillo_server.cli.options import AsJson, panel
from camillo_server.cli.output import note

if TYPE_CHECKING:
    from camillo.v1.admin_service_pb2 import WhoAmIResponse
    from camillo_client import Camillo, Tls

DEFAULT_AGENT = "default"
ROOT_KEY_FILE = "root.key"
option = panel("Connection")
pem = partial(option, exists=True, dir_okay=False)


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Where the server is, and as whom to call it."""

    is_listed_last: ClassVar[bool] = True

    as_json: AsJson = False
    address: Annotated[
        str, option("Host and port of the server.", envvar="CAMILLO_ADDRESS", show_default=True)
    ] = "localhost:7070"
    key: Annotated[
        str | None,
        option(
            "API key. Default, for a server on this machine: the one in its data directory.",
            envvar="CAMILLO_KEY",
        ),
    ] = None
    agent: Annotated[
        str | None,
        option(
            "The agent; '' for the scope that all agents of the tenant share. Default: the agent of "
            "the key, else 'default'.",
            envvar="CAMILLO_AGENT",
        ),
    ] = None
    timeout: Annotated[
        float, option("Seconds that a call may take.", min=0.001, show_default=True)
    ] = 10.0
    data_dir: Annotated[Path | None, option("Data directory of a server on this machine.")] = None
    tls: Annotated[
        bool, option("Use TLS, and trust the public certificate authorities.", "--tls")
    ] = False
    ca: Annotated[Path | None, pem("Use TLS, and trust the authorities in this PEM file.")] = None
    cert: Annotated[Path | None, pem("Client certificate (PEM).")] = None
    cert_key: Annotated[Path | None, pem("Its private key (PEM).")] = None


def connected(options: ClientOptions) -> AbstractContextManager[Camillo]:
    """A client that reads and writes one agent's memory. A call that fails raises CliError."""
    return _connected(options, options.agent)


def administering(options: ClientOptions) -> AbstractContextManager[Camillo]:
    """A client for calls that are not about one agent's memory. A call that fails raises CliError."""
    return _connected(options, "")


@contextmanager
def _connected(options: ClientOptions, agent: str | None) -> Iterator[Camillo]:
    # A caller's own credential is used instead of the key of a server on this machine.
    has_credential = bool(options.key or options.cert)
    root_key = "" if has_credential else local_key(options.address, options.data_dir, os.environ)
    with _as_cli_errors(options, root_key), _warnings_as_notes():
        if agent is None:
            agent = DEFAULT_AGENT if root_key else _own_agent(options)
        with _client(options, root_key, agent) as camillo:
            yield camillo


def _client(options: ClientOptions, root_key: str, agent: str) -> Camillo:
    from camillo_client import Camillo

    return Camillo.connect(
        options.address,
        key=options.key or root_key,
        tls=_tls(options),
        agent_id=agent,
        timeout_seconds=options.timeout,
    )


def _own_agent(options: ClientOptions) -> str:
    with _client(options, "", "") as camillo:
        return caller_agent(camillo.who_am_i())


def caller_agent(caller: WhoAmIResponse) -> str:
    """The one agent of a credential; the default agent for a credential that may act for any."""
    return DEFAULT_AGENT if caller.any_agent else caller.agent_id


def _tls(options: ClientOptions) -> Tls | None:
    from camillo_client import Tls

    if (options.cert is None) != (options.cert_key is None):
        raise CliError("--cert and --cert-key go together", ExitCode.USAGE)
    if not (options.tls or options.ca or options.cert):
        return None
    return Tls(options.ca, options.cert, options.cert_key)


@contextmanager
def _warnings_as_notes() -> Iterator[None]:
    """Prints the client's warnings, of secrets that were not stored and keys that are sent unencrypted, as notes."""
    from camillo_client import SecretRedacted

    with warnings.catch_warnings():
        warnings.simplefilter("always", SecretRedacted)
        warnings.showwarning = lambda message, *_, **__: note(f"note: {message}")
        yield


@contextmanager
def _as_cli_errors(options: ClientOptions, root_key: str) -> Iterator[None]:
    from camillo_client import CamilloError

    try:
        yield
    except CamilloError as error:
        failure = from_server(error, options.address)
        if root_key and error.reason == "CREDENTIAL_INVALID":
            failure = CliError(
                f"the server at {options.address} does not know the key in the data directory: "
                "name that server's own with --data-dir, or give a key with --key",
                ExitCode.REFUSED,
            )
        raise failure from error
    except UnicodeEncodeError as error:
        raise CliError("the input is not UTF-8 text", ExitCode.USAGE) from error
    except ValueError as error:
        # The client itself refuses to send it.
        raise CliError(one_line(str(error)), ExitCode.USAGE) from error


def local_key(address: str, data_dir: Path | None, environ: Mapping[str, str]) -> str:
    """The secret in the data directory's key file; empty if there is none.

    Only for a server on this machine: the key must not travel to whatever an address names.
    """
    if not _is_local(address):
        return ""
    path = (data_dir or data_directory(environ)) / ROOT_KEY_FILE
    try:
        return path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a key"
        raise CliError(f"cannot read the key in {path}: {reason}", ExitCode.REFUSED) from error


def data_directory(environ: Mapping[str, str]) -> Path:
    """Where a server started in this environment keeps its data."""
    if directory := environ.get("CAMILLO_DATA_DIR"):
        return Path(directory).expanduser()
    if environ.get("CAMILLO_CONFIG"):
        from camillo_server.cli.server import load

        return load(None, environ, {}).data_dir
    share = Path(environ.get("XDG_DATA_HOME", ""))
    home = environ.get("HOME")
    if not share.is_absolute():
        share = (Path(home) if home else Path.home()) / ".local" / "share"
    return share / "camillo"


def _is_local(address: str) -> bool:
    if address.startswith("unix:"):
        return True
    host = address.removeprefix("dns:///").rpartition(":")[0].strip("[]") or address
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
