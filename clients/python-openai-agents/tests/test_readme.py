"""The lines of the README and the example run as they stand; the model is scripted."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import agents
import pytest

from camillo_client.testing import ScriptedModel, scripted_model

HERE = Path(__file__).parents[1]
ANSWERS = ("Noted.", "You drink tea.")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        model.says(*ANSWERS)
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        agents.set_tracing_disabled(True)
        yield model


def test_the_lines_of_the_readme_run(model: ScriptedModel, user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    exec(lines.replace('"42"', repr(user)), {"__name__": "example"})  # noqa: S102
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == list(ANSWERS)
    assert "user: I drink tea." in printed[2]
    assert [item["role"] for item in model.asked[1]["input"]] == ["user", "assistant", "user"]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("agents.testing", reason="this version of the SDK has no scripted model")
    agents.set_tracing_disabled(True)
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["You drink coffee.", "You drink tea.", "session: 2 items"]
    assert "You drink coffee." in printed[3]
