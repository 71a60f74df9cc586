"""A LangGraph agent whose threads and memory are in Camillo: it stops for a person, and another process goes on.

`python clients/python-langgraph/examples/graph_agent.py`, with a server that runs and this package. A script stands in
for the model: no key is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.base import BaseStore
from langgraph.types import Command, interrupt

from camillo_client import Camillo
from camillo_langgraph import CamilloSaver, CamilloStore


def agent(camillo: Camillo, *script: str) -> Any:
    """A graph that has nothing in common with another one but the server."""
    messages: Iterator[AnyMessage] = iter([AIMessage(text) for text in script])
    model = GenericFakeChatModel(messages=messages)

    def answer(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        question = state["messages"][-1].text
        for item in store.search(("facts",), query=question, limit=1):
            print("  knows:", item.value["text"])
        return {"messages": [model.invoke(state["messages"])]}

    def cancel(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        if interrupt("Cancel order 7?") != "yes":
            return {"messages": [AIMessage("It stays as it is.")]}
        store.put(("facts",), "order-7", {"text": "Order 7 of Ana was cancelled: it came too late"})
        return {"messages": [AIMessage("Order 7 is cancelled.")]}

    def wants_cancel(state: MessagesState) -> str:
        return "cancel" if "cancel" in state["messages"][-1].text else END

    graph = StateGraph(MessagesState).add_node("answer", answer).add_node("cancel", cancel)
    graph.add_edge(START, "answer").add_conditional_edges("answer", wants_cancel)
    return graph.compile(checkpointer=CamilloSaver(camillo), store=CamilloStore(camillo))


def say(graph: Any, thread: str, what: Any) -> None:
    """Says something in a thread, and prints what is new in it."""
    said = graph.invoke(what, {"configurable": {"thread_id": thread}})
    for asked in said.get("__interrupt__", ()):
        print("  asks a person:", asked.value)
    if "__interrupt__" not in said:
        print("  agent:", said["messages"][-1].text)


def main() -> None:
    space, monday = f"users/{uuid4().hex}", {"configurable": {"thread_id": "monday"}}
    with Camillo.connect() as client:
        camillo = client.for_space(space)
        print("monday: Order 7 is late, I do not want it.")
        question = {"messages": [("user", "Order 7 is late, I do not want it.")]}
        say(agent(camillo, "I would cancel it."), "monday", question)
        print("monday, in another process: yes")
        again = agent(camillo)
        say(again, "monday", Command(resume="yes"))
        print("steps of monday:", len(list(again.get_state_history(monday))))
        print("tuesday: What happened to order 7?")
        question = {"messages": [("user", "What happened to order 7?")]}
        say(agent(camillo, "It came too late, so we took it back."), "tuesday", question)
        # Threads and facts are the customer's, and go with her.
        client.spaces.forget(space, confirm=space)
        left = [*agent(camillo).get_state_history(monday)]
        print("forgotten; steps left:", len(left))


if __name__ == "__main__":
    main()
