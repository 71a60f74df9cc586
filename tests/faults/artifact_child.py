"""A program that does things to artifacts, each in a fork of itself that SIGKILLs itself before a given step.

A step is whatever is sent to Postgres, and whatever changes the directory of artifacts. One thing to do is one line of
JSON on stdin; what came of it is one on stdout.
"""

import asyncio
import base64
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from functools import wraps
from typing import Any
from uuid import UUID

import psycopg
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.assembly.artifact_service import WiredArtifacts
from camillo_server.assembly.kernel import make_kernel
from camillo_server.doors.rpc.call import CallReader, set_caller
from camillo_server.doors.rpc.tokens import RevisionTokens
from camillo_server.doors.rpc.validate import OwnModel
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Caller, Principal, Role, whole_tenant
from camillo_server.kernel.writes import History
from camillo_server.lib.redaction.stream import warm
from camillo_server.settings.settings import DatabaseSettings, Settings
from camillo_server.storage.database import Session
from camillo_server.telemetry.tracing import start_telemetry
from google.protobuf.message import Message

# Between two of these a directory is what it was, or has an unfinished file more.
OF_FILES = ("mkdir", "fsync", "replace", "unlink", "rmdir")
ALICE = Principal(TenantId("acme"), AgentId("alice"), Role.WRITER)


class Steps:
    """Counts from 0, and kills before the one that it is told."""

    def __init__(self, kill_before: int) -> None:
        self._kill_before = kill_before
        self.taken = 0
        self.are_counted = False

    def answer(self) -> None:
        """The last step."""
        self._step("answer")
        self.are_counted = False

    def _step(self, name: str) -> None:
        if self.taken == self._kill_before:
            say({"killed_before": name, "steps": self.taken})
            os.kill(os.getpid(), signal.SIGKILL)
        self.taken += 1

    def before(self, owner: Any, name: str, told: Callable[..., str] | None = None) -> None:
        """Counts the calls of a function; it goes on as it was."""
        original = getattr(owner, name)

        @wraps(original)
        def counted(*args: Any, **options: Any) -> Any:
            if self.are_counted:
                self._step(told(*args) if told else name)
            return original(*args, **options)

        setattr(owner, name, counted)

    def watch(self) -> None:
        """Puts itself before every step there is."""
        self.before(psycopg.AsyncCursor, "execute", lambda _, sql, *__: str(sql)[:60])
        self.before(psycopg.AsyncTransaction, "__aenter__", lambda _: "begin")
        self.before(psycopg.AsyncTransaction, "__aexit__", lambda *_: "commit")
        self.before(psycopg.AsyncPipeline, "__aexit__", lambda *_: "sync")
        for name in OF_FILES:
            self.before(os, name)


def say(told: dict[str, Any]) -> None:
    os.write(1, json.dumps(told).encode() + b"\n")


async def do(asked: dict[str, Any]) -> None:
    """Calls a method of the service as the pipeline does."""
    settings = Settings.model_validate(asked["settings"])
    steps = Steps(asked["kill_before"])
    steps.watch()
    one = DatabaseSettings(pool_min=1, pool_max=1, connect_timeout_seconds=5)
    settings = settings.model_copy(update={"database": one})
    telemetry = start_telemetry(settings.telemetry)
    kernel = make_kernel(settings, asked["url"], telemetry, SystemClock())
    database = kernel.database
    await database.open()
    calls = CallReader(RevisionTokens(History(UUID(int=1))), OwnModel("none", 0))
    servicer = WiredArtifacts(kernel).servicer(calls)
    await database.read(whole_tenant(TenantId("acme")), _nothing)
    set_caller(Caller(ALICE))
    kind = getattr(service, f"{asked['method']}Request")
    requests = [kind.FromString(base64.b64decode(each)) for each in asked["requests"]]
    given = _stream(requests) if asked["method"] == "PutArtifact" else requests[0]
    steps.are_counted = True
    answer = await getattr(servicer, asked["method"])(given, None)
    steps.answer()
    say({"answer": base64.b64encode(answer.SerializeToString()).decode(), "steps": steps.taken})
    await database.close()


async def _nothing(session: Session) -> None:
    await session.execute("select 1")


async def _stream(requests: Sequence[Message]) -> AsyncIterator[Message]:
    for request in requests:
        yield request


def main() -> None:
    # Work that takes a second in every process is done once.
    warm()
    for line in sys.stdin.buffer:
        child = os.fork()
        if child == 0:
            asyncio.run(do(json.loads(line)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        say({"exit": os.waitstatus_to_exitcode(status)})


if __name__ == "__main__":
    main()
