"""The server's HTTP port, and who calls it: found as the other commands find theirs, without what those import."""

import os
from collections.abc import Mapping

from camillo_formats.space_routing import AUTO, routed_spaces
from camillo_formats.user_directory import user_directory

DEFAULT_ADDRESS = "localhost:7070"
DEFAULT_AGENT = "default"
ROOT_KEY_FILE = "root.key"


class HookError(Exception):
    """A hook could not do its work: one line for a person."""


class Endpoint:
    """Where a server answers HTTP, and as whom to call it. `person`: the space that keeps what a person wants in every
    project; empty where it is the agent's. `is_named`: each request names the space, so that a key without a grant for
    it is refused, and does not act for its own agent instead."""

    __slots__ = ("agent", "host", "is_encrypted", "is_named", "key", "person", "port")

    def __init__(
        self,
        host: str,
        port: int,
        *,
        is_encrypted: bool,
        key: str,
        agent: str,
        person: str = "",
        is_named: bool = False,
    ) -> None:
        self.host = host
        self.port = port
        self.is_encrypted = is_encrypted
        self.key = key
        self.agent = agent
        self.person = person
        self.is_named = is_named


def endpoint_of(environ: Mapping[str, str], directory: str, agent: str, space: str) -> Endpoint:
    """The endpoint that the environment names, for a session in this directory. Raises HookError."""
    host, port, is_encrypted = _address(environ)
    try:
        own, person = routed_spaces(environ, directory, agent, space)
    except ValueError as error:
        raise HookError(str(error)) from None
    name = own or DEFAULT_AGENT
    key = environ.get("CAMILLO_KEY", "").strip() or _local_key(environ, host)
    for what, text in (("the agent's name", name), ("the key", key)):
        # It goes into a header: a line end in it would begin another one.
        if not (text.isascii() and text.isprintable()):
            raise HookError(f"{what} has characters that are no printable ASCII")
    is_named = space == AUTO and "/" in name
    return Endpoint(host, port, is_encrypted=is_encrypted, key=key, agent=name, person=person, is_named=is_named)


def _address(environ: Mapping[str, str]) -> tuple[str, int, bool]:
    stated = environ.get("CAMILLO_HTTP_ADDRESS", "").strip()
    address = stated or environ.get("CAMILLO_ADDRESS", "").strip() or DEFAULT_ADDRESS
    scheme, _, rest = address.rpartition("://")
    host, _, port = rest.rstrip("/").rpartition(":")
    bare = host.removeprefix("[").removesuffix("]")
    is_web = scheme in ("", "http", "https")
    if not (is_web and bare.isascii() and bare.isprintable() and bare and port.isdecimal()):
        raise HookError(f"{address[:100]!r} is no address for HTTP: set CAMILLO_HTTP_ADDRESS to host:port")
    # Without one of its own, the port for HTTP is the one behind that of gRPC.
    return bare, int(port) + (0 if stated else 1), scheme == "https"


def _local_key(environ: Mapping[str, str], host: str) -> str:
    """The key in the data directory, for a server on this machine only: it must not travel to whatever an address
    names."""
    if not is_this_machine(host):
        return ""
    path = os.path.join(_data_directory(environ), ROOT_KEY_FILE)
    try:
        with open(path, "rb") as file:
            return file.read(1024).decode("latin-1").strip()
    except OSError:
        # The server will say that a key is missing, or needs none.
        return ""


def is_this_machine(host: str) -> bool:
    """Whether the host is `localhost` or a whole loopback address: `127.evil.example` is a name of somebody else."""
    parts = host.split(".")
    is_loopback = (
        len(parts) == 4
        and parts[0] == "127"
        and all(each.isdecimal() and len(each) < 4 and int(each) < 256 for each in parts)
    )
    return host == "localhost" or host == "::1" or is_loopback


def _data_directory(environ: Mapping[str, str]) -> str:
    if directory := environ.get("CAMILLO_DATA_DIR"):
        return os.path.expanduser(directory)
    return os.path.join(user_directory(environ, "XDG_DATA_HOME", ".local/share"), "camillo")
