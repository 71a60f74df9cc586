"""A server that measures how long its event loop stands still: `python -m tests.faults.lag_server JSON`.

`/camillo.test.Lag/Worst` answers with the longest time since it was last asked, in seconds, how much of it were a pass
of the garbage collector, and where each thread was then. A request that is a number stops the loop for so many seconds.
"""

import asyncio
import gc
import json
import sys
import threading
import time
import traceback
from typing import Any

import grpc
from camillo_server.assembly.app import App
from camillo_server.assembly.processes.interpreter import favour_the_event_loop, spare_what_was_loaded
from camillo_server.lib.redaction.detector import GATE
from camillo_server.settings.settings import Settings
from camillo_server.telemetry.tracing import start_telemetry

SERVICE = "camillo.test.Lag"
WORST = f"/{SERVICE}/Worst"
TICK_SECONDS = 0.001
# Where the threads are is looked for when the loop has stood still for so long.
LOOK_SECONDS = 0.02
FRAMES = 8


class LoopLag:
    """The longest time that the loop stood still. Counted is what this process computed meanwhile: on a busy machine
    the loop waits for other processes, too."""

    def __init__(self) -> None:
        self._has_beaten = threading.Event()
        self._stacks = ""
        self._collected = self._collecting_since = 0.0
        self._worst = (0.0, 0.0, "")
        gc.callbacks.append(self._on_collection)
        threading.Thread(target=self._look, daemon=True).start()

    def register(self, server: grpc.aio.Server) -> None:
        handler = grpc.unary_unary_rpc_method_handler(
            self._answer, request_deserializer=bytes, response_serializer=bytes
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Worst": handler}),))

    async def watch(self) -> None:
        now, computed = time.perf_counter(), time.process_time()
        while True:
            before, computed_before = now, computed
            await asyncio.sleep(TICK_SECONDS)
            now, computed = time.perf_counter(), time.process_time()
            self._has_beaten.set()
            late = min(now - before - TICK_SECONDS, computed - computed_before)
            stacks, self._stacks = self._stacks, ""
            collected, self._collected = self._collected, 0.0
            self._worst = max(self._worst, (late, collected, stacks))

    def _on_collection(self, phase: str, info: object) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._collecting_since = now
        else:
            self._collected += now - self._collecting_since

    def _look(self) -> None:
        own = threading.get_ident()
        while True:
            if not self._has_beaten.wait(LOOK_SECONDS):
                self._stacks = "\n".join(
                    "".join(traceback.format_stack(frame)[-FRAMES:])
                    for ident, frame in sys._current_frames().items()
                    if ident != own
                )
                self._has_beaten.wait()
            self._has_beaten.clear()

    async def _answer(self, request: bytes, context: Any) -> bytes:
        busy_wait(float(request or b"0"))
        worst, self._worst = self._worst, (0.0, 0.0, "")
        return json.dumps(worst).encode()


def busy_wait(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


async def _serve(settings: Settings, database_url: str) -> None:
    favour_the_event_loop()
    telemetry = start_telemetry(settings.telemetry)
    # A thread makes it for a second and a half with the first long text. It leaves the interpreter's lock to the loop;
    # but on a busy machine the loop waits for a core, and what a thread computes meanwhile would count as the loop's.
    GATE.complete()
    lag = LoopLag()
    app = App(settings, database_url, telemetry, more_services=(lag.register,))
    port = await app.start()
    spare_what_was_loaded()
    print(f"localhost:{port}", flush=True)
    await lag.watch()


if __name__ == "__main__":
    configuration = json.loads(sys.argv[1])
    asyncio.run(_serve(Settings.model_validate(configuration["settings"]), configuration["database_url"]))
