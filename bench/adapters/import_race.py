"""An import of an export of mem0, measured from outside: records a second, and what the command line holds."""

import json
import os
import random
import sys
import time
from pathlib import Path

from bench.measure.servers import AppServer, Embedding, app_server, temporary_directory
from bench.measure.timing import Figure, Figures

USERS = 50
WORDS = (
    "order shop tea garden harbour invoice 茶 🍵 prefers likes lives in Bilbao window aisle seat morning Tuesday "
    "refund agent ticket colour blue green quick answer"
).split()


def measure_import(records: int) -> Figures:
    """Imports so many records of 50 people, and a tenth of them before, whose memory the larger import is compared
    with."""
    with temporary_directory() as directory, app_server(Embedding("lexical"), directory / "data") as app:
        _, small_mb, _, _ = _imported(app, _export(directory / "small.json", records // 10, 0))
        seconds, held_mb, client, server = _imported(app, _export(directory / "mem0.json", records, 1))
    return {
        "mem0_import_per_s": Figure((records / seconds,)),
        "mem0_import_client_us": Figure((client / records * 1e6,)),
        "mem0_import_server_us": Figure((server / records * 1e6,)),
        "mem0_import_rss_mb": Figure((held_mb,)),
        "mem0_import_rss_growth_mb": Figure((held_mb - small_mb,)),
    }


def _export(path: Path, records: int, seed: int) -> Path:
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"results": [')
        for number in range(records):
            said = " ".join(chance.choices(WORDS, k=14))
            record = {
                "id": f"{chance.getrandbits(128):032x}",
                "memory": f"Customer {seed}/{number} {said}",
                "hash": f"{chance.getrandbits(128):032x}",
                "metadata": {"topic": chance.choice(WORDS), "number": number},
                "categories": ["travel", "food"],
                "created_at": "2025-05-01T10:00:00-07:00",
                "updated_at": None,
                "user_id": f"u{number % USERS}",
            }
            file.write((",\n" if number else "\n") + json.dumps(record, ensure_ascii=False))
        file.write("]}")
    return path


def _imported(app: AppServer, path: Path) -> tuple[float, float, float, float]:
    """Seconds, megabytes that the command line held at most, and seconds that it and the server have computed."""
    environment = {**os.environ, "CAMILLO_ADDRESS": f"127.0.0.1:{app.port}", "CAMILLO_KEY": app.secret}
    server_before = app.process.cpu_seconds()
    began = time.monotonic()
    command = [sys.executable, "-m", "camillo_cli", "import", str(path)]
    # A process of its own, whose use the kernel tells when it has ended.
    process = os.posix_spawn(sys.executable, command, environment)
    _, status, used = os.wait4(process, 0)
    seconds = time.monotonic() - began
    if status:
        raise RuntimeError(f"the import ended with {os.waitstatus_to_exitcode(status)}")
    computed = used.ru_utime + used.ru_stime
    return seconds, used.ru_maxrss / 1024, computed, app.process.cpu_seconds() - server_before
