"""Work that many threads ask for at once, done by few calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Generic, TypeVar

AT_ONCE, MAX_GROUP = 2, 32
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

    def submit(self, items: list[T]) -> Future[list[R]]:
        """The results to come of some items, which are done whether or not somebody waits for them."""
        done = Future[list[R]]()
        with self._lock:
            self._waiting.append((items, done))
        self._threads.submit(self._run_waiting)
        return done

    def _run_waiting(self) -> None:
        with self._lock:
            group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
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
