"""Counts the Python functions that a call runs in the server: in its task, the tasks that it starts, and its threads.

They are known by the request id that the caller sent, which the pipeline keeps in the context of the call: neither
background work nor the client, which is in the same process, counts."""

import asyncio
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import camillo_formats
import camillo_server
from camillo_server.telemetry.logging import request_id_var

COUNTED = "counted-call"
PACKAGE = f"{Path(camillo_server.__file__).parent}/"
# Beside the server's own code: what it shares with the command line.
FORMATS = f"{Path(camillo_formats.__file__).parent}/"
# From Python 3.12 on these are no functions any more.
COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})


@contextmanager
def counted_functions() -> Iterator[Counter[str]]:
    """How often each function of the server was called in the block so far, and each one elsewhere by a function of the
    server.

    Calls that libraries make in turn do not count: they differ between versions of the libraries and of Python.
    Resuming a coroutine or a generator is no call: how often that happens depends on what has to be waited for.
    """
    counts: Counter[str] = Counter()

    def count(frame: FrameType) -> None:
        if request_id_var.get() == COUNTED and (name := _name(frame)):
            counts[name] += 1

    with _each_started(count):
        yield counts


def _name(frame: FrameType) -> str | None:
    """`file function` of the server's, `file function -> library function` of another that it calls; None for what does
    not count."""
    code, caller = frame.f_code, frame.f_back
    if code.co_name in COMPREHENSIONS:
        return None
    if (own := _own_name(code)) is not None:
        return own
    if caller is None or (own := _own_name(caller.f_code)) is None:
        return None
    # Code that dataclasses and named tuples generate has no file.
    library = "" if code.co_filename[0] == "<" else frame.f_globals["__name__"].partition(".")[0]
    return f"{own} -> {library} {code.co_name}"


def _own_name(code: CodeType) -> str | None:
    if not code.co_filename.startswith((PACKAGE, FORMATS)):
        return None
    function = code.co_qualname
    if code.co_name in COMPREHENSIONS:
        function = function.removesuffix(f".<locals>.{code.co_name}")
    file = code.co_filename.removeprefix(PACKAGE).replace(FORMATS, "camillo_formats/")
    return f"{file} {function}"


@contextmanager
def _each_started(count: Callable[[FrameType], None]) -> Iterator[None]:
    """Calls this with each function that starts meanwhile, in every thread."""
    if sys.version_info < (3, 12):
        with _profiled(count):
            yield
        return
    monitoring, tool = sys.monitoring, sys.monitoring.PROFILER_ID
    monitoring.use_tool_id(tool, "camillo call counts")
    monitoring.register_callback(tool, monitoring.events.PY_START, lambda code, offset: count(sys._getframe(1)))
    monitoring.set_events(tool, monitoring.events.PY_START)
    try:
        yield
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)


@contextmanager
def _profiled(count: Callable[[FrameType], None]) -> Iterator[None]:
    """Profiles this thread and new ones; the event loop gets new threads for that."""

    def profile(frame: FrameType, event: str, argument: object) -> None:
        # The instruction RESUME has 0 for its argument where a function starts, and another number where it goes on.
        if event == "call" and frame.f_code.co_code[frame.f_lasti + 1] == 0:
            count(frame)

    loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor()
    loop.set_default_executor(threads)
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        loop.set_default_executor(ThreadPoolExecutor())
        threads.shutdown()
