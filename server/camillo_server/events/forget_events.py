"""ForgetEvents: remove events for good, with everything that was derived from them."""

from collections.abc import Sequence

from camillo_server.events.event import EventId
from camillo_server.events.ports import EventWriter, ForgottenEvents
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey


class ForgetEvents:
    """Removes these events, or those of a session."""

    def __init__(self, writer: EventWriter, clock: Clock) -> None:
        self._writer = writer
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        selector: Sequence[EventId] | str,
        request: RequestKey | None,
        *,
        dry_run: bool,
    ) -> ForgottenEvents:
        """With the proof; a dry run only tells what would go. Raises RequestIdReused, StorageUnavailable."""
        return await self._writer.forget(
            scope, selector, request, dry_run=dry_run, now=self._clock.now()
        )
