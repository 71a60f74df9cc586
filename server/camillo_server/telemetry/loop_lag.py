"""Measures how late the event loop is: every caller waits for that before any work is done."""

import asyncio

from camillo_server.telemetry.metrics import Instruments


async def watch_loop_lag(instruments: Instruments, interval_seconds: float = 0.25) -> None:
    """Records for ever by how much a timer fires late. The caller owns the task and cancels it."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + interval_seconds
        await asyncio.sleep(interval_seconds)
        instruments.record_loop_lag(max(0.0, loop.time() - due))
