"""One server process: answers until told to stop, then drains."""

import asyncio
import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass

from camillo_server.app import App
from camillo_server.interpreter import favour_the_event_loop
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
    """Serves until SIGINT or SIGTERM. Raises what App.start raises."""
    favour_the_event_loop()
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    telemetry = start_telemetry(settings.telemetry, worker)
    app = App(settings, server_url, telemetry)
    try:
        try:
            port = await app.start()
            loop.add_signal_handler(signal.SIGTERM, stopping.set)
            # A worker ignores Ctrl-C, which its parent answers.
            if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                loop.add_signal_handler(signal.SIGINT, stopping.set)
            on_ready(Serving(port, app.choice.embedder.model_id, app.choice.reason))
            await stopping.wait()
            logger.info("draining")
        finally:
            await app.stop()
    finally:
        await asyncio.to_thread(telemetry.stop)
    return 0
