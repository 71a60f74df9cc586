"""Puts the Python client and the command line into the server's wheel: docs/adr/clients.md."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from setuptools.command.build_py import build_py

SOURCES = (Path("clients", "python", "src"), Path("clients", "python-cli", "src"))


class BuildWithClients(build_py):
    """Copies both to `camillo_server/bundled`, which `camillo_server/__init__.py` puts on the path."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        # setuptools keeps what an earlier build left there: modules that are gone would be in the wheel.
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        for source in SOURCES:
            for path in source_files(source):
                target = Path(self.build_lib, "camillo_server", "bundled", path.relative_to(source))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)

    def get_source_files(self) -> list[str]:
        """The files of a source distribution: it has what the wheel is built with."""
        own: list[str] = super().get_source_files()  # type: ignore[no-untyped-call]
        bundled = (str(path) for source in SOURCES for path in source_files(source))
        return [*own, "server/bundle_clients.py", *bundled]


def source_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        # Python leaves bytecode beside the modules, an editable install a folder of its own.
        is_source = not any(each == "__pycache__" or each.endswith(".egg-info") for each in path.parts)
        if path.is_file() and is_source:
            yield path
