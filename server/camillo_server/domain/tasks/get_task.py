"""GetTask: one task by its id."""

from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.errors import NotFound
from camillo_server.domain.events.loading import may_load
from camillo_server.domain.scope import Scope
from camillo_server.domain.tasks.ports import TaskStore
from camillo_server.domain.tasks.task import Task, TaskId


class GetTask:
    """Reads a task that the channel may load, of the agent's own or shared."""

    def __init__(self, store: TaskStore, policy: ChannelPolicy) -> None:
        self._store = store
        self._policy = policy

    async def __call__(self, scope: Scope, task_id: TaskId, channel: Channel) -> Task:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        task = (await self._store.get(scope, [task_id])).get(task_id)
        if task is None or not may_load(
            self._policy, channel, task.stated.sensitivity, task.stated.channel
        ):
            raise NotFound("task", task_id)
        return task
