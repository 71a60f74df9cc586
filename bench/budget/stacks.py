"""Stacks of a server at work, sampled by py-spy from outside: which share of its processor time goes into what."""

import asyncio
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from camillo_server.across.admin.profiler import py_spy

from bench.measure.command import say
from bench.measure.servers import ServerProcess
from bench.measure.timing import Call, calls_per_second

SAMPLES_PER_SECOND = 250
SLICE_SECONDS = 0.5
# By a directory in the path of the innermost frame that has one of these.
LIBRARIES: Mapping[str, str] = {
    "faiss": "faiss",
    "onnxruntime": "onnx",
    "psycopg": "psycopg",
    "psycopg_pool": "psycopg",
    "psycopg_binary": "psycopg",
    "pgvector": "psycopg",
}
# protobuf's own code is C, and has no frames: it is what these functions and files of the server do.
MESSAGE_FILES = ("messages.py", "doors/rpc/fields.py")
MESSAGE_FUNCTIONS = ("Decoder._decode",)
PARTS = ("faiss", "onnx", "psycopg", "protobuf", "python")
SERVER = "/camillo_server/"
# On a busy machine the event loop is seen here while it waits for a core, too.
WAITS = "EpollSelector.select "


@dataclass(frozen=True, slots=True)
class Stacks:
    """How many seconds of the processor each stack of the Python threads took, outermost frame first, and the whole
    process."""

    seconds: Mapping[tuple[str, ...], float]
    of_process: float

    def shares(self) -> dict[str, float]:
        """The share of each part in the processor time of the process; gRPC's own threads took the rest."""
        shares = dict.fromkeys(PARTS, 0.0)
        for stack, seconds in self.seconds.items():
            shares[part_of(stack)] += seconds / (self.of_process or 1.0)
        return shares

    def write(self, path: Path) -> None:
        """One stack a line with its microseconds, folded, as programs that draw flame graphs read it."""
        stacks = sorted(self.seconds.items(), key=lambda item: -item[1])
        lines = (f"{';'.join(stack)} {seconds * 1e6:.0f}\n" for stack, seconds in stacks)
        path.write_text("".join(lines), "utf-8")


def part_of(stack: Sequence[str]) -> str:
    """The part to which the innermost frame of the server, or of a library that it calls, belongs."""
    for frame in reversed(stack):
        for directory in frame.split("/")[1:-1]:
            if directory in LIBRARIES:
                return LIBRARIES[directory]
        if SERVER in frame:
            function, _, place = frame.partition(" (")
            file = place.rpartition(":")[0]
            reads = file.endswith(MESSAGE_FILES) or function in MESSAGE_FUNCTIONS
            return "protobuf" if reads else "python"
    return "python"


async def sample(server: ServerProcess, callers: Sequence[Call], seconds: float) -> Stacks | None:
    """The stacks of a server while all these callers keep calling it; None where py-spy may not look into it."""
    with tempfile.TemporaryDirectory() as directory:
        written = Path(directory) / "stacks"
        before = server.cpu_seconds_by_thread()
        how = ("--format", "raw", "--threads", "--full-filenames")
        if not await _record(server, callers, seconds, written, how):
            return None
        after = server.cpu_seconds_by_thread()
        spent = {thread: end - before.get(thread, 0.0) for thread, end in after.items()}
        return stacks_of(written.read_text("utf-8").splitlines(), spent)


async def draw(server: ServerProcess, callers: Sequence[Call], seconds: float, target: Path) -> None:
    """Writes a flame graph of the threads that hold the interpreter's lock, by function."""
    how = ("--format", "flamegraph", "--function", "--gil")
    await _record(server, callers, seconds, target, how)


async def _record(
    server: ServerProcess,
    callers: Sequence[Call],
    seconds: float,
    written: Path,
    how: Sequence[str],
) -> bool:
    """Has py-spy write what it sees while all these callers keep calling; false where it may not look."""
    if (program := py_spy()) is None:
        return False
    command = [program, "record", "--pid", str(server.pid), "--output", str(written), *how]
    command += ["--rate", str(SAMPLES_PER_SECOND), "--duration", str(max(1, round(seconds)))]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    recording = asyncio.create_task(process.communicate())
    while not recording.done():
        await calls_per_second(callers, SLICE_SECONDS)
    _, errors = await recording
    if process.returncode:
        say(f"py-spy: {errors.decode().strip()}")
    return not process.returncode


def stacks_of(lines: Sequence[str], spent: Mapping[int, float]) -> Stacks:
    """Stacks that py-spy wrote, weighed by the seconds that each thread spent meanwhile.

    Samples alone do not tell: a thread that waits may look as if it worked.
    """
    by_thread: defaultdict[int, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for thread, stack, number in _parsed(lines):
        if not stack[-1].startswith(WAITS):
            by_thread[thread][stack] += number
    seconds: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for thread, samples in by_thread.items():
        each = spent.get(thread, 0.0) / samples.total()
        for stack, number in samples.items():
            seconds[stack] += number * each
    return Stacks(seconds, sum(spent.values()))


def _parsed(lines: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...], int]]:
    """The thread, the stack and how often it was seen, of each line: `thread (17): MainThread;main (file:1);run
    (file:2) 3`."""
    for line in lines:
        folded, _, number = line.rpartition(" ")
        thread, *stack = folded.split(";")
        yield int(thread.partition("(")[2].partition(")")[0]), tuple(stack), int(number)
