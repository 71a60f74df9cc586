"""Runs of agents with the capability: earlier conversations, tools, and runs in which memory fails."""

from __future__ import annotations

import logging
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from camillo_client import Camillo
from camillo_pydantic_ai import CamilloMemory

HERE = Path(__file__).parents[1]


class Model:
    """Answers what the script says, and keeps what it was told."""

    def __init__(self, *script: str | ToolCallPart) -> None:
        self.script, self.told, self.messages = list(script), list[str](), list[list[ModelMessage]]()

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.told.append(info.instructions or "")
        self.messages.append(list(messages))
        said = self.script.pop(0)
        return ModelResponse(parts=[TextPart(said) if isinstance(said, str) else said])

    def agent(self, *capabilities: CamilloMemory, **named: Any) -> Agent[Any, str]:
        return Agent(FunctionModel(self), capabilities=[*capabilities], **named)


async def test_what_was_said_in_one_conversation_is_known_in_another(camillo: Camillo) -> None:
    model = Model("Noted: Minka, die Katze.", "Minka.")
    agent = model.agent(CamilloMemory(camillo, speaker="ada"))
    await agent.run("My cat is called <Minka> 猫", conversation_id="one")
    await agent.run("What is my cat called?", conversation_id="two")
    assert model.told[0] == ""
    assert "ada: My cat is called &lt;Minka&gt; 猫" in model.told[1]
    assert "Noted: Minka, die Katze." in model.told[1]
    said = {event.stated.text: event for event in camillo.events.list(session_id="one")}
    assert set(said) == {"My cat is called <Minka> 猫", "Noted: Minka, die Katze."}
    assert said["My cat is called <Minka> 猫"].stated.actor.id == "ada"


async def test_what_the_messages_say_is_not_shown_again(camillo: Camillo) -> None:
    camillo.remember("The cat eats fish")
    model = Model("Noted.", "Minka.")
    agent = model.agent(CamilloMemory(camillo))
    first = await agent.run('The cat is "called" Minka', conversation_id="one")
    await agent.run("What is the cat called?", message_history=first.all_messages(), conversation_id="one")
    assert "The cat eats fish" in model.told[1]
    assert "Minka" not in model.told[1]


async def test_the_model_remembers_and_recalls(camillo: Camillo) -> None:
    calls = [
        ToolCallPart("remember", {"text": "Ada is allergic to nuts"}),
        ToolCallPart("recall", {"query": "allergic"}),
    ]
    model = Model(*calls, "No nuts.")
    agent = model.agent(CamilloMemory(lambda ctx: ctx.deps, limit=0, record=False), deps_type=Camillo)
    await agent.run("What may I eat?", deps=camillo)
    assert "- Ada is allergic to nuts" in str(model.messages[-1][-1])
    assert [hit.text for hit in camillo.recall("allergic").hits] == ["Ada is allergic to nuts"]
    assert list(camillo.events.list()) == []
    assert model.told == ["", "", ""]


async def test_a_run_goes_on_where_memory_fails(camillo: Camillo, caplog: pytest.LogCaptureFixture) -> None:
    model = Model(ToolCallPart("remember", {"text": "x"}), ToolCallPart("recall", {"query": "x"}), "Still here.")
    with Camillo.connect("127.0.0.1:1", timeout_seconds=0.2) as broken, caplog.at_level(logging.WARNING):
        result = await model.agent(CamilloMemory(broken)).run("Hello")
    assert result.output == "Still here."
    assert "nothing was remembered" in str(model.messages[1][-1])
    told = [record.getMessage().partition(":")[0] for record in caplog.records if "camillo" in record.name]
    assert told == [
        "nothing was recalled",
        "nothing was remembered",
        "nothing was recalled",
        "what was said was not recorded",
    ]


async def test_a_forgotten_value_is_not_recorded_again(camillo: Camillo) -> None:
    memory = camillo.remember("The door code is 4711-0815")
    camillo.forget([memory.memory_id])
    await (
        Model("I will.").agent(CamilloMemory(camillo)).run("Hello. The door code is 4711-0815.", conversation_id="one")
    )
    texts = [event.stated.text for event in camillo.events.list(session_id="one")]
    assert "I will." in texts
    assert not any("4711" in text for text in texts)


async def test_recalling_once_is_enough_for_a_run(camillo: Camillo) -> None:
    camillo.remember("Tea is in the tin")
    asked = list[str]()

    def client(ctx: RunContext[Any]) -> Camillo:
        asked.append(str(ctx.prompt))
        return camillo

    model = Model(ToolCallPart("look", {}), "In the tin.")
    agent = model.agent(CamilloMemory(client, record=False))

    @agent.tool_plain
    def look() -> str:
        return "nothing here"

    await agent.run("Where is the tea?")
    assert asked == ["Where is the tea?"]
    assert all("Tea is in the tin" in told for told in model.told)


def test_the_lines_of_the_readme_run(camillo: Camillo, user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    model = Model("Noted.", "You drink tea.")
    lines = lines.replace('"42"', repr(user)).replace('"openai:gpt-5.2"', "MODEL")
    exec(lines, {"__name__": "example", "MODEL": FunctionModel(model)})  # noqa: S102
    assert capsys.readouterr().out == "Noted.\nYou drink tea.\n"
    assert "ada: I drink tea." in model.told[1]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["I will keep that in mind.", "saved: 4 messages; forked: 1", "Tea."]
    assert "ada: I drink tea in the morning." in printed[3]
