"""Hooks, called by the SDK itself; the program that it would start is the tests' own."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from uuid import uuid4

import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage
from program import Program

from camillo_claude_agent import camillo_hooks
from camillo_client import Camillo

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"<camillo-recalled-\d+")


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "CAMILLO_HOOK_DEADLINE_MS": "60000"}


async def talk(program: Program, options: ClaudeAgentOptions, prompts: Sequence[str]) -> list[str | None]:
    """The answers of the agent."""
    answers = []
    async with ClaudeSDKClient(options, transport=program) as client:
        for prompt in prompts:
            await client.query(prompt)
            answers += [each.result async for each in client.receive_response() if isinstance(each, ResultMessage)]
    return answers


async def test_a_prompt_gets_what_is_known_and_what_is_said_is_recorded(
    camillo: Camillo, user: str, tmp_path: Path, environ: Mapping[str, str]
) -> None:
    camillo.remember("Ana prefers Sencha, 煎茶, in the morning")
    options = ClaudeAgentOptions(hooks=camillo_hooks(f"users/{user}", waits=True, environ=environ))
    program = Program(tmp_path, ["Sencha.", "Port 8443."], session_id=uuid4().hex)
    said = ("What does Ana drink in the morning?", "Which port does the ферма use?")
    assert await talk(program, options, said) == ["Sencha.", "Port 8443."]
    first, second = program.asked
    assert FENCE.search(first)
    assert "Ana prefers Sencha, 煎茶" in first
    assert "Sencha" not in second
    # Each once, and nothing of what was recalled.
    events = [*camillo.events.list()]
    assert sorted(each.stated.text for each in events) == sorted([*said, "Sencha.", "Port 8443."])
    assert {each.stated.session_id for each in events} == {program._base["session_id"]}
    # Another session knows what was said.
    later = Program(tmp_path, ["8443."], session_id=uuid4().hex)
    await talk(later, options, ["Which port does the ферма use? Port?"])
    assert "Port 8443." in later.asked[0]


async def test_a_compaction_records_what_has_been_said_until_then(
    camillo: Camillo, user: str, tmp_path: Path, environ: Mapping[str, str]
) -> None:
    hooks = camillo_hooks(f"users/{user}", waits=True, environ=environ)
    del hooks["Stop"]
    program = Program(tmp_path, ["Noted."], session_id=uuid4().hex)
    async with ClaudeSDKClient(ClaudeAgentOptions(hooks=hooks), transport=program) as client:
        await client.query("We deploy on Tuesdays")
        assert [each async for each in client.receive_response()]
        assert not [*camillo.events.list()]
        await program.hook("PreCompact", trigger="auto", custom_instructions=None)
    assert sorted(each.stated.text for each in camillo.events.list()) == ["Noted.", "We deploy on Tuesdays"]


async def test_the_agent_goes_on_without_memory(
    user: str, tmp_path: Path, environ: Mapping[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    away = {**environ, "CAMILLO_HTTP_ADDRESS": "127.0.0.1:9"}
    options = ClaudeAgentOptions(hooks=camillo_hooks(f"users/{user}", waits=True, environ=away))
    program = Program(tmp_path, ["Hello."], session_id=uuid4().hex)
    with caplog.at_level(logging.WARNING, "camillo_claude_agent"):
        assert await talk(program, options, ["Hi!"]) == ["Hello."]
    assert program.asked == ["Hi!\n"]
    assert len(caplog.records) == 2
    assert all("127.0.0.1:9" in record.getMessage() for record in caplog.records)


async def test_a_command_that_is_gone_stops_nobody(
    user: str,
    tmp_path: Path,
    environ: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("sys.executable", os.devnull)
    options = ClaudeAgentOptions(hooks=camillo_hooks(f"users/{user}", environ=environ))
    program = Program(tmp_path, ["Hello."], session_id=uuid4().hex)
    assert await talk(program, options, ["Hi!"]) == ["Hello."]
    told = [each.getMessage() for each in caplog.records if each.name == "camillo_claude_agent.hooks"]
    assert told == ["a hook of memory failed: PermissionError"] * 2


def test_the_example_of_the_readme_makes_options() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    made = dict[str, ClaudeAgentOptions]()
    exec(compile(example.partition("\n\nasync def")[0], "README.md", "exec"), made)  # noqa: S102
    assert set(made["options"].hooks or {}) == {"UserPromptSubmit", "Stop", "PreCompact"}
