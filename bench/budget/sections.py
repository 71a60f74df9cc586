"""Bundles of one section each, over a scope that has something for all of them: which section takes how much."""

from collections.abc import Iterator

from camillo.v1 import decision_pb2 as decisions
from camillo.v1 import decision_service_pb2 as decision_service
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1 import task_pb2 as tasks
from camillo.v1 import task_service_pb2 as task_service

from bench.context.calls import ContextCalls, message
from bench.material.chats import EventRecorder
from bench.material.texts import Texts
from bench.measure.client import Client
from bench.measure.timing import Call

SCOPE, SESSION = "budget-sections", "now"
# Sections by what they show, and how many records of each kind the scope has.
SECTIONS = {
    "view": "source: view\n    view: rules\n    overflow: keep",
    "pinned": "source: pinned\n    limit: 40",
    "tasks": "source: tasks\n    limit: 32\n    overflow: trim",
    "decisions": "source: decisions\n    limit: 20",
    "turns": "source: recent_events\n    order: oldest_first\n    limit: 40",
    # Made-up texts say that nothing is relevant: all hits are shown, so that there are always as many.
    "evidence": "source: recall\n    sources: [event, memory]\n    min_score: 0\n    profile: evidence\n"
    "    order: best_first\n    limit: 200",
}
SECTION_NAMES = tuple(f"bundle_of_{name}" for name in SECTIONS)
RULES = "# Rules\n\n" + "\n".join(f"- Rule {number}: say what you did." for number in range(40))
RECORDS, EVENTS = 40, 400


async def fill_sections(client: Client) -> None:
    """A scope with records of all kinds, in the server's memory when this returns; and the recipes."""
    calls, texts = ContextCalls(client, SCOPE), Texts(31)
    await calls.put_view("rules", RULES)
    for text in texts.sentences(RECORDS):
        pinned = await client.remember(SCOPE, text, pinned=True)
        await client(task_service.UpsertTaskRequest(agent_id=SCOPE, task=tasks.NewTask(title=text[:200])))
        decided = decisions.NewDecision(decision=text, refs=[pinned.memory_id])
        await client(decision_service.RecordDecisionRequest(agent_id=SCOPE, decision=decided))
    await calls.record_many([message(SESSION, "Ann", text) for text in texts.sentences(EVENTS)])
    await EventRecorder(client).until_embedded(SCOPE)
    for name, section in SECTIONS.items():
        recipe = f"name: only_{name}\nbudget: 30000\nsections:\n  - name: {name}\n    budget: 30000\n    {section}\n"
        await client(service.PutRecipeRequest(yaml=recipe))


def section_calls(client: Client, questions: Iterator[str]) -> dict[str, Call]:
    """A bundle of each section alone: only evidence has a query."""
    calls = ContextCalls(client, SCOPE)

    def bundle_of(name: str) -> Call:
        if name == "evidence":
            return lambda: calls.bundle(next(questions), recipe=f"only_{name}")
        return lambda: calls.bundle(recipe=f"only_{name}", session_id=SESSION)

    return {call: bundle_of(name) for call, name in zip(SECTION_NAMES, SECTIONS, strict=True)}
