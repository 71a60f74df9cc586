"""Runs, wired."""

from functools import partial

from camillo.v1.run_service_pb2_grpc import add_RunServiceServicer_to_server

from camillo_server.context.build_bundle import BuildBundle
from camillo_server.memories.wiring import memory_builder
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.runs.runs import Runs
from camillo_server.runs.servicer import RunServicer
from camillo_server.runs.store.endings import RunEndings
from camillo_server.runs.store.runs import RunStore
from camillo_server.text.tokens import TokenCounter
from camillo_server.wiring import Kernel


def wire(
    kernel: Kernel, calls: CallReader, bundle: BuildBundle, counter: TokenCounter
) -> Registration:
    """RunService."""
    runs = Runs(
        RunStore(kernel.writes, kernel.keyring),
        RunEndings(kernel.writes, kernel.keyring),
        bundle,
        memory_builder(kernel),
        kernel.redactor,
        counter,
        kernel.clock,
    )
    servicer = RunServicer(runs, calls, kernel.spooling)
    return partial(add_RunServiceServicer_to_server, servicer)
