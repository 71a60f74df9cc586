"""Which server to talk to, and how."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from camillo_client.service_config import service_config

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

ChannelOptions = list[tuple[str, str | int]]


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM as bytes, or paths to PEM files. With a certificate chain and its private key, the client proves who it is."""

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
            # Of what an error tells; gRPC takes 8 KiB by default, and Envoy's own headers count, too.
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
    """The address given, else that of CAMILLO_ADDRESS, else the local default."""
    # As with keys: a line end would be taken for a part of the name.
    return (address or environment.get("CAMILLO_ADDRESS") or DEFAULT_ADDRESS).strip()


def resolved_key(key: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The key given, else that of CAMILLO_KEY, else none; ValueError for one that no header can carry."""
    # Keys are read from files and pipes, and a line end in a header fails without saying why.
    found = (environment.get("CAMILLO_KEY", "") if key is None else key).strip()
    if not (found.isascii() and found.isprintable()):
        # Without the key: errors end up in logs.
        raise ValueError("the key has characters that are no printable ASCII")
    return found


def _pem(source: bytes | str | Path | None) -> bytes | None:
    if isinstance(source, str) and source.lstrip().startswith("-----BEGIN"):
        # As a path it would stand, whole, in the error.
        raise ValueError("PEM is given as bytes, a path as text: encode it")
    return Path(source).read_bytes() if isinstance(source, str | Path) else source
