"""One server process: answers until told to stop, leaves, then drains."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from camillo_server.assembly.app import App
from camillo_server.assembly.processes.interpreter import (
    favour_the_event_loop,
    on_stop_signals,
    spare_what_was_loaded,
)
from camillo_server.assembly.processes.local_server import IdleExit
from camillo_server.assembly.processes.rescue_socket import RescueSocket
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.search.index.warm_scopes import WarmScopes
from camillo_server.settings.settings import Settings
from camillo_server.telemetry.tracing import start_telemetry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Serving:
    """A process that answers: its port, and which embedder it took and why."""

    port: int
    model_id: str
    embedder: str


async def serve_process(
    settings: Settings,
    server_url: str,
    on_ready: Callable[[Serving], None],
    *,
    worker: int = 0,
    on_leaving: Callable[[], None] = lambda: None,
    clock: Clock | None = None,
) -> int:
    """Serves until SIGINT or SIGTERM, or until nobody has called for as long as the settings say; a second signal cuts
    the leaving short. Raises what App.start raises."""
    favour_the_event_loop()
    stopping, hurried = asyncio.Event(), asyncio.Event()

    def stop() -> None:
        (hurried if stopping.is_set() else stopping).set()

    telemetry = start_telemetry(settings.telemetry, worker)
    app = App(settings, server_url, telemetry, clock=clock)
    caches, warming = app.search.engine.caches, BackgroundTasks()
    rescue = RescueSocket(settings.data_dir, caches.budget)
    warm_scopes = WarmScopes(caches, settings.data_dir / f"warm-scopes-{worker}.json")
    try:
        try:
            port = await app.start()
            await rescue.open()
            spare_what_was_loaded()
            # A worker ignores Ctrl-C, which its parent answers.
            on_stop_signals(stop)
            on_ready(
                Serving(
                    port,
                    app.kernel.providers.choice.embedder.model_id,
                    app.kernel.providers.choice.reason,
                )
            )
            warming.run("scopes of before", warm_scopes.run)
            if settings.server.idle_exit_seconds is not None:
                idle = IdleExit(settings.data_dir, settings.server.idle_exit_seconds, app.use)

                async def look() -> None:
                    if not stopping.is_set() and idle.is_due():
                        logger.info("nobody has called", extra={"seconds": settings.server.idle_exit_seconds})
                        stopping.set()

                warming.repeat("idle exit", look, idle.look_seconds)
            await stopping.wait()
            on_leaving()
            logger.info("leaving", extra={"seconds": settings.server.leave_seconds})
            await app.leave(hurried)
            logger.info("draining")
        finally:
            await warming.stop()
            await rescue.close()
            await app.stop()
    finally:
        await off_loop(UNBOUNDED, telemetry.stop)
    return 0
