"""The options with which a command reaches a server, and the client that they make."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from camillo_cli.failures import CliError, ExitCode, from_server, one_line
from camillo_cli.options import AsJson, panel
from camillo_cli.output import note

if TYPE_CHECKING:
    from camillo.v1.admin_service_pb2 import WhoAmIResponse
    from camillo_client import Camillo, Tls

ROOT_KEY_FILE = "root.key"
option = panel("Connection")
pem = partial(option, exists=True, dir_okay=False)


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Where the server is, and as whom to call it."""

    is_listed_last: ClassVar[bool] = True

    as_json: AsJson = False
    address: Annotated[str, option("Host and port of the server.", envvar="CAMILLO_ADDRESS", show_default=True)] = (
        "localhost:7070"
    )
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
            "The agent; '@shared' for the space that all agents of the tenant share. Default: the "
            "agent of the key, else CAMILLO_AGENT, else 'default'."
        ),
    ] = None
    user: Annotated[
        str | None, option("In place of the agent, the person with this id: the space users/ID.", metavar="ID")
    ] = None
    project: Annotated[
        str | None,
        option("In place of the agent, this project: shop, or github.com/acme/shop.", metavar="NAME"),
    ] = None
    space: Annotated[
        str | None,
        option(
            "In place of the agent, this space: users/42, projects/shop, teams/eu/ops. Default: CAMILLO_SPACE, "
            "else the agent.",
            metavar="PATH",
        ),
    ] = None
    timeout: Annotated[float, option("Seconds that a call may take.", min=0.001, show_default=True)] = 10.0
    data_dir: Annotated[Path | None, option("Data directory of a server on this machine.")] = None
    tls: Annotated[bool, option("Use TLS, and trust the public certificate authorities.", "--tls")] = False
    ca: Annotated[Path | None, pem("Use TLS, and trust the authorities in this PEM file.")] = None
    cert: Annotated[Path | None, pem("Client certificate (PEM).")] = None
    cert_key: Annotated[Path | None, pem("Its private key (PEM).")] = None


def connected(options: ClientOptions) -> AbstractContextManager[Camillo]:
    """A client that reads and writes in one space. A call that fails raises CliError."""
    return _connected(options, acting_space(options))


def administering(options: ClientOptions) -> AbstractContextManager[Camillo]:
    """A client for calls that are not about one space. A call that fails raises CliError."""
    space_option(options)
    return _connected(options, "")


def acting_space(options: ClientOptions) -> str:
    """The space that the options name, else CAMILLO_SPACE; empty for the agent's own. Raises CliError."""
    return space_option(options) or _checked("CAMILLO_SPACE", os.environ.get("CAMILLO_SPACE", "").strip())


def space_option(options: ClientOptions) -> str:
    """The space that the options name; empty if they name none. Raises CliError."""
    named = {
        "--agent": options.agent,
        "--user": options.user,
        "--project": options.project,
        "--space": options.space,
    }
    given = [option for option, value in named.items() if value is not None]
    if len(given) > 1:
        raise CliError(f"give one of {', '.join(given)}: each names the space", ExitCode.USAGE)
    if options.user is not None:
        if "/" in options.user:
            raise CliError("--user takes an id without a slash", ExitCode.USAGE)
        return _checked("--user", f"users/{options.user}")
    if options.project is not None:
        return _checked("--project", f"projects/{options.project}")
    if options.space is not None:
        return _checked("--space", options.space or " ")
    return options.agent or ""


def _checked(name: str, space: str) -> str:
    from camillo_client.spaces import checked_space

    try:
        return checked_space(space) if space else ""
    except ValueError as error:
        raise CliError(f"{name}: {error}", ExitCode.USAGE) from error


@contextmanager
def _connected(options: ClientOptions, agent: str) -> Iterator[Camillo]:
    from camillo_client import Camillo

    with (
        _as_cli_errors(options),
        _warnings_as_notes(),
        Camillo.connect(
            options.address,
            key=options.key or None,
            tls=tls_of(options),
            agent_id=agent,
            timeout_seconds=options.timeout,
            data_dir=options.data_dir or configured_data_dir(options),
        ) as camillo,
    ):
        yield camillo


def acting_agent(options: ClientOptions, caller: WhoAmIResponse) -> str:
    """The agent whose space a command acts on; empty for the tenant's shared space."""
    from camillo_client.call_metadata import SHARED, resolved_default_agent

    default = resolved_default_agent(os.environ) if caller.any_agent else caller.agent_id
    agent = acting_space(options) or default
    return "" if agent == SHARED else agent


def tls_of(options: ClientOptions) -> Tls | None:
    """How the options want the connection encrypted. Raises CliError."""
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
def _as_cli_errors(options: ClientOptions) -> Iterator[None]:
    from camillo_client import AddressInvalid, CamilloError

    try:
        yield
    except CamilloError as error:
        raise from_server(error, options.address) from error
    except AddressInvalid as error:
        from camillo_cli.unreachable import corrected

        raise CliError(": ".join(corrected(error)), ExitCode.UNAVAILABLE) from error
    except UnicodeEncodeError as error:
        raise CliError("the input is not UTF-8 text", ExitCode.USAGE) from error
    except ValueError as error:
        # The client itself refuses to send it.
        raise CliError(one_line(str(error)), ExitCode.USAGE) from error


def configured_data_dir(options: ClientOptions) -> Path | None:
    """The data directory that the configuration file names; None leaves it to the client, which does not read that."""
    from camillo_client.target import stays_here

    has_credential = bool(options.key or options.cert)
    if has_credential or not stays_here(options.address):
        return None
    return data_directory(os.environ)


def data_directory(environ: Mapping[str, str]) -> Path:
    """Where a server started in this environment keeps its data."""
    from camillo_client.local_key import data_directory as of_user

    config = environ.get("CAMILLO_CONFIG")
    if config and not environ.get("CAMILLO_DATA_DIR"):
        return of_user({**environ, "CAMILLO_DATA_DIR": _configured(config)})
    return of_user(environ)


def _configured(path: str) -> str:
    """The data directory that a configuration file of a server names; empty where it names none. Raises CliError."""
    import yaml

    try:
        settings = yaml.safe_load(Path(path).read_text("utf-8"))
    except (yaml.YAMLError, ValueError) as error:
        raise CliError(f"{path}: is not YAML", ExitCode.USAGE) from error
    stated = settings.get("data_dir") if isinstance(settings, dict) else None
    return stated if isinstance(stated, str) else ""
