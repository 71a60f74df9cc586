"""Tasks, wired."""

from functools import partial

from camillo.v1.task_service_pb2_grpc import add_TaskServiceServicer_to_server

from camillo_server.events.store.refs import PostgresRefResolver
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.tasks.servicer import TaskServicer, TaskUseCases
from camillo_server.tasks.store import PostgresTaskStore
from camillo_server.tasks.tasks import GetTask, ListTasks, UpsertTask
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader) -> Registration:
    """TaskService."""
    store, policy = PostgresTaskStore(kernel.writes, kernel.keyring), kernel.channels
    resolver = PostgresRefResolver(kernel.database)
    use_cases = TaskUseCases(
        upsert=UpsertTask(store, resolver, kernel.redactor, kernel.clock),
        get=GetTask(store, policy),
        list=ListTasks(store, policy),
    )
    return partial(add_TaskServiceServicer_to_server, TaskServicer(use_cases, calls))
