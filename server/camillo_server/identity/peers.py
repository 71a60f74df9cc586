"""The other end of a connection."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Peer:
    """`address` is that of the machine, of IPv6 the network of its site; `uris` and end are those of a certificate that TLS
    has verified."""

    address: str = ""
    uris: tuple[str, ...] = ()
    certificate_ends: datetime | None = None
