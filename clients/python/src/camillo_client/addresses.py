"""How the address of a server is written, and what is said of one that is not; `clients/addresses.json` has the cases
for every language."""

from __future__ import annotations

import ipaddress
import re

DEFAULT_HOST, DEFAULT_PORT = "localhost", "7070"
MAX_PORT = 65535
# Names that gRPC resolves itself: what follows is its own business.
_RESOLVED_BY_GRPC = re.compile(r"(dns|ipv4|ipv6|unix|unix-abstract|vsock|xds):", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):/+", re.IGNORECASE)
_ENCRYPTED = ("https", "grpcs")
_PATH = re.compile(r"[/?#]")
_NO_NAME = re.compile(r"[\s\"'<>()\[\]{}\\|^`,;%@]")


class AddressInvalid(ValueError):
    """An address is no host and port: `problem` says why, `use` is what was probably meant, over TLS or not."""

    def __init__(self, problem: str, use: str, tls: bool = False) -> None:
        super().__init__(problem, use, tls)
        self.problem = problem
        self.use = use
        self.tls = tls

    def __str__(self) -> str:
        return f"{self.problem}: use {self.use}{' with TLS' if self.tls else ''}"


def refuse_address(channel: object, client: str) -> None:
    """Raises TypeError where a client is made of an address, which only its `connect` takes."""
    if isinstance(channel, str):
        raise TypeError(f"{client}() takes a channel of gRPC, not an address: use {client}.connect({channel!r})")


def check_address(address: str) -> None:
    """Raises AddressInvalid for what gRPC would look up in vain, or connect to somewhere else."""
    if _RESOLVED_BY_GRPC.match(address):
        return
    scheme = _SCHEME.match(address)
    bare = address[scheme.end() :] if scheme else address.lstrip("/")
    bare = _PATH.split(bare)[0]
    authority = bare.rpartition("@")[2]
    host, port = _host_and_port(authority)
    use = f"{host or DEFAULT_HOST}:{port if _is_port(port) else DEFAULT_PORT}"
    without = "an address is a host and a port without"
    if scheme:
        name = scheme[1]
        raise AddressInvalid(f"{without} {name}://", use, name.lower() in _ENCRYPTED)
    if bare != address:
        raise AddressInvalid(f"{without} a path", use)
    if bare != authority:
        raise AddressInvalid(f"{without} a user", use)
    if problem := _problem(address, host, port):
        raise AddressInvalid(problem, use if _is_name(host) else f"{DEFAULT_HOST}:{DEFAULT_PORT}")


def _problem(address: str, host: str, port: str) -> str:
    if not address:
        return "the address is blank"
    if not host:
        return f"the address {address} has no host"
    if not _is_name(host):
        return f"the host of {address} is no name"
    if not port:
        return f"the address {address} has no port"
    return "" if _is_port(port) else f"the port of {address} is no number from 1 to {MAX_PORT}"


def _host_and_port(authority: str) -> tuple[str, str]:
    """The parts as they are written, an IPv6 address in brackets; empty where there is none."""
    if _is_ipv6(authority):
        return f"[{authority}]", ""
    if authority.startswith("["):
        host, _, port = authority.partition("]")
        return f"{host}]", port.removeprefix(":")
    if _is_port(authority):
        return "", authority
    host, _, port = authority.partition(":")
    return host, port


def _is_name(host: str) -> bool:
    if host.startswith("["):
        return _is_ipv6(host[1:-1])
    return not _NO_NAME.search(host)


def _is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).version == 6
    except ValueError:
        return False


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= MAX_PORT
