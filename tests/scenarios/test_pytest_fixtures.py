"""Whoever tests an agent has a server, a clock and a model: the examples of the guide, as pytest runs them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from camillo_client.testing import Call, Say, scripted_model
from openai import BadRequestError, OpenAI

from tests.documents.blocks import blocks_of
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def camillo_settings():
    return {"lifecycle": {"memory_quota": 2}}
"""
MORE = """
import asyncio, pytest
from datetime import timedelta
from camillo_client import Camillo
from camillo_client.testing.server import START

def test_settings_are_those_of_the_conftest(camillo):
    assert camillo.lifecycle.usage().memory_quota == 2

@pytest.mark.parametrize("number", range(2))
def test_each_test_begins_with_nothing(camillo, camillo_server, number):
    assert not list(camillo.list_memories())
    assert camillo_server.clock.now == START
    camillo.remember("猫 of a test")
    later = camillo_server.clock.move(days=400)
    assert later - START == timedelta(days=400)
    camillo.remember("猫 of a year later")
    times = sorted(memory.created_at.ToSeconds() for memory in camillo.list_memories())
    assert times[1] - times[0] == 400 * 86_400

def test_code_of_the_agent_finds_the_server(camillo_server):
    with Camillo.connect() as found:
        assert found.who_am_i().tenant_id == camillo_server.tenant_id

def test_asyncio(camillo_server):
    async def stored():
        async with camillo_server.connect_async() as camillo:
            await camillo.remember("tea")
            return [hit.text for hit in (await camillo.recall("tea")).hits]
    assert asyncio.run(stored()) == ["tea"]
"""


def test_the_examples_of_the_guide_pass(tmp_path: Path) -> None:
    examples = [block.text for block in blocks_of(ROOT, "docs/testing.md") if block.is_python]
    assert len(examples) == 2
    for number, text in enumerate([*examples, MORE]):
        (tmp_path / f"test_{number}.py").write_text(text, "utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("CAMILLO_", "PYTEST_"))}
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    # The agent of a developer, which no test should act for.
    environ["CAMILLO_AGENT"] = "somebody"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "camillo_pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout, done.stdout


def test_the_model_says_what_it_is_told_by_each_protocol() -> None:
    with scripted_model() as model:
        openai = OpenAI(base_url=model.url, api_key="any", max_retries=0)
        asked: Any = [{"role": "user", "content": "¿Qué bebo?"}]
        model.says("té", "猫")
        chat = openai.chat.completions.create(model="m", messages=asked)
        assert chat.choices[0].message.content == "té"
        chunks = openai.chat.completions.create(model="m", messages=asked, stream=True)
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "猫"
        model.will(Say("chai"), Call("recall", {"query": "té"}), Say("شاي"))
        assert openai.responses.create(model="m", input="?").output_text == "chai"
        [call] = openai.responses.create(model="m", input="?").output
        assert call.type == "function_call"
        assert (call.name, call.arguments) == ("recall", '{"query": "t\\u00e9"}')
        events = [*openai.responses.create(model="m", input="?", stream=True)]
        assert "".join(each.delta for each in events if each.type == "response.output_text.delta") == "شاي"
        assert model.is_done()
        assert [body.get("stream", False) for body in model.asked] == [False, True, False, False, True]
        with pytest.raises(BadRequestError, match="no further answer"):
            openai.responses.create(model="m", input="?")
