"""Environments of adapters in Rust: one with the newest version of the framework, in the client's target directory.
Each version of such a framework has an interface of its own, so there is no oldest one."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from clients.adapters.reports import missing

TARGET = Path(__file__).parents[2] / "build" / "cargo"
ENDED = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.MULTILINE)
# Frameworks ask for compilers that were published last week, and older ones build them.
OPTIONS = ("--quiet", "--ignore-rust-version")


@dataclass(frozen=True, slots=True)
class CargoEnvironment:
    """An adapter in Rust beside the newest version of its framework."""

    adapter: Path
    version: str = "newest"

    @property
    def name(self) -> str:
        return f"{self.adapter.name}-{self.version}"

    def prepare(self) -> None:
        """Compiles what has changed."""
        if not missing("cargo"):
            self._cargo("test", *OPTIONS, "--no-run")

    def run(self, words: list[str], environ: dict[str, str], log: IO[bytes]) -> dict[str, int]:
        """Runs the tests; `words` go to Rust's test runner."""
        if missing("cargo"):
            log.write(f"cargo is not here: skipped {self.name}\n".encode())
            return {"passed": 0, "failed": int("CI" in os.environ), "skipped": 1}
        self._cargo("fmt", "--check")
        ran = self._cargo("test", *OPTIONS, "--", *words, environ=environ, check=False, stdout=subprocess.PIPE)
        log.write(ran.stdout)
        ended = [map(int, counts) for counts in ENDED.findall(ran.stdout.decode(errors="replace"))]
        passed, failed, skipped = map(sum, zip(*ended, strict=True)) if ended else (0, 0, 0)
        return {"passed": passed, "failed": failed or int(ran.returncode != 0), "skipped": skipped}

    def _cargo(
        self, *words: str, environ: dict[str, str] | None = None, check: bool = True, stdout: int | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        known = os.environ | {"CARGO_TARGET_DIR": str(TARGET)} | (environ or {})
        command: list[str] = ["cargo", *words]
        return subprocess.run(command, cwd=self.adapter, env=known, check=check, stdout=stdout)


def cargo_environments(clients: Path) -> list[CargoEnvironment]:
    """The environments of all adapters in Rust, in the order of their names."""
    return [CargoEnvironment(file.parent) for file in sorted(clients.glob("rust-*/Cargo.toml"))]
