"""A deep agent whose files and threads are in Camillo: what it writes in one conversation, it reads in the next.

A script stands in for the model, so that it runs without a key: `python examples/deep_agent.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from deepagents import create_deep_agent
from deepagents.backends import StoreBackend
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from camillo_client import Camillo
from camillo_langgraph import CamilloSaver, CamilloStore


class ScriptedModel(GenericFakeChatModel):
    """Says what it is told to say."""

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> ScriptedModel:
        return self


def call(tool: str, **arguments: str) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": str(uuid4())}])


def agent(camillo: Camillo, *script: AIMessage) -> Any:
    """An agent that has nothing in common with another one but the server."""
    return create_deep_agent(
        model=ScriptedModel(messages=iter(script)),
        backend=StoreBackend(namespace=lambda _: ("files",)),
        store=CamilloStore(camillo),
        checkpointer=CamilloSaver(camillo),
    )


def talk(agent: Any, thread: str, text: str) -> list[str]:
    """Says something to the agent; returns all that was said in the thread."""
    said = agent.invoke({"messages": [("user", text)]}, {"configurable": {"thread_id": thread}})
    return [f"{message.type}: {message.text.strip()}" for message in said["messages"]]


def main() -> None:
    camillo = Camillo.connect().for_user(uuid4().hex)
    write = call("write_file", file_path="/notes/tea.md", content="Ada drinks Sencha, 煎茶, at four.")
    print(*talk(agent(camillo, write, AIMessage("It is noted.")), "monday", "Note what Ada drinks."), sep="\n")
    read = call("read_file", file_path="/notes/tea.md")
    print(*talk(agent(camillo, read, AIMessage("Sencha.")), "tuesday", "What does Ada drink?"), sep="\n")
    # The first conversation goes on, in an agent that was made anew.
    print(*talk(agent(camillo, AIMessage("You are welcome.")), "monday", "Thanks!"), sep="\n")


if __name__ == "__main__":
    main()
