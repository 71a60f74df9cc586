"""`python -m clients.adapters [--only NAME] [-- words for pytest]`"""

import argparse
import subprocess
import sys
from pathlib import Path

from clients.adapters.environments import Environment, environments
from clients.adapters.node_environments import NodeEnvironment, node_environments
from clients.adapters.server import server

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Runs the tests of each environment, and prints how they ended; the last line has the sum."""
    parser = argparse.ArgumentParser(prog="python -m clients.adapters")
    parser.add_argument("--only", action="append", default=[], help="a name such as python-anthropic, or with -oldest")
    parser.add_argument("pytest", nargs="*", help="words for pytest, behind --")
    given = parser.parse_args()
    known: list[Environment | NodeEnvironment] = [*environments(ROOT / "clients"), *node_environments(ROOT / "clients")]
    chosen = [each for each in known if _is_chosen(each, given.only)]
    if not chosen:
        parser.error(f"no adapter is called {' or '.join(given.only)}")
    sums = {"passed": 0, "failed": 0, "skipped": 0}
    with server(ROOT / "build" / "adapters") as environ:
        for environment in chosen:
            environment.prepare()
            counts = environment.run(given.pytest, environ)
            print(f"{environment.name}: {_line(counts)}", flush=True)
            for outcome, count in counts.items():
                sums[outcome] += count
    print(_line(sums))
    return 1 if sums["failed"] or not sums["passed"] else 0


def _is_chosen(environment: Environment | NodeEnvironment, names: list[str]) -> bool:
    return not names or any(name in (environment.name, environment.adapter.name) for name in names)


def _line(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd))}\nended with {error.returncode}")
