"""Starts metrics and traces as the settings say, and stops them."""

from contextlib import ExitStack
from dataclasses import dataclass

from camillo_server.settings.settings import TelemetrySettings
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.tracing import Tracing, no_tracing


@dataclass(frozen=True, slots=True)
class Telemetry:
    """The running telemetry. `prometheus_port` is the one that is listened on, None where none is."""

    instruments: Instruments
    tracing: Tracing
    prometheus_port: int | None
    _closing: ExitStack

    def stop(self) -> None:
        """Sends what is queued and closes the port; blocks for some seconds where nobody takes it."""
        self._closing.close()


def start_telemetry(settings: TelemetrySettings, worker: int = 0) -> Telemetry:
    """Starts what is configured. Each worker process listens on a port of its own, counted from the first's.

    Raises OSError where the Prometheus port is taken.
    """
    instruments = Instruments()
    if not (settings.prometheus_port or settings.otlp_endpoint):
        return Telemetry(instruments, no_tracing(), None, ExitStack())
    # Late: most servers export nothing, and these imports take a twentieth of the start.
    from camillo_server.telemetry.exporters import start_exporters

    with ExitStack() as closing:
        tracing, port = start_exporters(settings, instruments, worker, closing)
        return Telemetry(instruments, tracing, port, closing.pop_all())
