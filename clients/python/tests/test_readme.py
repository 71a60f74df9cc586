"""The examples of the README run as they stand."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from clients.python.tests.fake_server import FakeServer

README = Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 10


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_example_runs(
    example: str, thread_server: FakeServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CAMILLO_ADDRESS", thread_server.address)
    with ThreadPoolExecutor(1) as pool:
        # A thread has no event loop that the example's own could disturb.
        pool.submit(exec, example, {"__name__": "example"}).result(30)
    assert "tea" in capsys.readouterr().out
