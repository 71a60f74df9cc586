"""Checks of this machine and of the server: data directory, disk, key file, embedding model, port, indexes in
memory."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from camillo_cli.connection import ROOT_KEY_FILE, ClientOptions, administering
from camillo_cli.failures import CliError, one_line
from camillo_cli.format import SHARED, counted
from camillo_cli.unreachable import START, listener_at, unreachable

from camillo_server.cli.doctor import Finding, fail, ok, warn
from camillo_server.cli.server import lock_holder

if TYPE_CHECKING:
    from camillo.v1.admin_pb2 import HeldIndex
    from camillo_client import Camillo

    from camillo_server.models.embedding.embedder import Embedder
    from camillo_server.models.reranking.text_reranking import Reranker
    from camillo_server.settings.settings import Settings

MIB = 1024 * 1024
MIN_FREE_BYTES = 100 * MIB
ENOUGH_FREE_BYTES = 1024 * MIB
HEALTH_TIMEOUT_SECONDS = 3.0
# A scope of a million memories is read and compared in about a minute.
COMPARE_TIMEOUT_SECONDS = 600.0


def check_data_directory(directory: Path) -> Iterator[Finding]:
    """Checks whether the directory is writable and has space left, and which process uses it."""
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
        yield ok(subject, f"{directory}, created by the first 'camillo serve'")
    else:
        holder = lock_holder(directory)
        yield ok(subject, f"{directory}, {f'in use by {holder}' if holder else 'not in use'}")
    yield _free_space(existing)


def _free_space(directory: Path) -> Finding:
    free = shutil.disk_usage(directory).free
    what = f"{free / 1024 / MIB:,.1f} GiB free"
    if free < MIN_FREE_BYTES:
        return fail("disk", what, "free some space: without it nothing can be stored")
    if free < ENOUGH_FREE_BYTES:
        return warn("disk", what, "free some space soon")
    return ok("disk", what)


def check_key_file(directory: Path) -> Finding:
    """Whether only its owner can read the root key of an embedded server."""
    path = directory / ROOT_KEY_FILE
    try:
        found = path.stat()
    except FileNotFoundError:
        return ok("root key", "none yet: the first 'camillo serve' creates it")
    except OSError as error:
        return fail("root key", f"{path}: {error.strerror}", "correct its permissions")
    mode = stat.S_IMODE(found.st_mode)
    if mode & 0o077:
        return fail("root key", f"{path} has mode {mode:04o}: others can read it", f"chmod 600 {path}")
    if not os.access(path, os.R_OK):
        return warn("root key", f"{path} is not readable by you", "run as the user that serves")
    return ok("root key", f"{path}, mode {mode:04o}")


def check_hooks() -> Iterator[Finding]:
    """Findings on the hooks of each client of this user in the last days, if they ran."""
    from camillo_cli.hooks.status import SHOWN_DAYS, statuses, summary

    for client, counts, problems in statuses(os.environ):
        subject = f"hooks of {client}"
        yield ok(subject, f"last {SHOWN_DAYS} days: {summary(counts)}")
        for problem in problems:
            yield warn(subject, problem, "see docs/hooks.md, When something fails")


def check_embedder(settings: Settings) -> tuple[Finding, str]:
    """Checks which embedder is used and why, and embeds a word. Returns the id of its model, too; empty for none."""
    import asyncio

    from camillo_server.models.embedding.embedder import EmbeddingUnavailable
    from camillo_server.models.embedding.providers import choose_embedder

    try:
        choice = choose_embedder(settings.memory, settings.data_dir)
        asyncio.run(_embed_a_word(choice.embedder))
    except (EmbeddingUnavailable, ValueError, OSError) as error:
        remedy = "correct memory.model_dir or memory.litellm_..., or set memory.embedding_model to auto or lexical"
        return fail("embedding", one_line(str(error)), remedy), ""
    model_id = choice.embedder.model_id
    return ok("embedding", f"{model_id} ({choice.reason})"), model_id


def check_reranker(settings: Settings) -> Finding:
    """Checks which reranker is used, and whether it can read a pair."""
    import asyncio

    from camillo_server.models.embedding.embedder import EmbeddingUnavailable
    from camillo_server.models.reranking.cross_encoder import choose_reranker

    subject = "reranking"
    try:
        reranker = choose_reranker(settings.reranking, settings.data_dir)
        if reranker is None:
            return ok(subject, "none (reranking.provider)")
        asyncio.run(_read_a_pair(reranker))
    except (EmbeddingUnavailable, ValueError, OSError) as error:
        remedy = "correct reranking.model, or set reranking.provider to none"
        return fail(subject, one_line(str(error)), remedy)
    return ok(subject, reranker.model_id)


async def _read_a_pair(reranker: Reranker) -> None:
    try:
        await reranker.scores("memory", ["a text"])
    finally:
        await reranker.close()


async def _embed_a_word(embedder: Embedder) -> None:
    try:
        await embedder.embed(["memory"])
    finally:
        await embedder.close()


def check_server(settings: Settings, address: str) -> Finding:
    """Whether a server answers at the address."""
    subject = "server"
    if settings.tls.enabled:
        return _listens(subject, address)
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    with grpc.insecure_channel(address) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(
                health_pb2.HealthCheckRequest(), timeout=HEALTH_TIMEOUT_SECONDS
            )
        except grpc.RpcError as error:
            return warn(subject, *unreachable(address, error.details() or ""))
    if answer.status != health_pb2.HealthCheckResponse.SERVING:
        return warn(subject, f"the server at {address} accepts no calls", "see its log")
    return ok(subject, f"serving at {address}")


def _listens(subject: str, address: str) -> Finding:
    """Checks only whether something listens: the doctor has no credentials for a server with TLS."""
    if listener_at(address) == "tls":
        return ok(subject, f"something listens at {address} (with TLS: nothing else is checked)")
    return warn(subject, f"no server with TLS listens at {address}", START)


def check_indexes(settings: Settings, address: str) -> Iterator[Finding]:
    """Yields a finding for each index that differs or could not be compared, and one for all that agree."""
    options = ClientOptions(
        address=address,
        key=os.environ.get("CAMILLO_KEY"),
        timeout=COMPARE_TIMEOUT_SECONDS,
        data_dir=settings.data_dir,
    )
    try:
        with administering(options) as camillo:
            found = [
                (tenant_id, index)
                for tenant_id in _tenants(camillo)
                for index in camillo.admin.list_indexes(tenant_id=tenant_id, compare=True)
            ]
    except CliError as error:
        yield warn(
            "indexes",
            f"not compared: {error}",
            "name a server and a key of role tenant_admin or root",
        )
        return
    yield from _findings(found)


def _tenants(camillo: Camillo) -> list[str]:
    """All tenants for root, else the tenant of the key."""
    from camillo.v1.admin_pb2 import ROLE_ROOT

    caller = camillo.who_am_i()
    if caller.role != ROLE_ROOT:
        return [caller.tenant_id]
    return [tenant.tenant_id for tenant in camillo.admin.list_tenants()]


def _findings(found: list[tuple[str, HeldIndex]]) -> Iterator[Finding]:
    from camillo.v1 import admin_pb2

    agreeing = [index for _, index in found if index.agreement == admin_pb2.AGREEMENT_AGREES]
    memories = sum(index.memories for index in agreeing)
    megabytes = sum(index.bytes for index in agreeing) / 1e6
    yield ok(
        "indexes",
        f"{len(agreeing)} in memory agree with the database ({counted(memories)}, {megabytes:,.1f} MB)",
    )
    for tenant_id, index in found:
        name = f"{tenant_id}/{index.agent_id or SHARED}"
        if index.agreement == admin_pb2.AGREEMENT_DIFFERS:
            remedy = "it was dropped and is loaded again; please report this"
            yield fail("indexes", f"{name} differs from the database: {index.difference}", remedy)
        elif index.agreement == admin_pb2.AGREEMENT_NEVER_STILL:
            yield warn("indexes", f"{name} keeps changing: not compared", "run doctor again later")
