"""The authority of the suite, what it signed, and one that nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from tests.rpc.certificates import Authority

SERVER_NAME = "localhost"


@dataclass(frozen=True, slots=True)
class Certificates:
    """Credentials of the proxy, and the files that clients are given."""

    tls: grpc.ServerCredentials
    mtls: grpc.ServerCredentials
    # By the names that scenarios use.
    files: dict[str, str]


def made_in(directory: Path) -> Certificates:
    """New ones for a run of the suite."""
    authority, stranger = Authority(), Authority()
    server, client = authority.sign(SERVER_NAME), authority.sign("client")
    chain = [(server.private_key, server.certificate)]
    return Certificates(
        tls=grpc.ssl_server_credentials(chain),
        mtls=grpc.ssl_server_credentials(chain, authority.certificate, require_client_auth=True),
        files=_written(directory, authority, stranger, client),
    )


def _written(directory: Path, authority: Authority, stranger: Authority, client: Any) -> dict[str, str]:
    contents = {
        "root": authority.certificate,
        "other_root": stranger.certificate,
        "client": client.certificate,
        "client_key": client.private_key,
    }
    for name, content in contents.items():
        (directory / f"{name}.pem").write_bytes(content)
    return {name: str(directory / f"{name}.pem") for name in contents}
