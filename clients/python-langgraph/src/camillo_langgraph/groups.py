"""Work that many threads ask for at once, done by few calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Generic, TypeVar

AT_ONCE, MAX_GROUP = 2, 32
# A second group begins beside one that takes longer; before, what it would hold is cheaper in one with what comes next.
PATIENCE_SECONDS = 0.02
T = TypeVar("T")
R = TypeVar("R")


class Groups(Generic[T, R]):
    """Does together what waits at the same time; where a group fails, each member is done alone. Nobody waits for a
    group to fill."""

    def __init__(self, run: Callable[[Sequence[T]], Sequence[R]], name: str) -> None:
        """`run` has a result for each item."""
        self._run = run
        self._threads = ThreadPoolExecutor(AT_ONCE, name)
        self._lock, self._waiting = Lock(), list[tuple[list[T], Future[list[R]]]]()
        self._running, self._began = 0, 0.0

    def submit(self, items: list[T]) -> Future[list[R]]:
        """The results to come of some items, which are done whether or not somebody waits for them."""
        done = Future[list[R]]()
        with self._lock:
            self._waiting.append((items, done))
            is_slow = time.monotonic() - self._began > PATIENCE_SECONDS
            if self._running and not (is_slow and self._running < AT_ONCE):
                return done
            self._running += 1
        self._threads.submit(self._run_waiting)
        return done

    def _run_waiting(self) -> None:
        while True:
            with self._lock:
                group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
                self._began = time.monotonic()
                if not group:
                    self._running -= 1
                    return
            self._run_group(group)

    def _run_group(self, group: Sequence[tuple[list[T], Future[list[R]]]]) -> None:
        if len(group) > 1:
            with suppress(Exception):
                results = iter(self._run([item for items, _ in group for item in items]))
                for items, done in group:
                    done.set_result([next(results) for _ in items])
                return
        for items, done in group:
            try:
                done.set_result([*self._run(items)])
            except Exception as error:  # noqa: BLE001 its caller gets it
                done.set_exception(error)
