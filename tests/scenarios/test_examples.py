"""The examples print what their guide says; that of LangGraph runs with the adapter's tests."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.blocks import blocks_of
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# In the order of the guide; the last is LangGraph's.
NAMES = ("support_bot.py", "research_crew.py", "coding_agent.py", "scores.ipynb")


@pytest.mark.parametrize("name", NAMES)
def test_an_example_prints_what_its_guide_says(name: str) -> None:
    told = [block.text for block in blocks_of(ROOT, "docs/examples/README.md")]
    assert len(told) == len(NAMES) + 1
    path = EXAMPLES / name
    program = _cells(path) if path.suffix == ".ipynb" else path.read_text("utf-8")
    done = subprocess.run(
        [sys.executable, "-"],
        input=program,
        # Not even the key of another server is in its way.
        env={**os.environ, "CAMILLO_KEY": "camillo_of_another_server", "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert UUID.sub("ID", done.stdout) == UUID.sub("ID", told[NAMES.index(name)])


def _cells(notebook: Path) -> str:
    """The code of a notebook, which draws something."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return "\n".join([*code, "assert pyplot.get_fignums() == [1, 2]"])


def test_a_notebook_holds_the_output_that_its_guide_says_and_no_picture() -> None:
    told = [block.text for block in blocks_of(ROOT, "docs/examples/README.md")]
    cells = json.loads((EXAMPLES / "scores.ipynb").read_text("utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    assert {output["output_type"] for output in outputs} == {"stream"}
    assert "".join("".join(output["text"]) for output in outputs) == told[NAMES.index("scores.ipynb")]
