"""Environments of adapters: what `[tool.camillo-adapter.newest]` and `.oldest` of an adapter's pyproject.toml ask for.

`packages` are pinned packages that the tests need. `sdist` is a source distribution that holds tests of the framework,
with its `sha256`: it is fetched by pip, unpacked, and named to the tests by CAMILLO_ADAPTER_SDIST. Files of it in
`sdist_tests` are run as they stand, with the module `sdk_tests` among the adapter's tests as a plugin of pytest, which
puts the adapter in the place of what they test, and says which of them cannot apply. `sdists` are several of them with
their checksums, which are unpacked below CAMILLO_ADAPTER_SDISTS under name and version. `beside` are other clients that
the adapter needs, by their directories."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "adapters"
SDISTS = BUILD / "sdists"
UV = Path(sys.executable).parent / "uv"
TEST_PACKAGES = ("pytest>=9,<10", "pytest-asyncio>=1.1,<2", "pytest-timeout>=2.4,<3")


@dataclass(frozen=True, slots=True)
class Environment:
    """An adapter beside one version of its framework."""

    adapter: Path
    version: str
    packages: tuple[str, ...]
    sdist: str = ""
    sha256: str = ""
    sdist_tests: tuple[str, ...] = ()
    sdists: Mapping[str, str] = field(default_factory=dict)
    beside: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.adapter.name}-{self.version}"

    @property
    def python(self) -> Path:
        return BUILD / self.name / "bin" / "python"

    @property
    def unpacked(self) -> Path:
        """Where the source distribution is unpacked."""
        return _unpacked(self.sdist)

    def prepare(self) -> None:
        """Makes the environment, unless it is there as it should be."""
        clients = [ROOT / "clients" / name for name in ("python", *self.beside, self.adapter.name)]
        wanted = "\n".join([sys.version, *TEST_PACKAGES, *self.packages])
        wanted += "".join((client / "pyproject.toml").read_text("utf-8") for client in clients)
        stamp = BUILD / self.name / "made-of"
        if not stamp.exists() or stamp.read_text("utf-8") != wanted:
            shutil.rmtree(stamp.parent, ignore_errors=True)
            subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, stamp.parent], check=True)
            editable: list[str | Path] = [word for client in clients for word in ("--editable", client)]
            install: list[str | Path] = [UV, "pip", "install", "--quiet", "--python", self.python]
            subprocess.run([*install, *editable, *TEST_PACKAGES, *self.packages], check=True)
            stamp.write_text(wanted, "utf-8")
        sdists = {self.sdist: self.sha256} if self.sdist else {}
        for sdist, sha256 in {**sdists, **self.sdists}.items():
            if not _unpacked(sdist).exists():
                _fetch(sdist, sha256)

    def run(self, words: list[str], environ: dict[str, str], log: IO[bytes]) -> dict[str, int]:
        """Runs the tests; returns how many passed, failed and were skipped. A run that breaks off counts as failed."""
        report = BUILD / f"{self.name}.xml"
        report.unlink(missing_ok=True)
        settings: list[str | Path] = [
            "-c",
            Path(__file__).with_name("pytest.ini"),
            "--rootdir",
            ROOT,
            "-p",
            "clients.adapters.fixtures",
            # Its server is another one.
            "-p",
            "no:camillo_pytest",
        ]
        tests = [self.adapter / "tests", *(self.unpacked / path for path in self.sdist_tests)]
        command: list[str | Path] = [self.python, "-m", "pytest", "-q", *settings, f"--junitxml={report}"]
        if self.sdist_tests:
            command += ["-p", "sdk_tests"]
        path = os.pathsep.join(map(str, (ROOT, self.adapter / "tests", self.unpacked)))
        known = {"PYTHONPATH": path, "CAMILLO_ADAPTER_SDIST": str(self.unpacked) if self.sdist else ""}
        known["CAMILLO_ADAPTER_SDISTS"] = str(SDISTS)
        command += [*tests, *words]
        known |= environ
        code = subprocess.run(
            command, cwd=ROOT, env=os.environ | known, stdout=log, stderr=subprocess.STDOUT, check=False
        ).returncode
        suite = ElementTree.parse(report).find("testsuite") if report.exists() else None
        counted = {} if suite is None else {name: int(suite.get(name, 0)) for name in ("tests", "skipped")}
        failed = 0 if suite is None else int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        passed = counted.get("tests", 0) - failed - counted.get("skipped", 0)
        return {"passed": passed, "failed": failed or int(code != 0), "skipped": counted.get("skipped", 0)}


def environments(clients: Path) -> list[Environment]:
    """The environments of all adapters, in the order of their names."""
    found = []
    for file in sorted(clients.glob("*/pyproject.toml")):
        asked = tomllib.loads(file.read_text("utf-8")).get("tool", {}).get("camillo-adapter", {})
        for version, values in asked.items():
            packages, tests, beside = (tuple(values.pop(name, ())) for name in ("packages", "sdist_tests", "beside"))
            found.append(Environment(file.parent, version, packages, sdist_tests=tests, beside=beside, **values))
    return found


def _unpacked(sdist: str) -> Path:
    return SDISTS / sdist.replace("==", "-")


def _fetch(sdist: str, sha256: str) -> None:
    fetched = BUILD / "fetched"
    shutil.rmtree(fetched, ignore_errors=True)
    words: list[str | Path] = ["--quiet", "--no-deps", "--no-binary", ":all:", "--dest", fetched, sdist]
    subprocess.run([sys.executable, "-m", "pip", "download", "--disable-pip-version-check", *words], check=True)
    [archive] = fetched.iterdir()
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != sha256:
        raise SystemExit(f"{sdist} has the digest {digest}, not {sha256}")
    with tarfile.open(archive) as packed:
        packed.extractall(fetched / "unpacked", filter="data")
    [top] = (fetched / "unpacked").iterdir()
    SDISTS.mkdir(parents=True, exist_ok=True)
    top.rename(_unpacked(sdist))
    shutil.rmtree(fetched)
