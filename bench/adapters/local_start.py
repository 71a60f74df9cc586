"""`camillo_client.local()` in a program of its own: how soon it has its first recall."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from bench.gateway.mcp_process import end_local_server
from bench.measure.servers import temporary_directory
from bench.measure.timing import Figures, Rounds

PROGRAM = """
import json, time
started = time.perf_counter()
import camillo_client
imported = time.perf_counter()
with camillo_client.local() as camillo:
    found = time.perf_counter()
    camillo.recall("tea")
    recalled = time.perf_counter()
print(json.dumps([1000 * seconds for seconds in (found - imported, recalled - imported, imported - started)]))
"""


def local_starts(rounds: int) -> Figures:
    """Milliseconds from the call of `local()` to the answer of the first recall: of a user without data, of one whose
    server does not run, and of one whose server does; and what importing the client takes before."""
    taken = Rounds()
    for _ in range(rounds):
        with temporary_directory() as directory:
            environ = _environ(directory / "data")
            for name in ("new", "cold", "warm"):
                found, recalled, imported = _taken(environ)
                taken.add({f"local_{name}_found_ms": found, f"local_{name}_ms": recalled})
                if name == "new":
                    end_local_server(directory / "data")
                if name == "warm":
                    taken.add({"local_import_ms": imported})
            end_local_server(directory / "data")
    return taken.figures()


def _environ(data_dir: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("CAMILLO_")}
    # Whoever measures may have a server at the ports that are the default.
    ports = {"CAMILLO_SERVER_PORT": "0", "CAMILLO_SERVER_HTTP_PORT": "0"}
    return own | ports | {"CAMILLO_DATA_DIR": str(data_dir)}


def _taken(environ: Mapping[str, str]) -> list[float]:
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environ, stdout=subprocess.PIPE, check=True)
    taken: list[float] = json.loads(done.stdout)
    return taken
