"""The stage of one scenario: a proxy of its own before the server, and ports that are good for trouble."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import grpc.aio

from clients.conformance.certificates import SERVER_NAME, Certificates
from clients.conformance.proxy import UNBOUNDED, AnyMethod, Proxy
from clients.conformance.wire import HOST, Wire, closed, half_open, listening
from clients.conformance.world import World

MEBIBYTE = 1024 * 1024
UNRESOLVED_ADDRESS = "no-such-host.invalid:7070"


@dataclass(frozen=True, slots=True)
class Stage:
    """Ports and files, and what passes at the proxy."""

    proxy: Proxy
    wire: Wire
    directory: Path
    # By the names that scenarios use.
    variables: dict[str, Any]

    def file(self, name: str, size: int, text: str = "") -> dict[str, Any]:
        """A file of so many bytes, never the same in two places of it; with a text, numbered lines of it, which
        compress well. Its path, size and SHA-256."""
        path, sha256 = self.directory / name, hashlib.sha256()
        with path.open("wb") as file:
            for start in range(0, size, MEBIBYTE):
                length = min(MEBIBYTE, size - start)
                if text:
                    lines = (f"{text} {start + line}\n" for line in range(length))
                    piece = "".join(islice(lines, length // len(text))).encode()[:length]
                else:
                    piece = hashlib.shake_256(f"{name} {start}".encode()).digest(length)
                file.write(piece)
                sha256.update(piece)
        return {"path": str(path), "size": size, "sha256": sha256.hexdigest()}

    def text_file(self, name: str, text: str) -> dict[str, Any]:
        """A file of this text. Its path and size, its text, and its SHA-256 as proto3 JSON has it."""
        path, content = self.directory / name, text.encode()
        path.write_bytes(content)
        sha256 = base64.b64encode(hashlib.sha256(content).digest()).decode()
        return {"path": str(path), "size": len(content), "text": text, "sha256": sha256}


@asynccontextmanager
async def set_for(world: World, certificates: Certificates, directory: Path) -> AsyncIterator[Stage]:
    """A stage that is cleared afterwards."""
    async with AsyncExitStack() as clearing:
        channel = grpc.aio.insecure_channel(world.address, UNBOUNDED)
        clearing.push_async_callback(channel.close)
        proxy = Proxy(channel)
        server = grpc.aio.server(options=UNBOUNDED)
        server.add_generic_rpc_handlers((AnyMethod(proxy),))
        plain = server.add_insecure_port(f"{HOST}:0")
        tls = server.add_secure_port(f"{HOST}:0", certificates.tls)
        mtls = server.add_secure_port(f"{HOST}:0", certificates.mtls)
        await server.start()
        clearing.push_async_callback(server.stop, None)
        wire = Wire(plain)
        variables = {
            "address": world.address,
            "proxy": await clearing.enter_async_context(listening(wire)),
            "tls": f"{SERVER_NAME}:{tls}",
            "tls_by_number": f"{HOST}:{tls}",
            "mtls": f"{SERVER_NAME}:{mtls}",
            "half_open": await clearing.enter_async_context(half_open()),
            "closed": clearing.enter_context(closed()),
            "unresolved": UNRESOLVED_ADDRESS,
            "files": certificates.files,
            "directory": str(directory),
        }
        yield Stage(proxy, wire, directory, variables)
