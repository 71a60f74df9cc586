"""`python -m clients.adapters [--only NAME] [-- words for pytest]`"""

import argparse
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from clients.adapters.cargo_environments import CargoEnvironment, cargo_environments
from clients.adapters.environments import Environment, environments
from clients.adapters.java_environments import JavaEnvironment, java_environments
from clients.adapters.node_environments import NodeEnvironment, node_environments
from clients.adapters.server import server

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "adapters"
# Tests wait for the server, and installations for the network, about half of the time.
AT_ONCE = 2

Adapter = Environment | NodeEnvironment | JavaEnvironment | CargoEnvironment


def main() -> int:
    """Runs the tests of each environment, two at once, and prints how they ended; the last line has the sum."""
    parser = argparse.ArgumentParser(prog="python -m clients.adapters")
    parser.add_argument("--only", action="append", default=[], help="a name such as python-anthropic, or with -oldest")
    parser.add_argument("pytest", nargs="*", help="words for pytest, behind --")
    given = parser.parse_args()
    every = (environments, node_environments, java_environments, cargo_environments)
    known: list[Adapter] = [each for of_language in every for each in of_language(ROOT / "clients")]
    chosen = [each for each in known if _is_chosen(each, given.only)]
    if not chosen:
        parser.error(f"no adapter is called {' or '.join(given.only)}")
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    BUILD.mkdir(parents=True, exist_ok=True)
    with server() as environ, ThreadPoolExecutor(AT_ONCE) as running:
        # The next is installed, in this thread, while those before it run.
        for environment, outcome in [(each, _started(running, each, given.pytest, environ)) for each in chosen]:
            counts = outcome.result()
            print(
                _log(environment).read_text("utf-8", errors="replace"), f"{environment.name}: {_line(counts)}", sep=""
            )
            for name, count in counts.items():
                sums[name] += count
    print(_line(sums))
    return 1 if sums["failed"] or not (sums["passed"] or sums["skipped"]) else 0


def _started(
    running: ThreadPoolExecutor, environment: Adapter, words: list[str], environ: dict[str, str]
) -> Future[dict[str, int]]:
    environment.prepare()

    def run() -> dict[str, int]:
        with _log(environment).open("wb") as log:
            return environment.run(words, environ, log)

    return running.submit(run)


def _log(environment: Adapter) -> Path:
    return BUILD / f"{environment.name}.log"


def _is_chosen(environment: Adapter, names: list[str]) -> bool:
    return not names or any(name in (environment.name, environment.adapter.name) for name in names)


def _line(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}\nended with {error.returncode}")
