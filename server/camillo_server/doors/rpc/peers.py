"""The peer at the other end of a call's connection, as gRPC knows it."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from ipaddress import IPv6Network, ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from camillo_server.doors.identity.credentials import Peer

if TYPE_CHECKING:
    import grpc

# A site has so many bits of an IPv6 address, and chooses the others as it likes.
SITE_BITS = 64
MAX_CERTIFICATES = 1024


def peer_of(context: grpc.aio.ServicerContext[Any, Any]) -> Peer:
    """The peer of a call."""
    tls = context.auth_context()
    # Only the URIs of the certificate that TLS has verified: any text may stand among its other names.
    uris = tuple(uri.decode("utf-8", "replace") for uri in tls.get("peer_uri", ()))
    [certificate] = tls.get("x509_pem_cert", (None,))
    ends = _end_of(certificate) if certificate else None
    return Peer(address_of(context.peer()), uris, ends)


@lru_cache(MAX_CERTIFICATES)
def _end_of(certificate: bytes) -> datetime:
    from cryptography.x509 import load_pem_x509_certificate

    return load_pem_x509_certificate(certificate).not_valid_after_utc


def address_of(peer: str) -> str:
    """The address in the name that gRPC gives to a connection: `ipv4:10.0.0.1:50412`, `ipv6:%5B::1%5D:50412`."""
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return kind
    address = ip_address(rest.rpartition(":")[0].strip("[]").partition("%")[0])
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, SITE_BITS), strict=False))
