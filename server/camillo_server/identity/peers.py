"""The other end of a connection."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """`address` is that of the machine, of IPv6 the network of its site; `uris` are those of a certificate that TLS has
    verified."""

    address: str = ""
    uris: tuple[str, ...] = ()
