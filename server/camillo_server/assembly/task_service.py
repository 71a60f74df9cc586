"""TaskService: door -> `features/tasks/servicer.py` -> `features/tasks/tasks.py` -> `features/tasks/store.py`."""

from functools import partial

from camillo.v1.task_service_pb2_grpc import add_TaskServiceServicer_to_server

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.tasks.servicer import TaskServicer
from camillo_server.features.tasks.store import TaskStore
from camillo_server.features.tasks.tasks import Tasks
from camillo_server.rows.store.refs import RefResolver


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """TaskService."""
    store = TaskStore(kernel.writes, kernel.keyring)
    resolver = RefResolver(kernel.database)
    tasks = Tasks(store, resolver, kernel.redactor, kernel.channels, kernel.clock)
    return partial(add_TaskServiceServicer_to_server, TaskServicer(tasks, calls))
