"""A1: an agent gets to know a repository, from the first question to a decision that cites what it read."""

from pathlib import Path

import pytest
from camillo.v1.event_pb2 import Event
from camillo_client import AsyncCamillo
from camillo_client.errors import RefNotFound
from camillo_client.event_fields import tool_call, tool_result

from tests.rpc.memories.calls import UNKNOWN_ID
from tests.scenarios.bundles import items, refs, texts
from tests.scenarios.conftest import settled

PURPOSE = "Ferrypost moves letters between islands: it plans the routes of small boats by tide and weather."
FILES = {
    "README.md": f"# Ferrypost\n\n{PURPOSE}\n\n## 安裝\n\nRun `make`. 🚢\n",
    "package.json": '{"name": "ferrypost", "version": "0.3.1", "dependencies": {}}\n',
    "src/main.py": "".join(
        f"def leg_{number}(tide: float) -> float:\n    return tide * {number}\n\n\n" for number in range(2_000)
    ),
}
SESSION = "onboarding"
AGENT, READER, LISTER = "agent:alice", "tool:read_file", "tool:list_root"


async def read_repository(alice: AsyncCamillo, root: Path) -> list[str]:
    """The ids of everything that was recorded, in order."""
    recorded = [
        await alice.events.record("what is this project for?", session_id=SESSION, actor="human:user"),
        await alice.events.record(session_id=SESSION, actor=AGENT, tool_call=tool_call("list_root", {"path": "."})),
        await alice.events.record(
            session_id=SESSION, actor=LISTER, tool_result=tool_result("list_root", "\n".join(sorted(FILES)))
        ),
    ]
    for path in FILES:
        read = tool_call("read_file", {"path": path}, call_id=path)
        recorded.append(await alice.events.record(session_id=SESSION, actor=AGENT, tool_call=read))
        text = (root / path).read_text("utf-8")
        answer = tool_result("read_file", text, path=path, call_id=path)
        recorded.append(await alice.events.record(session_id=SESSION, actor=READER, tool_result=answer))
    return [each.event_id for each in recorded]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / "repo" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / path).write_text(text, "utf-8")
    return tmp_path / "repo"


async def test_an_agent_gets_to_know_a_repository(alice: AsyncCamillo, repository: Path) -> None:
    event_ids = await read_repository(alice, repository)
    listed = [event async for event in alice.events.list(session_id=SESSION)]
    assert [event.event_id for event in listed] == event_ids
    assert_the_short_result_is_whole(listed[4])
    await assert_the_long_result_is_an_excerpt(alice, listed[-1])

    bundle = await settled(
        lambda: alice.context.bundle("what is this project for?", session_id=SESSION, intent="repo_onboarding")
    )
    assert bundle.tokens <= bundle.budget_tokens == 65_000
    evidence = items(bundle, "retrieved_evidence")
    assert sum(item.tokens for item in evidence) <= 28_000
    assert PURPOSE in bundle.prompt
    readme = event_ids[4]
    shown = [item for item in (*evidence, *items(bundle, "recent_window")) if PURPOSE in item.text]
    assert readme in refs(shown)

    # Evidence that the window shows already is not there twice: its chunk is a ref of the window's item, beside the
    # event.
    asked = next(item for item in items(bundle, "recent_window") if event_ids[0] in item.refs)
    chunks = [ref for ref in asked.refs if ref != event_ids[0]]
    assert chunks
    decision = await alice.decisions.record(
        "Ferrypost is a planner of routes for letters between islands.",
        rationale=["the README says so"],
        refs=[readme, chunks[0]],
    )
    assert [*decision.stated.refs] == [readme, chunks[0]]
    with pytest.raises(RefNotFound):
        await alice.decisions.record("Nobody knows.", refs=[UNKNOWN_ID])
    after = await alice.context.bundle("what is this project for?", session_id=SESSION)
    assert any("planner of routes" in text for text in texts(after, "relevant_decisions"))


async def assert_the_long_result_is_an_excerpt(alice: AsyncCamillo, event: Event) -> None:
    result = event.stated.tool_result
    whole = FILES["src/main.py"]
    assert len(whole.encode()) > 64 * 1024 >= len(result.excerpt_text.encode())
    assert whole.startswith(result.excerpt_text)
    assert result.truncated
    assert (result.line_range.first, result.line_range.last) == (1, result.excerpt_text.count("\n"))
    assert await alice.artifacts.read(result.artifact_id) == whole.encode()


def assert_the_short_result_is_whole(event: Event) -> None:
    result = event.stated.tool_result
    assert result.excerpt_text == FILES["README.md"]
    assert not result.truncated
    assert not result.artifact_id
    assert result.line_range.last == FILES["README.md"].count("\n")
