# Generated from _async/resumed_watches.py by tools/generate_sync.py: do not edit.
"""Streams of changes that outlive a connection."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol, TypeVar

from grpc import StatusCode, UnaryStreamMultiCallable

from camillo_client._sync.calls import Calls
from camillo_client.back_off import is_worth_waiting, pause_seconds
from camillo_client.errors import Failure, Overloaded, Unavailable

# A watch has no end; a server that closes one in good order is going away.
ENDED = Failure(StatusCode.UNAVAILABLE, "the server ended the watch")


class Resumable(Protocol):
    """A request that goes on where another one ended; a change that says where that is."""

    resume_token: str


class WatchAnswer(Protocol):
    """A message of a watch."""

    @property
    def change(self) -> Resumable: ...


WQ = TypeVar("WQ", bound=Resumable)
WR = TypeVar("WR", bound=WatchAnswer)


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a watch connects again in vain, and how long each connection may last."""

    max_reconnects: int
    timeout: float | None


def resumed(
    calls: Calls,
    method: UnaryStreamMultiCallable[WQ, WR],
    request: WQ,
    patience: Patience,
) -> Generator[WR]:
    """The messages of a watch, which goes on behind the last one handed out when the server goes away."""
    failures = 0
    while True:
        break_off: Unavailable | Overloaded = Unavailable(ENDED)
        try:
            with closing(calls.stream(method, request, patience.timeout)) as answers:
                for answer in answers:
                    failures = 0
                    request.resume_token = answer.change.resume_token
                    yield answer
        except (Unavailable, Overloaded) as error:
            # Overloaded, too: when a server comes back, all its watchers do.
            break_off = error
        failures += 1
        asked_seconds = break_off.retry_after_seconds
        if failures > patience.max_reconnects or not is_worth_waiting(asked_seconds):
            raise break_off
        calls.pause(pause_seconds(failures, asked_seconds))
