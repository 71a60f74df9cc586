"""Scopes for which a job is wanted: gathered in memory, and deferred off the way of whoever noticed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from camillo_server.domain.scope import Scope

# A burst of writes makes one statement, and its first job still starts at once for a person.
GATHER_SECONDS = 0.1
# For scopes whose job runs while more is wanted: it may have seen that, or not.
RUNNING_PAUSE_SECONDS = 1.0
SCOPES_AT_ONCE = 1_000

# Returns the scopes whose job is running.
Defer = Callable[[Sequence[Scope]], Awaitable[Sequence[Scope]]]


class NoticedScopes:
    """Saves time and is no truth: what is lost with the process has to be found again by a look at the rows."""

    def __init__(self) -> None:
        self._noticed: set[Scope] = set()
        self._any_noticed = asyncio.Event()

    def __len__(self) -> int:
        """How many scopes wait to be deferred."""
        return len(self._noticed)

    def notice(self, scope: Scope) -> None:
        """The scope wants a job. Costs nothing but this."""
        self._noticed.add(scope)
        self._any_noticed.set()

    async def tell(self, defer: Defer) -> None:
        """Defers what is noticed, for as long as it runs. Raises what `defer` raises, and forgets nothing then."""
        while True:
            await self._any_noticed.wait()
            await asyncio.sleep(GATHER_SECONDS)
            if await self._defer_noticed(defer):
                await asyncio.sleep(RUNNING_PAUSE_SECONDS)

    async def _defer_noticed(self, defer: Defer) -> bool:
        """Returns whether only scopes are left whose job is running."""
        scopes = [self._noticed.pop() for _ in range(min(SCOPES_AT_ONCE, len(self._noticed)))]
        if not self._noticed:
            self._any_noticed.clear()
        try:
            running = await defer(scopes)
        except BaseException:
            self._put_back(scopes)
            raise
        only_running_is_left = bool(running) and not self._noticed
        self._put_back(running)
        return only_running_is_left

    def _put_back(self, scopes: Sequence[Scope]) -> None:
        for scope in scopes:
            self.notice(scope)


async def defer_in_parts(defer: Defer, scopes: Sequence[Scope]) -> None:
    """Defers many, so few at once that nobody else waits long for the queue."""
    for start in range(0, len(scopes), SCOPES_AT_ONCE):
        await defer(scopes[start : start + SCOPES_AT_ONCE])
