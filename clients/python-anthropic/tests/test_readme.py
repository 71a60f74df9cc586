"""The lines of the README and the example run as they stand; the model is scripted."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from camillo_client import Camillo
from camillo_client.testing import ScriptedModel, scripted_model

HERE = Path(__file__).parents[1]
CREATE = {"command": "create", "path": "/memories/drinks.md", "file_text": "Drinks tea 🍵\n"}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        model.calls("memory", **CREATE)
        model.says("I will remember it.")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", model.address)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
        yield model


def test_the_lines_of_the_readme_run(
    model: ScriptedModel, camillo: Camillo, user: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    exec(lines.replace('"42"', repr(user)), {"__name__": "example"})  # noqa: S102
    assert capsys.readouterr().out == "I will remember it.\n"
    assert model.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    [result] = model.asked[1]["messages"][-1]["content"]
    assert "File created successfully at: /memories/drinks.md" in json.dumps(result["content"])
    assert json.loads(camillo.slots.get("/memories/drinks.md").json_content) == "Drinks tea 🍵\n"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "     1\tAda drinks tea\n     2\tBob drinks water\n     3\tEve drinks nothing" in told
    assert "delete: refused: Cannot delete the /memories directory itself" in told
    assert told.endswith("excluding hidden items:\n-\t/memories\n")
