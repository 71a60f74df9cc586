"""A mirror: slots as files, kept the same as the server has them."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Self

from camillo_client.errors import (
    InvalidPageToken,
    Overloaded,
    RevisionUnknown,
    Unavailable,
)
from camillo_client.mirror.changes import MAX_CHANGES_AT_ONCE, MirrorStep, change_of
from camillo_client.mirror.directory import Change, MirrorDirectory, Repairs
from camillo_client.mirror.position import Subject
from camillo_client.named_arguments import NamesArguments
from camillo_client.streams import pause_seconds

if TYPE_CHECKING:
    from camillo_client._async.slots import AsyncSlots


class AsyncMirror(NamesArguments):
    """A directory that follows the slots of one scope; see `AsyncSlots.mirror`. One process has it at a time.

    `log.jsonl` has every version, one JSON object a line; `index/` has a file for each slot with content, in
    directories like its key; `state.jsonl`, where it was made, has the newest versions."""

    def __init__(
        self,
        slots: AsyncSlots,
        directory: MirrorDirectory,
        subject: Subject,
        pause: Callable[[float], Awaitable[None]] = sleep,
    ) -> None:
        self._slots = slots
        self._directory = directory
        self._subject = subject
        self._pause = pause

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Leaves the directory in order, for the next one who opens it."""
        self._directory.close()

    @property
    def repairs(self) -> Repairs:
        """Repairs made since the mirror was opened."""
        return self._directory.repairs

    @property
    def slots(self) -> int:
        """How many slots have content."""
        return self._directory.slots

    def compact(self) -> int:
        """Writes `state.jsonl`; how many slots it has. Raises OSError."""
        return self._directory.compact()

    async def sync(self) -> int:
        """Brings the files up to what the server has; how many changes that took. Raises CamilloError, also where the
        server is away, and OSError."""
        count = 0
        async with aclosing(self.follow()) as steps:
            async for step in steps:
                if step.away is not None:
                    raise step.away
                count += len(step.changes)
                if step.is_current:
                    break
        return count

    async def follow(self) -> AsyncGenerator[MirrorStep]:
        """Keeps the files as the server has the slots, without end; a step for each group of changes, when they are in.

        While the server is away it tries again and again, and says so by a step each time. Where the server cannot tell
        what has changed, since its database went back to an earlier state, everything is read anew. Raises CamilloError
        and OSError."""
        failures = 0
        while True:
            try:
                async with aclosing(self._followed()) as steps:
                    async for step in steps:
                        failures = 0
                        yield step
            except (Unavailable, Overloaded) as error:
                failures += 1
                self._directory.note_away()
                yield MirrorStep(away=error)
                await self._pause(pause_seconds(failures, error.retry_after_seconds))
            except (InvalidPageToken, RevisionUnknown) as error:
                if not self._directory.resume_token:
                    raise
                self._directory.start_anew(str(error))

    async def _followed(self) -> AsyncGenerator[MirrorStep]:
        token = self._directory.resume_token
        changes: list[Change] = []
        watched = self._slots.watch(
            self._subject.prefix,
            resume_token=token,
            from_beginning=not token,
            shared=self._subject.shared,
            agent_id=self._subject.agent_id or None,
            max_reconnects=0,
        )
        async with aclosing(watched) as messages:
            async for message in messages:
                change = change_of(message)
                if change is not None:
                    changes.append(change)
                is_current = message.HasField("checkpoint")
                if is_current or len(changes) >= MAX_CHANGES_AT_ONCE:
                    self._directory.apply(changes, message.resume_token)
                    yield MirrorStep(tuple(changes), is_current)
                    changes = []
