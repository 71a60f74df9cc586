"""The tests that ask for each binding here and through Envoy, as a figure."""

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from bench.measure.servers import ROOT

TESTS = "tests/mesh/test_http_oracle.py"


def oracle() -> tuple[int, int]:
    """How many pass, and how many do not."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", TESTS, f"--junit-xml={report}"]
        subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False)
        [suite] = ElementTree.parse(report).getroot()  # noqa: S314 (written by pytest)
    failed = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
    return int(suite.attrib["tests"]) - failed - int(suite.attrib["skipped"]), failed
