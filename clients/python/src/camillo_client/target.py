"""The server to connect to: its address, TLS and channel options, and the warning for keys sent unencrypted."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import grpc

from camillo_client.addresses import check_address
from camillo_client.caller_warnings import warn_caller

VERSION = "0.1.0"
DEFAULT_ADDRESS = "localhost:7070"
MAX_MESSAGE_BYTES = 64 * 1024 * 1024
# gRPC servers allow a ping in 5 minutes without data and close connections of clients that ping more often;
# load balancers forget connections that are idle for about 6.
KEEPALIVE_SECONDS = 330.0
KEEPALIVE_TIMEOUT_SECONDS = 20.0
MAX_METADATA_BYTES = 64 * 1024
# gRPC waits a second by default before it connects again: its retries would all meet the connection that failed.
RECONNECT_SECONDS = 0.1
# gRPC retries only what it still has in its buffer: 256 KiB by default, less than a batch of memories.
RETRY_BUFFER_BYTES = 16 * 1024 * 1024

_AMBIGUOUS = frozenset("@%?#")
_LOCAL_SCHEMES = ("unix:", "unix-abstract:")
_SCHEMES = ("dns:", "ipv4:", "ipv6:")

ChannelOptions = list[tuple[str, str | int]]


class KeyUnprotected(UserWarning):
    """A key is sent to another machine without TLS and can be read on the way. Where something else encrypts, such as
    a mesh, ignore it: `warnings.filterwarnings("ignore", category=KeyUnprotected)`."""


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM as bytes, or paths to PEM files. With a certificate chain and its private key, the client proves who it
    is."""

    # None: those that gRPC comes with.
    root_certificates: bytes | str | Path | None = None
    certificate_chain: bytes | str | Path | None = None
    # Not in what is printed of it.
    private_key: bytes | str | Path | None = field(default=None, repr=False)
    # The name in the server's certificate, where it is not that of the address.
    server_name: str = ""

    def credentials(self) -> grpc.ChannelCredentials:
        """Reads the files; ValueError if only one of chain and key is given."""
        if (self.certificate_chain is None) != (self.private_key is None):
            raise ValueError("a certificate chain and a private key go together")
        return grpc.ssl_channel_credentials(
            root_certificates=_pem(self.root_certificates),
            private_key=_pem(self.private_key),
            certificate_chain=_pem(self.certificate_chain),
        )


@dataclass(frozen=True, slots=True)
class Target:
    """A server, and the properties of the channel to it."""

    address: str
    tls: Tls | None = None
    max_message_bytes: int = MAX_MESSAGE_BYTES
    keepalive_seconds: float = KEEPALIVE_SECONDS

    def options(self) -> ChannelOptions:
        """The channel options of gRPC."""
        options: ChannelOptions = [
            ("grpc.service_config", service_config()),
            ("grpc.enable_retries", 1),
            ("grpc.per_rpc_retry_buffer_size", RETRY_BUFFER_BYTES),
            ("grpc.max_send_message_length", self.max_message_bytes),
            ("grpc.max_receive_message_length", self.max_message_bytes),
            # Room for the details of an error; gRPC takes 8 KiB by default, and Envoy's own headers count, too.
            ("grpc.max_metadata_size", MAX_METADATA_BYTES),
            ("grpc.initial_reconnect_backoff_ms", round(RECONNECT_SECONDS * 1000)),
            ("grpc.keepalive_time_ms", round(self.keepalive_seconds * 1000)),
            ("grpc.keepalive_timeout_ms", round(KEEPALIVE_TIMEOUT_SECONDS * 1000)),
            ("grpc.primary_user_agent", f"camillo-client/{VERSION}"),
        ]
        if self.tls is not None and self.tls.server_name:
            options.append(("grpc.ssl_target_name_override", self.tls.server_name))
        return options


def resolved_address(address: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The address given, else that of CAMILLO_ADDRESS, else the local default; AddressInvalid for one that is no host
    and port."""
    found = address or environment.get("CAMILLO_ADDRESS") or DEFAULT_ADDRESS
    if not isinstance(found, str):
        raise TypeError(f"address takes text such as {DEFAULT_ADDRESS}, not {type(found).__name__}")
    # As with keys: a line end would be taken for a part of the name.
    stripped = found.strip()
    check_address(stripped)
    return stripped


def resolved_key(key: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The key given, else that of CAMILLO_KEY, else none; ValueError for one that no header can carry."""
    # Keys are read from files and pipes, and a line end in a header fails without saying why.
    found = (environment.get("CAMILLO_KEY", "") if key is None else key).strip()
    if not (found.isascii() and found.isprintable()):
        # Without the key: errors end up in logs.
        raise ValueError("the key has characters that are no printable ASCII")
    return found


def service_config() -> str:
    """The JSON of the channel option `grpc.service_config`, a copy of the file that the clients of all languages
    share.

    gRPC repeats reads and mutations (those carry a request id, so that a repetition gets the first answer and writes
    nothing) where the status is UNAVAILABLE, or where the server itself says CANCELLED, because it was shutting down
    before it took the call. It does not repeat what exceeds a quota. Streams are not repeated by gRPC: an import has
    no request id, a watch resumes by its token, an export would begin anew; uploads and reads of artifacts continue
    where they broke.
    """
    return files("camillo_client").joinpath("service_config.json").read_text("utf-8")


def warn_of_plaintext(target: Target, key: str) -> None:
    """Warns of a key that would leave this machine unencrypted."""
    if key and target.tls is None and not stays_here(target.address):
        told = f"the key goes to {target.address} unencrypted: connect with tls"
        warn_caller(KeyUnprotected(told))


def stays_here(address: str) -> bool:
    """Whether an address, in any form that gRPC takes, is on this machine."""
    if address.startswith(_LOCAL_SCHEMES):
        return True
    # gRPC ends the name at some of these, wherever the rest of the address leads.
    if _AMBIGUOUS & set(address):
        return False
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


def _pem(source: bytes | str | Path | None) -> bytes | None:
    if isinstance(source, str) and source.lstrip().startswith("-----BEGIN"):
        # As a path it would stand, whole, in the error.
        raise ValueError("PEM is given as bytes, a path as text: encode it")
    return Path(source).read_bytes() if isinstance(source, str | Path) else source
