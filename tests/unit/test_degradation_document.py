"""docs/degradation.md names a test for each fault, and tells of every reason there is."""

import re
from pathlib import Path

from camillo.v1.memory_pb2 import DegradedReason

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/degradation.md").read_text()
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
FIRST = "DEGRADED_REASON_"


def faults() -> list[str]:
    """The rows of the tables whose last column is that of the tests."""
    rows, is_matrix = list[str](), False
    for line in DOCUMENT.splitlines():
        if not line.startswith("|"):
            is_matrix = False
        elif line.endswith("| tests |"):
            is_matrix = True
        elif is_matrix and not line.startswith("|---"):
            rows.append(line)
    return rows


def missing(text: str) -> list[str]:
    """The tests that a text names and that are not there."""
    return [
        f"{path}::{name}"
        for path, name in TEST.findall(text)
        if not (ROOT / path).is_file()
        or not re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
    ]


def test_every_fault_names_a_test_that_is_there() -> None:
    rows = faults()
    assert len(rows) > 30
    assert not [row for row in rows if not TEST.search(row.rpartition(" | ")[2])]
    assert not missing(DOCUMENT)
    assert missing("`tests/faults/test_outage.py::test_of_nothing`")


def test_every_reason_is_told_and_no_other() -> None:
    told = re.findall(r"^\| `([A-Z_]+)` \|", DOCUMENT, re.MULTILINE)
    names = [name.removeprefix(FIRST) for name in DegradedReason.keys()]  # noqa: SIM118
    assert sorted(told) == sorted(set(names) - {"UNSPECIFIED"})
