"""Puts the Python client into the server's wheel: docs/adr/0042-client-in-the-wheel.md."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CLIENT = Path("clients", "python", "src")
NO_SOURCE = shutil.ignore_patterns("__pycache__", "*.egg-info")


class BuildWithClient(build_py):
    """Copies the client to `camillo_server/bundled`, which `camillo_server/__init__.py` puts on the path."""

    def run(self) -> None:
        if not self.editable_mode:
            # setuptools keeps what an earlier build left there: modules that are gone would be in the wheel.
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            bundled = Path(self.build_lib, "camillo_server", "bundled")
            shutil.copytree(CLIENT, bundled, ignore=NO_SOURCE)


setup(cmdclass={"build_py": BuildWithClient})
