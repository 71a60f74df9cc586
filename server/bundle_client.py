"""Puts the Python client into the server's wheel: docs/adr/clients.md."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from setuptools.command.build_py import build_py

CLIENT = Path("clients", "python", "src")
# Left beside the modules by Python and by an editable install.
NO_SOURCE = {"__pycache__", "camillo_client.egg-info"}


class BuildWithClient(build_py):
    """Copies the client to `camillo_server/bundled`, which `camillo_server/__init__.py` puts on the path."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        # setuptools keeps what an earlier build left there: modules that are gone would be in the wheel.
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        for path in client_files():
            target = Path(self.build_lib, "camillo_server", "bundled", path.relative_to(CLIENT))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)

    def get_source_files(self) -> list[str]:
        """The files of a source distribution: it has what the wheel is built with."""
        own: list[str] = super().get_source_files()  # type: ignore[no-untyped-call]
        return [*own, "server/bundle_client.py", *map(str, client_files())]


def client_files() -> Iterator[Path]:
    for path in sorted(CLIENT.rglob("*")):
        if path.is_file() and NO_SOURCE.isdisjoint(path.parts):
            yield path
