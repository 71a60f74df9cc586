"""A server of this checkout, with an embedded Postgres and an empty database."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

STOP_SECONDS = 60


@contextmanager
def server(directory: Path) -> Iterator[dict[str, str]]:
    """Starts it, and stops it in the end; variables by which clients find it."""
    directory.mkdir(parents=True, exist_ok=True)
    # A socket of Postgres lies in it, whose path has to be short.
    data_dir = Path(mkdtemp(prefix="camillo-adapters-"))
    words = ["serve", "--json", "--port", "0", "--http-port", "0", "--data-dir", str(data_dir)]
    with (directory / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [Path(sys.executable).parent / "camillo", *words], stdout=subprocess.PIPE, stderr=log
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise SystemExit(f"the server did not start: see {log.name}")
            yield {"CAMILLO_ADDRESS": json.loads(line)["address"], "CAMILLO_DATA_DIR": str(data_dir)}
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(STOP_SECONDS)
            shutil.rmtree(data_dir, ignore_errors=True)
