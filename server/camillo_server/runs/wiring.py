"""Runs, wired: the part of the composition root that knows their classes."""

from dataclasses import dataclass

from camillo.v1 import run_service_pb2_grpc

from camillo_server.context.build_bundle import BuildBundle
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.clock import Clock
from camillo_server.memories.builder import MemoryBuilder
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.runs.runs import AppendRun, EndRun, InjectInstruction, RenderRun, StartRun
from camillo_server.runs.servicer import RunServicer, RunUseCases
from camillo_server.runs.store.endings import PostgresRunEndings
from camillo_server.runs.store.runs import PostgresRunStore
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.text.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class RunParts:
    """What the rest of the server lends."""

    writes: ScopeWrites
    keyring: Keyring
    bundle: BuildBundle
    making: MemoryBuilder
    counter: TokenCounter
    clock: Clock


class RunApp:
    """The service of runs."""

    def __init__(self, parts: RunParts) -> None:
        self._parts = parts

    def service(self, calls: CallReader) -> Registration:
        """Adds the service to a gRPC server."""
        servicer = RunServicer(self._use_cases(), calls)
        return lambda server: run_service_pb2_grpc.add_RunServiceServicer_to_server(
            servicer, server
        )

    def _use_cases(self) -> RunUseCases:
        parts, clock, redactor = self._parts, self._parts.clock, SecretRedactor()
        store = PostgresRunStore(parts.writes, parts.keyring)
        endings = PostgresRunEndings(parts.writes, parts.keyring)
        return RunUseCases(
            start=StartRun(store, parts.bundle, redactor, clock),
            append=AppendRun(store, redactor, clock),
            inject=InjectInstruction(store, redactor, clock),
            render=RenderRun(store, parts.counter, clock),
            end=EndRun(store, endings, parts.making, clock),
        )
