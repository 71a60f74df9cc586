"""The real server as `camillo serve --workers N` runs it, on a database that is there already.

Prints one line of JSON when it serves: its port, which the workers share.
"""

import argparse
import asyncio
import json
from pathlib import Path

from camillo_server.one_process import Serving, serve_process
from camillo_server.settings import Settings, load_settings
from camillo_server.workers import Workers

from bench.server_settings import UNDISTURBED


def _settings() -> Settings:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--database-url", required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--embedding", default="lexical")
    parser.add_argument("--dimensions", type=int)
    given = parser.parse_args()
    overrides = {
        **UNDISTURBED,
        "data_dir": str(given.data_dir),
        "server.port": 0,
        "server.workers": given.workers,
        "database.url": given.database_url,
        "memory.embedding_model": given.embedding,
        "memory.embedding_dimensions": given.dimensions,
    }
    return load_settings(None, {}, overrides)


def _tell(serving: Serving) -> None:
    print(json.dumps({"port": serving.port}), flush=True)


def main() -> None:
    settings = _settings()
    assert settings.database.url is not None
    url = settings.database.url.get_secret_value()
    if settings.server.workers > 1:
        Workers(settings, url).run(_tell)
    else:
        asyncio.run(serve_process(settings, url, _tell))


if __name__ == "__main__":
    main()
