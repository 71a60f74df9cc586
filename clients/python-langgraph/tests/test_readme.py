"""The example of the README, as it stands."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from uuid import uuid4

import pytest

ROOT = Path(__file__).parent.parent


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    # A person of its own for each run.
    exec(compile(example.replace('"42"', f'"{uuid4().hex}"'), "README.md", "exec"), {"__name__": "readme"})  # noqa: S102
    assert capsys.readouterr().out == "I know: Ada prefers tea\n"


def test_a_deep_agent_reads_in_one_conversation_what_it_wrote_in_another(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("deepagents", reason="deepagents needs a newer langgraph-checkpoint")
    runpy.run_path(str(ROOT / "examples" / "deep_agent.py"), run_name="__main__")
    monday, tuesday, again = capsys.readouterr().out.split("human: ")[1:4]
    assert "tool: Updated file /notes/tea.md" in monday
    assert "Ada drinks Sencha, 煎茶, at four." in tuesday
    assert again.startswith("Note what Ada drinks.")


def test_the_agent_that_stops_for_a_person_prints_what_the_guide_of_examples_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("langgraph.graph", reason="this environment has the checkpointer alone")
    runpy.run_path(str(ROOT / "examples" / "graph_agent.py"), run_name="__main__")
    guide = (ROOT.parent.parent / "docs" / "examples" / "README.md").read_text("utf-8")
    assert capsys.readouterr().out == re.findall(r"```text\n(.*?)```", guide, re.DOTALL)[-1]
