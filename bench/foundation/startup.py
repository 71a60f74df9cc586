"""Measures from nothing to answers (`make run`), and from a stopped server to its first answer."""

import asyncio
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from camillo.v1 import memory_pb2 as pb

from bench.foundation.calls import Options
from bench.material.texts import Texts
from bench.measure.client import (
    CALL_SECONDS,
    Client,
    Material,
    channel_to,
    recall_call,
    remember_call,
)
from bench.measure.servers import (
    ROOT,
    Embedding,
    app_server,
    embedding_by,
    environment_with_bytecode,
    new_secret,
    temporary_directory,
)
from bench.measure.timing import Figure, Figures

# The line that the demonstration prints when its answers are out and it goes on serving.
SERVING = re.compile(rb"^\s*Serving at ", re.MULTILINE)
# Prefixes of variables that would lead a fresh clone to this one's configuration or packages.
OURS = ("CAMILLO_", "VIRTUAL_ENV", "PYTHON")
AGENT = "restarted"
STOP_SECONDS = 30.0
# How often a server that has not answered yet is looked at: it may have ended.
LOOK_SECONDS = 1.0


class Skipped(Exception):
    """This cannot be measured here; the message says why."""


def measure_run(options: Options) -> Figures:
    """Seconds from `make run` in a fresh clone until it has answered and serves. The clone is not counted.

    Raises Skipped where it does not get there in time.
    """
    with temporary_directory() as directory:
        clone = directory / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        started = time.perf_counter()
        with _make_run(clone, directory / "data") as process:
            _wait_for_serving(process, options.run_timeout_seconds)
            return {"run_s": Figure((time.perf_counter() - started,))}


def measure_restart(options: Options) -> Figures:
    """Seconds from `camillo serve` on a data directory in use before, to the first recall's answer."""
    embedding, secret = embedding_by(options.model), new_secret()
    with temporary_directory() as directory:
        data = directory / "data"
        with app_server(embedding, data, secret) as app:
            asyncio.run(remember_one(app.port, secret))
        seconds = [_restart(embedding, data, secret) for _ in range(options.restarts)]
        return {"restart_s": Figure(tuple(seconds))}


def _restart(embedding: Embedding, data: Path, secret: str) -> float:
    port = _free_port()
    environment = {
        **environment_with_bytecode(),
        "CAMILLO_DATA_DIR": str(data),
        "CAMILLO_SERVER_PORT": str(port),
        "CAMILLO_MEMORY_EMBEDDING_MODEL": embedding.provider,
    }
    if embedding.model:
        environment["CAMILLO_MEMORY_MODEL_DIR"] = str(embedding.model)
    started = time.perf_counter()
    with _own_group([_command(), "serve"], environment, ROOT) as process:
        asyncio.run(_first_answer(port, secret, process))
        return time.perf_counter() - started


async def _first_answer(port: int, secret: str, process: "subprocess.Popen[bytes]") -> None:
    """Raises RuntimeError with the server's last words where it ends instead of answering."""
    answer = asyncio.create_task(first_recall(port, secret))
    while not (await asyncio.wait({answer}, timeout=LOOK_SECONDS))[0]:
        if process.poll() is not None:
            answer.cancel()
            assert process.stdout is not None
            raise RuntimeError(f"the server did not start: {_last_words(process.stdout.read())}")
    await answer


async def remember_one(port: int, secret: str) -> None:
    async with channel_to(port) as channel:
        await remember_call(Client(channel, secret), _material(), AGENT)()


async def first_recall(port: int, secret: str) -> None:
    content = _material().memories[0].content
    async with channel_to(port) as channel:
        # A start may take longer than the deadline of a recall where other programs have the processor.
        answer = await recall_call(Client(channel, secret), [content], AGENT, CALL_SECONDS)()
    assert getattr(answer, "hits", None), "the server has forgotten"


def _material() -> Material:
    """One memory whose vector the server makes."""
    return Material([pb.NewMemory(content=Texts().sentences(1)[0])])


def _command() -> str:
    return str(Path(sys.executable).with_name("camillo"))


@contextmanager
def _make_run(clone: Path, data: Path) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(OURS)},
        "CAMILLO_DATA_DIR": str(data),
        "CAMILLO_SERVER_PORT": str(_free_port()),
    }
    with _own_group(["make", "run", f"PYTHON={sys.executable}"], environment, clone) as process:
        yield process


@contextmanager
def _own_group(command: list[str], environment: dict[str, str], directory: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process with everything it starts, interrupted at the end as by Ctrl-C."""
    with subprocess.Popen(
        command,
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            try:
                process.communicate(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def _wait_for_serving(process: "subprocess.Popen[bytes]", timeout_seconds: float) -> None:
    """Reads what it prints until it says that it serves. Raises Skipped with its last words."""
    assert process.stdout is not None
    output = b""
    deadline = time.monotonic() + timeout_seconds
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            piece = os.read(process.stdout.fileno(), 65_536)
            output += piece
            if SERVING.search(output):
                return
            if not piece:
                break
    raise Skipped(f"`make run` did not say within {timeout_seconds:g} s that it serves: {_last_words(output)}")


def _last_words(output: bytes) -> str:
    return output.decode(errors="replace").strip().rsplit("\n", 1)[-1]


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
