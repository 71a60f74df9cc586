"""RunService: door -> `across/runs/servicer.py` -> `across/runs/runs.py` -> `across/runs/store/runs.py`; the end of a
run (`across/runs/store/endings.py`) also records an event."""

from functools import partial

from camillo.v1.run_service_pb2_grpc import add_RunServiceServicer_to_server

from camillo_server.across.context.build_bundle import BuildBundle
from camillo_server.across.runs.runs import Runs
from camillo_server.across.runs.servicer import RunServicer
from camillo_server.across.runs.store.endings import RunEndings
from camillo_server.across.runs.store.runs import RunStore
from camillo_server.assembly.kernel import Kernel
from camillo_server.assembly.memory_service import memory_builder
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.lib.text.tokens import TokenCounter


def wire(kernel: Kernel, calls: CallReader, bundle: BuildBundle, counter: TokenCounter) -> Registration:
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
    servicer = RunServicer(runs, calls, kernel.spooling, kernel.context_tokens)
    return partial(add_RunServiceServicer_to_server, servicer)
