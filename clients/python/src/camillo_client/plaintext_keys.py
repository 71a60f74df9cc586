"""Keys that would go unencrypted to another machine."""

from __future__ import annotations

import ipaddress
import warnings

from camillo_client.target import Target

_LOCAL_SCHEMES = ("unix:", "unix-abstract:")
_SCHEMES = ("dns:", "ipv4:", "ipv6:")


class KeyUnprotected(UserWarning):
    """A key is sent to another machine without TLS: whoever is on the way can read it. Where something else encrypts, such as
    a mesh, `warnings.filterwarnings("ignore", category=KeyUnprotected)`."""


def warn_of_plaintext(target: Target, key: str) -> None:
    """One warning for a key that would leave this machine as it is."""
    if key and target.tls is None and not stays_here(target.address):
        told = f"the key goes to {target.address} unencrypted: connect with tls"
        # Of the line that calls `connect`.
        warnings.warn(KeyUnprotected(told), stacklevel=3)


def stays_here(address: str) -> bool:
    """Whether what is sent to an address, in any form that gRPC takes, stays on this machine."""
    if address.startswith(_LOCAL_SCHEMES):
        return True
    bare = address.rpartition("/")[2]
    for scheme in _SCHEMES:
        bare = bare.removeprefix(scheme)
    return all(_is_local(_host(each)) for each in bare.split(","))


def _host(address: str) -> str:
    if address.startswith("["):
        return address[1:].partition("]")[0]
    # Two colons and more are an IPv6 address without a port.
    return address.rpartition(":")[0] if address.count(":") == 1 else address


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
