"""The examples print what their guide says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.blocks import blocks_of
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
EXAMPLES = ("support_bot", "research_crew")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_its_guide_says(name: str) -> None:
    told = [block.text for block in blocks_of(ROOT, "docs/examples/README.md")]
    assert len(told) == len(EXAMPLES)
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "examples" / f"{name}.py"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert UUID.sub("ID", done.stdout) == UUID.sub("ID", told[EXAMPLES.index(name)])
