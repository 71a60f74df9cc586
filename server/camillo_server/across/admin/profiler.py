"""Profiles the processor time of this process: py-spy samples the stacks of its threads from outside."""

import asyncio
import ctypes
import logging
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from enum import Enum
from pathlib import Path

from camillo_server.kernel.errors import Overloaded, ProfilerUnavailable, invalid_field
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop

logger = logging.getLogger(__name__)

MAX_PROFILE_BYTES = 8 * 1024 * 1024
# prctl(2): names a process that may look into this one, where Yama lets none but parents do so.
PR_SET_PTRACER = 0x59616D61


class ProfileFormat(Enum):
    """The format of a profile, by py-spy's name of it."""

    FLAMEGRAPH = "flamegraph"
    RAW = "raw"
    SPEEDSCOPE = "speedscope"


class Profiler:
    """Takes one profile of this process at a time."""

    def __init__(self) -> None:
        self._is_busy = False

    async def profile(self, seconds: int, samples_per_second: int, written_as: ProfileFormat) -> bytes:
        """Stacks of threads that use the processor. Raises ProfilerUnavailable, Overloaded where another profile is
        under way, InvalidField where this one has more than 8 MiB."""
        if self._is_busy:
            raise Overloaded(1, "profile of a process at a time", retry_after_seconds=seconds)
        self._is_busy = True
        try:
            with tempfile.TemporaryDirectory(prefix="camillo-profile-") as directory:
                target = Path(directory) / "profile"
                output = await _record(target, seconds, samples_per_second, written_as)
                profile = await off_loop(UNBOUNDED, lambda: _read(target))
        finally:
            self._is_busy = False
        if profile is None:
            logger.warning("py-spy failed", extra={"output": output[-2000:]})
            raise ProfilerUnavailable(
                "py-spy is not allowed to look into the server (it needs the right to trace a process of the same user)"
            )
        return profile


async def _record(target: Path, seconds: int, samples_per_second: int, written_as: ProfileFormat) -> str:
    """Writes a profile, unless py-spy fails; what it says."""
    if (program := py_spy()) is None:
        raise ProfilerUnavailable("py-spy is not installed beside the server: pip install 'camillo-server[profile]'")
    process = await asyncio.create_subprocess_exec(
        *(program, "record", "--pid", str(os.getpid()), "--threads"),
        *("--duration", str(seconds), "--rate", str(samples_per_second)),
        *("--format", written_as.value, "--output", str(target)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _let_look(process.pid)
    try:
        _, output = await process.communicate()
    except asyncio.CancelledError:
        # The caller is gone, and so is what this was for.
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        raise
    return output.decode(errors="replace")


def py_spy() -> str | None:
    """The path of the program; None where it is not installed."""
    beside = Path(sys.executable).with_name("py-spy")
    return str(beside) if beside.exists() else shutil.which("py-spy")


def _let_look(pid: int) -> None:
    """Lets this process be looked into by its child, as Linux with Yama otherwise lets only a parent do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(pid), 0, 0, 0)


def _read(target: Path) -> bytes | None:
    """The profile; None where none was written."""
    if not target.exists():
        return None
    if target.stat().st_size > MAX_PROFILE_BYTES:
        problem = f"must be fewer: the profile has more than {MAX_PROFILE_BYTES} bytes"
        raise invalid_field("samples_per_second", problem)
    return target.read_bytes()
