"""Runs, wired."""

from functools import partial

from camillo.v1.run_service_pb2_grpc import add_RunServiceServicer_to_server

from camillo_server.context.build_bundle import BuildBundle
from camillo_server.memories.wiring import memory_builder
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.runs.runs import AppendRun, EndRun, InjectInstruction, RenderRun, StartRun
from camillo_server.runs.servicer import RunServicer, RunUseCases
from camillo_server.runs.store.endings import PostgresRunEndings
from camillo_server.runs.store.runs import PostgresRunStore
from camillo_server.text.tokens import TokenCounter
from camillo_server.wiring import Kernel


def wire(
    kernel: Kernel, calls: CallReader, bundle: BuildBundle, counter: TokenCounter
) -> Registration:
    """RunService."""
    store = PostgresRunStore(kernel.writes, kernel.keyring)
    endings = PostgresRunEndings(kernel.writes, kernel.keyring)
    redactor, clock = kernel.redactor, kernel.clock
    use_cases = RunUseCases(
        start=StartRun(store, bundle, redactor, clock),
        append=AppendRun(store, redactor, clock),
        inject=InjectInstruction(store, redactor, clock),
        render=RenderRun(store, counter, clock),
        end=EndRun(store, endings, memory_builder(kernel), clock),
    )
    return partial(add_RunServiceServicer_to_server, RunServicer(use_cases, calls))
