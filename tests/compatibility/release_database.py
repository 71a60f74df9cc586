"""Keeps a database as a release left it: filled by the commands of that release, dumped by the `pg_dump` of the wheel.

`python -m tests.compatibility.release_database COMMIT [NAME]` writes `released/camillo-database-NAME.sql.gz`; the name
is the version that the server had, unless another one is given. A dump, and no run of today's migrations: it tells what
was released even if a released migration should be edited."""

import base64
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from camillo_server.cli.server import running_embedded_url
from camillo_server.storage.embedded.account import SUPERUSER, account_for, binaries_for

ROOT = Path(__file__).parents[2]
RELEASED = Path(__file__).parent / "released"
SOURCES = ("server", "clients/python/src", "clients/python-cli/src")
VERSION = "select version_num from camillo.schema_version"
HEADING = "-- Camillo {version}, schema {schema}\n"
# Known to whoever reads the archive: it encrypts confidential memories.
ENCRYPTION_KEYS = f"released:{base64.b64encode(bytes(range(32))).decode()}"
# The memory that was stored last.
ID = "{id}"
# Commands that fill a database; each release runs those that it has.
FILL = (
    ("remember", "Ada prefers tea", "--tag", "drinks"),
    ("remember", "艾达喜欢喝茶 🍵", "--agent", "ada"),
    ("remember", "עדה מעדיפה תה", "--agent", "ada", "--pin"),
    ("remember", "أدا تفضل الشاي", "--sensitivity", "confidential"),
    ("remember", "to be changed"),
    ("update", ID, "--content", "changed 🍵"),
    ("remember", "to be forgotten"),
    ("forget", ID, "--yes"),
    ("tenants", "create", "acme", "--name", "Ünïcödé & Söhne"),
    ("keys", "create", "--any-agent", "--role", "writer"),
    ("event", "record", "the kettle whistles", "--actor", "human:ada", "--session", "tea"),
    ("task", "open", "buy tea"),
    ("set", "/user/tea", '{"type": "preference", "text": "green tea"}', "--source", "Ada"),
)


class NotKept(Exception):
    """The database could not be filled or dumped; the message has what was printed."""


def release(commit: str, name: str = "", target: Path = RELEASED) -> Path:
    """The file that keeps the database of a commit. One that is there is never changed: FileExistsError."""
    version = name or version_at(commit)
    path = target / f"camillo-database-{version}.sql.gz"
    if path.exists():
        raise FileExistsError(path)
    with tempfile.TemporaryDirectory(prefix="camillo-release-") as folder:
        tree = Path(folder)
        tree.chmod(0o755)
        extract(commit, tree)
        with served(tree) as (environ, data_dir):
            fill(environ)
            dump = dumped(data_dir, version)
    # Without a time, so that the same rows give the same bytes.
    path.write_bytes(gzip.compress(dump, mtime=0))
    return path


def version_at(commit: str) -> str:
    """The version that the server had."""
    told = tomllib.loads(_git("show", f"{commit}:pyproject.toml").decode())
    version: str = told["project"]["version"]
    return version


def extract(commit: str, tree: Path) -> None:
    """The code of a commit."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit, "server", "clients"))) as archive:
        archive.extractall(tree, filter="data")


@contextmanager
def served(tree: Path) -> Iterator[tuple[Mapping[str, str], Path]]:
    """The server of a tree, with a database of its own: the environment of its commands, and the data directory."""
    data_dir = tree / "data"
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("CAMILLO_", "PYTHON"))}
    paths = os.pathsep.join(str(tree / source) for source in SOURCES)
    environ = {
        **inherited,
        "PYTHONPATH": paths,
        "CAMILLO_DATA_DIR": str(data_dir),
        "CAMILLO_ENCRYPTION_KEYS": ENCRYPTION_KEYS,
    }
    with subprocess.Popen(
        _command("serve", "--port", "0", "--json"),
        env=environ,
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            assert process.stdout is not None
            address = json.loads(process.stdout.readline())["address"]
            yield {**environ, "CAMILLO_ADDRESS": address}, data_dir
        finally:
            process.send_signal(signal.SIGINT)


def fill(environ: Mapping[str, str]) -> None:
    """Stores a little of everything that the release knows. Raises NotKept where it does not even remember."""
    memory_id = ""
    for words in FILL:
        given = [memory_id if word == ID else word for word in words]
        done = subprocess.run(
            _command(*given, "--json"),
            env=environ,
            cwd=environ["CAMILLO_DATA_DIR"],
            capture_output=True,
            text=True,
            check=False,
        )
        print(f"{'stored' if done.returncode == 0 else 'not known to this release'}: {given}")
        if words[0] == "remember":
            if done.returncode:
                raise NotKept(done.stderr)
            memory_id = _memory_id(json.loads(done.stdout))
        elif done.returncode:
            print(done.stderr)


def _memory_id(told: Mapping[str, Any]) -> str:
    memory: str = told.get("memory", told)["memory_id"]
    return memory


def dumped(data_dir: Path, version: str) -> bytes:
    """The whole database as SQL, behind a line that names its schema."""
    url = running_embedded_url(data_dir, SUPERUSER)
    if url is None:
        raise NotKept("the server has ended")
    with psycopg.connect(url) as superuser:
        [schema] = superuser.execute(VERSION).fetchone() or ("",)
    binaries = binaries_for(account_for(data_dir / "postgres"))
    command = [str(binaries / "pg_dump"), "--schema=camillo*", "--inserts", url]
    dump = subprocess.run(command, capture_output=True, check=False)
    if dump.returncode:
        raise NotKept(dump.stderr.decode())
    # Lines that only psql understands are left out.
    lines = [line for line in dump.stdout.splitlines(True) if not line.startswith(b"\\")]
    return HEADING.format(version=version, schema=schema).encode() + b"".join(lines)


def _command(*words: str) -> list[str]:
    return [sys.executable, "-m", "camillo_server", *words]


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, check=True).stdout


if __name__ == "__main__":
    commit, name = (*sys.argv[1:3], "")[:2]
    print(release(commit, name))
