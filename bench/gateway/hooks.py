"""How long a person waits at each prompt: the hook as a whole process, from its start to its end.

`python -m bench.gateway.hooks` prints one JSON object. The scope holds 2,000 memories; the deadline of the hook is its
own, so that one that answers late prints nothing: `hook_answered` is the share of runs that brought a context,
`hook_cpu_p50_ms` the processor time of one, which a busy machine does not change. `python_p50_ms` is a Python that does
nothing, on the same machine and in turns with the hook."""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from bench.measure.servers import Embedding, app_server, temporary_directory
from bench.measure.timing import percentile
from tests.ports import free_port

RUNS = 30
WARM_UP_RUNS = 5
MEMORIES = 2000
BATCH = 500
SUBJECTS = ("deployments", "backups", "invoices", "migrations", "releases", "certificates")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
CAMILLO = Path(sys.executable).with_name("camillo")


def measure(runs: int = RUNS) -> dict[str, float]:
    """Figures of so many runs of the prompt hook, in milliseconds, against a server of its own."""
    with temporary_directory() as directory:
        http_port = free_port()
        settings = {"server.http_port": http_port}
        with app_server(Embedding("lexical"), directory, settings=settings) as server:
            _remember(http_port, server.secret)
            environ = {
                **os.environ,
                "CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{http_port}",
                "CAMILLO_KEY": server.secret,
                "XDG_STATE_HOME": str(directory / "state"),
            }
            for number in range(WARM_UP_RUNS):
                _hook(number, environ)
            return _figures(runs, environ)


def _figures(runs: int, environ: Mapping[str, str]) -> dict[str, float]:
    hooks: list[float] = []
    computed: list[float] = []
    pythons: list[float] = []
    answered = 0
    for number in range(runs):
        before = _computed_ms()
        taken, output = _hook(number, environ)
        hooks.append(taken)
        computed.append(_computed_ms() - before)
        answered += bool(output)
        pythons.append(_timed([sys.executable, "-c", "pass"], b"", environ)[0])
    return {
        "hook_p50_ms": round(percentile(hooks, 50), 1),
        "hook_p95_ms": round(percentile(hooks, 95), 1),
        "hook_cpu_p50_ms": round(percentile(computed, 50), 1),
        "hook_answered": answered / runs,
        "python_p50_ms": round(percentile(pythons, 50), 1),
        "python_p95_ms": round(percentile(pythons, 95), 1),
    }


def _computed_ms() -> float:
    """The processor time of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def _hook(number: int, environ: Mapping[str, str]) -> tuple[float, bytes]:
    prompt = f"When are {SUBJECTS[number % len(SUBJECTS)]} of project {number * 37 % MEMORIES} done?"
    payload = {"session_id": "bench", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    command = [str(CAMILLO), "hook", "prompt", "--client", "claude-code"]
    return _timed(command, json.dumps(payload).encode(), environ)


def _timed(command: list[str], content: bytes, environ: Mapping[str, str]) -> tuple[float, bytes]:
    started = time.perf_counter()
    done = subprocess.run(command, input=content, env=environ, stdout=subprocess.PIPE, check=True)
    return (time.perf_counter() - started) * 1000, done.stdout


def _remember(port: int, key: str) -> None:
    texts = [
        f"{SUBJECTS[n % len(SUBJECTS)]} of project {n} are done on a {DAYS[n % len(DAYS)]}" for n in range(MEMORIES)
    ]
    for start in range(0, MEMORIES, BATCH):
        memories = [{"content": text} for text in texts[start : start + BATCH]]
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/memories:batch",
            json.dumps({"memories": memories}).encode(),
            {"authorization": f"Bearer {key}", "camillo-default-agent": "default"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
            answer.read()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    sys.stdout.write(json.dumps(measure(parser.parse_args().runs)) + "\n")


if __name__ == "__main__":
    main()
