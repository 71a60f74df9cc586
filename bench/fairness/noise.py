"""The noisy tenant: a process of its own, so that what it computes is not the others' delay."""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import Any

import grpc
from camillo_client.failures import from_rpc_error

from bench.fairness import calls
from bench.measure.client import Client, connected
from bench.measure.timing import Call

# The calls of each kind, and how many callers make them: fifty times those of another tenant.
KINDS: dict[str, tuple[Callable[[Client], Call], int]] = {
    "calls": (calls.both, 50),
    "contexts": (calls.working_memories, 50),
    "batches": (calls.batches, 50),
}
PASSING = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED)
LOOK_SECONDS = 0.02
START_SECONDS = 120.0
NICE = 5
_processes = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Noise:
    """Callers that call without a pause, while they are switched on."""

    is_quiet: Event
    is_on: Event
    is_over: Event
    answered: Any
    failed: Any

    @contextmanager
    def on(self) -> Iterator[None]:
        self.is_on.set()
        try:
            yield
        finally:
            self.is_on.clear()
            self.wait_until_quiet()

    def wait_until_quiet(self) -> None:
        """Waits until nothing is under way. Blocks. Raises TimeoutError."""
        if not self.is_quiet.wait(START_SECONDS):
            raise TimeoutError("the noisy process did not become quiet")


@contextmanager
def noise(port: int, secret: str, kind: str) -> Iterator[Noise]:
    """A process of one tenant, which is quiet until it is switched on."""
    quiet, on, over = (_processes.Event() for _ in range(3))
    state = Noise(quiet, on, over, _processes.Value("l", 0), _processes.Value("l", 0))
    process = _processes.Process(target=_run, args=(port, secret, kind, state), daemon=True)
    process.start()
    try:
        state.wait_until_quiet()
        yield state
    finally:
        state.is_over.set()
        process.join(10.0)
        process.kill()


def _run(port: int, secret: str, kind: str, state: Noise) -> None:
    # Its callers would have machines of their own.
    os.nice(NICE)
    asyncio.run(_call(port, secret, kind, state))


async def _call(port: int, secret: str, kind: str, state: Noise) -> None:
    make, callers = KINDS[kind]
    async with connected(port, secret) as client:
        calls = [make(client) for _ in range(callers)]
        while not state.is_over.is_set():
            state.is_quiet.set()
            await asyncio.sleep(LOOK_SECONDS)
            if state.is_on.is_set():
                state.is_quiet.clear()
                await _call_until_off(calls, state)


async def _call_until_off(calls: Sequence[Call], state: Noise) -> None:
    """Calls until the noise is off, then cancels the calls under way: fifty batches would go on for half a minute."""
    tasks = [asyncio.create_task(_keep_calling(call, state)) for call in calls]
    while state.is_on.is_set():  # noqa: ASYNC110 (another process clears it)
        await asyncio.sleep(LOOK_SECONDS)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _keep_calling(call: Call, state: Noise) -> None:
    while True:
        try:
            await call()
            state.answered.value += 1
        except grpc.aio.AioRpcError as error:
            state.failed.value += 1
            if error.code() not in PASSING:
                print(f"the noisy tenant got {error.code()}: {error.details()}", file=sys.stderr)
            # Refused, or too late: it comes back when it was told to, as clients do.
            await asyncio.sleep(from_rpc_error(error).retry_after_seconds or 0.1)
