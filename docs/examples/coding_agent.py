"""A coding agent whose tools say much: each long output is an artifact, and the model reads by its ref what it needs.

`python docs/examples/coding_agent.py`. The model is scripted, the server empty and gone afterwards: no key is needed.
"""

import json
from collections.abc import Callable
from typing import Any
from urllib.request import Request, urlopen

from camillo_client import Camillo, memory_refs
from camillo_client.testing import ScriptedModel, scripted_model, server_for_tests

FAILURE = """\
    def test_discount():
>       assert price(100, "TEA10") == 90
E       assert 100 == 90
"""


def pytest_output() -> str:
    """Says what `pytest -v` would say of a shop with a wrong discount."""
    passed = "".join(f"tests/test_shop.py::test_price[{number}] PASSED\n" for number in range(2_000))
    return (
        f"collected 2001 items\n\n{passed}tests/test_shop.py::test_discount FAILED\n\n=== FAILURES ===\n{FAILURE}"
        "=== short test summary info ===\nFAILED tests/test_shop.py::test_discount - assert 100 == 90\n"
        "=== 1 failed, 2000 passed in 3.21s ===\n"
    )


def asked(model: ScriptedModel, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """The model's next message."""
    body = json.dumps({"model": "any", "messages": messages}).encode()
    with urlopen(Request(f"{model.url}/chat/completions", body)) as answer:
        message: dict[str, Any] = json.load(answer)["choices"][0]["message"]
    return message


def agent(model: ScriptedModel, camillo: Camillo, task: str) -> list[dict[str, Any]]:
    """Works until the model calls no tool; returns all that was said."""

    @camillo.artifacts.offloaded(session_id="monday")
    def run_tests() -> str:
        return pytest_output()

    def read(ref: str, pattern: str) -> str:
        return "\n".join(match.line.text for match in camillo.artifacts.search(ref, regex=pattern, after=1, limit=3))

    tools: dict[str, Callable[..., str]] = {"run_tests": run_tests, "read": read}
    messages = [{"role": "user", "content": task}]
    while calls := (said := asked(model, messages)).get("tool_calls"):
        messages.append(said)
        for call in calls:
            name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
            shown = tools[name](**arguments)
            print(f"{name}: {len(shown):,} characters for the model")
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": shown})
            # The script stands in for a model that reads on where the ref points.
            for ref in memory_refs.find_all(shown) if name == "run_tests" else ():
                print("  ref:", ref.description)
                model.calls("read", ref=memory_refs.render(ref.artifact_id, ref.description), pattern="^E ")
                model.says("test_discount expects 90, but no discount is taken off: `price` ignores the code TEA10.")
    return [*messages, said]


with server_for_tests() as server, scripted_model() as model, server.new_tenant(model).connect() as client:
    camillo = client.for_project("shop")
    print(f"the output itself: {len(pytest_output()):,} characters")
    model.calls("run_tests")
    *_, read, answer = agent(model, camillo, "Why do the tests fail?")
    print("  found:", read["content"])
    print("agent:", answer["content"])
    camillo.remember(answer["content"], tags=["finding"])
    # Another session knows what was found, and needs no test run for it.
    print("next session:", camillo.recall("why does test_discount fail?", limit=1).hits[0].text)
