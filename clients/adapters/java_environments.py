"""Environments of adapters in Java: one with the newest version of the framework and one with the oldest, as pom.xml
has them. Maven compiles them below build/adapters, with the client of this checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from clients.adapters.reports import counted, missing

BUILD = Path(__file__).parents[2] / "build" / "adapters"
POM = {"m": "http://maven.apache.org/POM/4.0.0"}
JAVA = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


@dataclass(frozen=True, slots=True)
class JavaEnvironment:
    """An adapter in Java beside one version of its framework; without `framework`, that of pom.xml."""

    adapter: Path
    version: str
    framework: str = ""

    @property
    def name(self) -> str:
        return f"{self.adapter.name}-{self.version}"

    @property
    def directory(self) -> Path:
        return BUILD / self.name

    def prepare(self) -> None:
        """Compiles adapter and tests, unless nothing has changed."""
        if missing("java", "mvn"):
            return
        words = ["-Dclient.tests.skip=true", f"-Dmade.directory={self.directory}"]
        if self.framework:
            words.append(f"-Dframework.version={self.framework}")
        command = ["mvn", "-q", "-B", "-pl", f"../{self.adapter.name}", "--also-make", *words, "test-compile"]
        # Beside .mvn, which says how much memory the compiler gets.
        subprocess.run(command, cwd=Path(__file__).parent, check=True)

    def run(self, words: list[str], environ: dict[str, str], log: IO[bytes]) -> dict[str, int]:
        """Runs the tests; `words` go to JUnit's console launcher."""
        if absent := missing("java", "mvn"):
            log.write(f"{absent} is not here: skipped {self.name}\n".encode())
            return {"passed": 0, "failed": int("CI" in os.environ), "skipped": 1}
        reports = self.directory / "reports"
        shutil.rmtree(reports, ignore_errors=True)
        classes = [str(self.directory / part) for part in ("test-classes", "classes")]
        path = os.pathsep.join([*classes, (self.directory / "classpath.txt").read_text("utf-8").strip()])
        launcher = ["-cp", path, "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"]
        options = ["--scan-classpath", classes[0], "--reports-dir", str(reports), "--details", "summary"]
        command = [*JAVA, f"-Dadapter={self.adapter}", *launcher, *options, *words]
        code = subprocess.run(
            command, cwd=self.directory, env=os.environ | environ, stdout=log, stderr=subprocess.STDOUT, check=False
        ).returncode
        cases = [case for report in reports.glob("*.xml") for case in ElementTree.parse(report).iter("testcase")]
        return counted(cases, code)


def java_environments(clients: Path) -> list[JavaEnvironment]:
    """The environments of all adapters in Java, in the order of their names."""
    found = []
    for file in sorted(clients.glob("java-*/pom.xml")):
        oldest = ElementTree.parse(file).findtext("m:properties/m:framework.oldest", "", POM)
        if not re.fullmatch(r"[0-9.]+", oldest):
            raise ValueError(f"{file} does not say which version of its framework is the oldest")
        found += [JavaEnvironment(file.parent, "newest"), JavaEnvironment(file.parent, "oldest", oldest)]
    return found
