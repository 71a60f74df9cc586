"""Measures what four libraries would give in place of our own lines: `python -m bench.decisions.library_choices`.

Needs pydantic-settings, structlog and cachetools, which nothing else here uses. It prints the milliseconds that the
import of each costs beside what the server imports anyway, the answers to settings that are wrong, the microseconds of
a log line and of a hit in the cache of query vectors, and what huggingface_hub says of a mirror and of a hub that is
away. Times are medians of rounds that take turns.
"""

import json
import logging
import os
import subprocess
import sys
import tempfile
import time
import timeit
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any

from camillo_server.settings import Settings, SettingsError, load_settings
from camillo_server.telemetry.logging import JsonFormatter, _exception, _timestamp
from pydantic import ValidationError

from bench.measure.timing import taking_turns

ROUNDS = 15
# Each with what the server has imported before it.
IMPORTS = {
    "pydantic_settings": "camillo_server.settings",
    "structlog": "camillo_server.telemetry.logging, rich",
    "cachetools": "collections, asyncio",
    "huggingface_hub.file_download": "tokenizers, httpx",
}
# A name, the YAML file, the environment.
WRONG: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "a value out of range": ("server: {port: 65536}", {}),
    "a misspelt key": ("server: {max_inflight: 1}", {}),
    "a misspelt variable": ("", {"CAMILLO_SERVER_PROT": "1"}),
    "a variable of a misspelt section": ("", {"CAMILLO_SEVER_PORT": "1"}),
    "an empty section": ("server:", {}),
    "a variable that Kubernetes sets": ("", {"CAMILLO_SERVER_PORT": "tcp://10.0.0.1:7070"}),
    "a setting with underscores": ("", {"CAMILLO_SERVER_MAX_IN_FLIGHT": "5"}),
    "a setting of a nested section": ("", {"CAMILLO_IDENTITY_JWT_ROLE_CLAIM": "r"}),
}
RECORD: dict[str, object] = {
    "name": "camillo_server.rpc.pipeline",
    "levelname": "INFO",
    "levelno": logging.INFO,
    "msg": "call",
    "created": 1_900_000_000.25,
    "request_id": "r-1",
    "method": "/camillo.v1.MemoryService/Recall",
    "seconds": 0.0012,
}


def main() -> None:
    _print_imports()
    for splits in (None, 1):
        _print_wrong_settings(splits)
    _print_log_lines()
    _print_cache_hits()
    _print_downloads()


def _print_imports() -> None:
    taken: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for name in taking_turns(list(IMPORTS), ROUNDS):
        code = (
            f"import {IMPORTS[name]}, time; t = time.perf_counter(); import {name}; "
            "print(time.perf_counter() - t)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        taken[name].append(float(done.stdout) * 1000)
    for name, milliseconds in taken.items():
        print(f"import {name}: {median(milliseconds):.0f} ms more")


def _print_wrong_settings(splits: int | None) -> None:
    print(f"\npydantic-settings, names of variables split at each _, at most {splits} times:")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "camillo.yaml"
        for name, (text, environ) in WRONG.items():
            path.write_text(text)
            print(f"  {name}")
            print(f"    ours     {_ours(path, environ)}")
            print(f"    library  {_librarys(path, environ, splits)}")


def _ours(path: Path, environ: Mapping[str, str]) -> str:
    try:
        load_settings(path, environ, {})
    except SettingsError as error:
        return "; ".join(error.problems)
    return "taken"


def _librarys(path: Path, environ: Mapping[str, str], splits: int | None) -> str:
    library: Any = import_module("pydantic_settings")

    def sources(cls: Any, **given: Any) -> tuple[Any, ...]:
        file = library.YamlConfigSettingsSource(cls, yaml_file=path)
        return given["init_settings"], given["env_settings"], file

    config = library.SettingsConfigDict(
        env_prefix="CAMILLO_",
        env_nested_delimiter="_",
        env_nested_max_split=splits,
        env_ignore_empty=True,
        extra="forbid",
        hide_input_in_errors=True,
    )
    members = {
        "model_config": config,
        "settings_customise_sources": sources,
        "__module__": __name__,
    }
    kept = dict(os.environ)
    os.environ.update(environ)
    try:
        type("Standard", (Settings, library.BaseSettings), members)(data_dir=path.parent)
    except ValidationError as error:
        return "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
    finally:
        os.environ.clear()
        os.environ.update(kept)
    return "taken"


def _print_log_lines() -> None:
    record = logging.makeLogRecord(RECORD)
    formatters = {"ours": JsonFormatter(), "structlog": _structlogs()}
    works = {name: partial(each.format, record) for name, each in formatters.items()}
    _print_times("\na log line", works, 2_000)
    for field, value in (("event", "of an extra field"), ("share", float("nan"))):
        odd = logging.makeLogRecord(RECORD | {field: value})
        for name, formatter in formatters.items():
            try:
                said = json.loads(formatter.format(odd))["message"]
            except ValueError as error:
                said = f"lost: {error}"
            print(f"  extra field {field}={value}, message of {name}: {said}")


def _structlogs() -> logging.Formatter:
    """Formats the same line by structlog's processors; what it has no processor for is ours here as well."""
    library: Any = import_module("structlog")
    stdlib, processors = library.stdlib, library.processors

    def own(logger: object, method: str, fields: dict[str, Any]) -> dict[str, Any]:
        record = fields["_record"]
        fields |= {"ts": _timestamp(record), "request_id": getattr(record, "request_id", "")}
        fields.pop("exc_info", None)
        if record.exc_info and record.exc_info[1] is not None:
            fields["exception"] = _exception(record.exc_info[1])
        return fields

    formatter: logging.Formatter = stdlib.ProcessorFormatter(
        foreign_pre_chain=[stdlib.ExtraAdder(), stdlib.add_logger_name, stdlib.add_log_level],
        processors=[
            own,
            stdlib.ProcessorFormatter.remove_processors_meta,
            processors.EventRenamer("message"),
            processors.JSONRenderer(allow_nan=False),
        ],
    )
    return formatter


def _print_cache_hits() -> None:
    keys = [("model", "tenant", f"query {number}") for number in range(1_000)]
    ours: OrderedDict[object, tuple[None, int]] = OrderedDict((key, (None, 500)) for key in keys)
    librarys: Any = import_module("cachetools").LRUCache(2**26, getsizeof=lambda entry: entry[1])
    librarys.update(ours)
    key = keys[500]

    def hit() -> object:
        found = ours.get(key)
        ours.move_to_end(key)
        return found

    _print_times("\na hit", {"ours": hit, "cachetools": lambda: librarys.get(key)}, 20_000)
    oldest = next(iter(keys))
    list(librarys.values())
    librarys.get(oldest)
    list(librarys.values())
    print(f"  cachetools, after a look at all values, drops: {librarys.popitem()[0][2]}")


def _print_downloads() -> None:
    download: Any = import_module("huggingface_hub").hf_hub_download
    for name, opened in (("a mirror of plain files", _mirror), ("a hub that is away", _nothing)):
        with opened() as endpoint, tempfile.TemporaryDirectory() as directory:
            began = time.perf_counter()
            try:
                said = download("a/b", "config.json", endpoint=endpoint, local_dir=directory)
            except OSError as error:
                said = f"{type(error).__name__}: {error}"
            print(f"\n{name}, after {time.perf_counter() - began:.1f} s: {said}")


class _Plain(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "2")
        self.send_header("etag", '"1"')
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(b"{}")

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def _mirror() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Plain)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def _nothing() -> Iterator[str]:
    yield "http://127.0.0.1:9"


def _print_times(title: str, works: Mapping[str, Callable[[], object]], calls: int) -> None:
    taken: dict[str, list[float]] = {name: [] for name in works}
    for name in taking_turns(list(works), ROUNDS):
        taken[name].append(timeit.timeit(works[name], number=calls) / calls * 1e6)
    figures = ", ".join(f"{name} {median(each):.2f} us" for name, each in taken.items())
    print(f"{title}: {figures}")


if __name__ == "__main__":
    main()
