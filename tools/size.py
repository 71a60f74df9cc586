"""Measures how large the project is, and how many files a call runs: `python -m tools.size`. The last line is JSON.

`--time-tests` runs `make test`, too, and says how long it took.
"""

import argparse
import json
import subprocess
import time
from collections.abc import Iterator, Mapping

from tests.test_architecture import LAYERS, PACKAGE, ROOT, imports, layer_of, modules, room
from tests.test_words import SEARCHED, comments, docstrings, fragments, python_files

CALL_COUNTS = ROOT / "tests" / "rpc" / "call_counts.json"
# At most so much: a project of this size fits in one head.
GOALS: Mapping[str, int] = {
    "server_files": 560,
    "server_lines": 82_000,
    "all_lines": 205_000,
    "back_arrows": 0,
    "knot": 0,
    "remember_files": 40,
    "recall_files": 40,
    "bundle_files": 50,
    "docstring_fragments": 0,
    "test_seconds": 480,
}
# The calls of `tests/rpc/call_counts.json`.
CALLS = {"remember_files": "remember", "recall_files": "recall_text", "bundle_files": "bundle_retrieval"}


def lines_of(*folders: str) -> int:
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


def arrows() -> set[tuple[str, str]]:
    """The pairs of rooms of which the first imports the second."""
    found = set()
    for name, tree in modules().items():
        for imported in imports(tree):
            if imported.startswith("camillo_server."):
                found.add((room(name), room(imported.removeprefix("camillo_server."))))
    return {(own, other) for own, other in found if own != other and own and other}


def knot(pairs: set[tuple[str, str]]) -> set[str]:
    """The rooms that reach themselves: each is in a circle."""
    return {own for own in {own for own, _ in pairs} if own in reached(own, pairs)}


def reached(own: str, pairs: set[tuple[str, str]]) -> set[str]:
    """The rooms that are imported from a room, directly and by way of others."""
    found: set[str] = set()
    waiting = {own}
    while waiting:
        waiting = {other for one, other in pairs if one in waiting} - found
        found |= waiting
    return found


def files_of_calls() -> Iterator[tuple[str, int]]:
    """How many files of the server each call runs, as `make call-counts` counted them."""
    counts: Mapping[str, Mapping[str, int]] = json.loads(CALL_COUNTS.read_text("utf-8"))
    for measure, call in CALLS.items():
        yield measure, counts[call]["files"]


def fragments_found() -> int:
    sources = (path.read_text("utf-8") for folder in SEARCHED for path in python_files(folder))
    texts = (text for source in sources for text in (*docstrings(source), *comments(source)))
    return sum(len(list(fragments(text))) for text in texts)


def seconds_of_tests() -> float:
    """How long `make test` takes. Raises CalledProcessError where a test fails."""
    started = time.monotonic()
    subprocess.run(["make", "test"], cwd=ROOT, check=True)  # noqa: S607
    return round(time.monotonic() - started, 1)


def measures() -> dict[str, float]:
    pairs = arrows()
    return {
        "server_files": len(list(PACKAGE.rglob("*.py"))),
        "server_lines": lines_of("server"),
        "all_lines": lines_of("server", "tests", "bench", "clients/python-cli", "tools"),
        "rooms": sum(map(len, LAYERS)),
        "back_arrows": sum(layer_of(other) >= layer_of(own) for own, other in pairs),
        "knot": len(knot(pairs)),
        **dict(files_of_calls()),
        "docstring_fragments": fragments_found(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.size", description=__doc__)
    parser.add_argument("--time-tests", action="store_true", help="run `make test`, and say how long it took")
    times_tests = parser.parse_args().time_tests
    found = measures()
    if times_tests:
        found["test_seconds"] = seconds_of_tests()
    for name, value in found.items():
        goal = GOALS.get(name)
        print(f"{name:20} {value:>9,}" + ("" if goal is None else f"   goal {goal:,}"))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
