"""Tasks, wired."""

from functools import partial

from camillo.v1.task_service_pb2_grpc import add_TaskServiceServicer_to_server

from camillo_server.events.store.reader import RefResolver
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.tasks.servicer import TaskServicer
from camillo_server.tasks.store import TaskStore
from camillo_server.tasks.tasks import Tasks
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """TaskService."""
    store = TaskStore(kernel.writes, kernel.keyring)
    resolver = RefResolver(kernel.database)
    tasks = Tasks(store, resolver, kernel.redactor, kernel.channels, kernel.clock)
    return partial(add_TaskServiceServicer_to_server, TaskServicer(tasks, calls))
