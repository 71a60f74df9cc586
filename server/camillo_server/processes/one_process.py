"""One server process: answers until told to stop, leaves, then drains."""

import asyncio
import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass

from camillo_server.app import App
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.processes.interpreter import favour_the_event_loop
from camillo_server.settings import Settings
from camillo_server.telemetry.startup import start_telemetry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that answers: its port, and which embedder it took and why."""

    port: int
    model_id: str
    embedder: str


async def serve_process(
    settings: Settings, server_url: str, on_ready: Callable[[Serving], None], *, worker: int = 0
) -> int:
    """Serves until SIGINT or SIGTERM; a second one cuts the leaving short. Raises what App.start raises."""
    favour_the_event_loop()
    stopping, hurried = asyncio.Event(), asyncio.Event()
    telemetry = start_telemetry(settings.telemetry, worker)
    app = App(settings, server_url, telemetry)
    try:
        try:
            port = await app.start()
            _catch_signals(stopping, hurried)
            on_ready(
                Serving(
                    port,
                    app.kernel.providers.choice.embedder.model_id,
                    app.kernel.providers.choice.reason,
                )
            )
            await stopping.wait()
            logger.info("leaving", extra={"seconds": settings.server.leave_seconds})
            await app.leave(hurried)
            logger.info("draining")
        finally:
            await app.stop()
    finally:
        await off_loop(UNBOUNDED, telemetry.stop)
    return 0


def _catch_signals(first: asyncio.Event, second: asyncio.Event) -> None:
    """Sets the one at the first signal to stop, the other at the next."""
    loop = asyncio.get_running_loop()

    def told() -> None:
        (second if first.is_set() else first).set()

    loop.add_signal_handler(signal.SIGTERM, told)
    # A worker ignores Ctrl-C, which its parent answers.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGINT, told)
