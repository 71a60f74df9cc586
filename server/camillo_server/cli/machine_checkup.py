"""What the doctor looks at on this machine: the data directory, the key file, the embedder, the server's port."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from camillo_server.cli.failures import one_line
from camillo_server.cli.findings import Finding, fail, ok, warn
from camillo_server.cli.root_key_file import ROOT_KEY_FILE

if TYPE_CHECKING:
    from camillo_server.embedding.embedder import Embedder
    from camillo_server.settings import Settings

MIB = 1024 * 1024
LEAST_FREE_BYTES = 100 * MIB
COMFORTABLE_FREE_BYTES = 1024 * MIB
HEALTH_TIMEOUT_SECONDS = 3.0


def check_data_directory(directory: Path) -> Iterator[Finding]:
    """Writable, with room, and who uses it."""
    subject = "data directory"
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    if not existing.is_dir():
        yield fail(subject, f"{existing} is not a directory", "choose another with --data-dir")
        return
    if not os.access(existing, os.W_OK | os.X_OK):
        yield fail(
            subject,
            f"{existing} is not writable",
            "correct its permissions, or choose another with --data-dir",
        )
        return
    if existing != directory:
        yield ok(subject, f"{directory}, made by the first 'camillo serve'")
    else:
        holder = lock_holder(directory)
        yield ok(subject, f"{directory}, {f'in use by {holder}' if holder else 'not in use'}")
    yield _free_space(existing)


def _free_space(directory: Path) -> Finding:
    free = shutil.disk_usage(directory).free
    what = f"{free / 1024 / MIB:,.1f} GiB free"
    if free < LEAST_FREE_BYTES:
        return fail("disk", what, "make room: without it nothing can be stored")
    if free < COMFORTABLE_FREE_BYTES:
        return warn("disk", what, "make room soon")
    return ok("disk", what)


def lock_holder(directory: Path) -> str:
    """Which process uses the data directory; empty if none does."""
    try:
        with (directory / "lock").open("rb") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                pid = lock.read(32).decode(errors="replace").strip()
                return f"process {pid}" if pid.isdigit() else "another process"
    except OSError:
        # Never used, or not ours to read: then starting says more.
        pass
    return ""


def check_key_file(directory: Path) -> Finding:
    """The root key of an embedded server."""
    path = directory / ROOT_KEY_FILE
    try:
        found = path.stat()
    except FileNotFoundError:
        return ok("root key", "none yet: made by the first 'camillo serve'")
    except OSError as error:
        return fail("root key", f"{path}: {error.strerror}", "correct its permissions")
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        return fail(
            "root key", f"{path} has mode {mode:04o}: others can read it", f"chmod 600 {path}"
        )
    if not os.access(path, os.R_OK):
        return warn("root key", f"{path} is not readable by you", "run as the user that serves")
    return ok("root key", f"{path}, mode {mode:04o}")


def check_embedder(settings: Settings) -> Finding:
    """Which one is taken and why; it loads, and embeds a word."""
    import asyncio

    from camillo_server.embedding.choose import choose_embedder
    from camillo_server.embedding.embedder import EmbeddingUnavailable

    try:
        choice = choose_embedder(settings.memory, settings.data_dir)
        asyncio.run(_embed_a_word(choice.embedder))
    except (EmbeddingUnavailable, ValueError, OSError) as error:
        return fail(
            "embedding",
            one_line(str(error)),
            "correct memory.model_dir or memory.litellm_..., or set memory.embedding_model to auto or lexical",
        )
    return ok("embedding", f"{choice.embedder.model_id} ({choice.reason})")


async def _embed_a_word(embedder: Embedder) -> None:
    try:
        await embedder.embed(["memory"])
    finally:
        await embedder.close()


def check_server(settings: Settings, address: str) -> Finding:
    """Whether a server answers at the address."""
    subject = "server"
    start = "start one with 'camillo serve', or name another with --address"
    if settings.tls.enabled:
        return _listens(subject, address, start)
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=HEALTH_TIMEOUT_SECONDS
            )
        except grpc.RpcError as error:
            what = f"no healthy server at {address} ({error.code().name.lower()})"
            return warn(subject, what, start)
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        return warn(subject, f"the server at {address} takes no calls", "see its log")
    return ok(subject, f"serving at {address}")


def _listens(subject: str, address: str, start: str) -> Finding:
    """With TLS the doctor has no credentials to ask with: that something listens has to do."""
    import socket

    host, _, port = address.rpartition(":")
    with suppress(OSError, ValueError):
        socket.create_connection((host.strip("[]"), int(port)), HEALTH_TIMEOUT_SECONDS).close()
        return ok(subject, f"something listens at {address} (with TLS: not asked further)")
    return warn(subject, f"nothing listens at {address}", start)
