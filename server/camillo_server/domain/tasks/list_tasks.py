"""ListTasks: tasks that pass a filter, the last changed first, in pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.scope import Scope
from camillo_server.domain.tasks.ports import TaskCursor, TaskStore
from camillo_server.domain.tasks.task import Task, TaskFilter


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A page, and where the next one begins (None after the last)."""

    tasks: Sequence[Task]
    next_cursor: TaskCursor | None


class ListTasks:
    """Reads one page of what the channel may load."""

    def __init__(self, store: TaskStore, policy: ChannelPolicy) -> None:
        self._store = store
        self._policy = policy

    async def __call__(
        self,
        scope: Scope,
        wanted: TaskFilter,
        channel: Channel,
        after: TaskCursor | None,
        size: int,
    ) -> TaskPage:
        """Raises KeyMissing, StorageUnavailable."""
        allowed = self._policy.allowed(channel) & frozenset(wanted.sensitivities)
        narrowed = replace(
            wanted, sensitivities=tuple(sorted(allowed)), is_public=channel is Channel.PUBLIC
        )
        # One more than asked for tells whether there is a next page.
        found = await self._store.page(scope, narrowed, after, size + 1)
        page = found[:size]
        more = len(found) > size
        cursor = TaskCursor(page[-1].updated_at, page[-1].task_id) if more else None
        return TaskPage(page, cursor)
