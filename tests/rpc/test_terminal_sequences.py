"""Escape sequences of terminals: gone from every text that is stored, whole, and no hiding place for a secret."""

import json

from camillo.v1 import artifact_service_pb2 as artifacts
from camillo.v1 import memory_pb2 as pb
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import RecordDecisionRequest
from camillo.v1.memory_service_pb2 import RememberRequest

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import put, read
from tests.rpc.knowledge.calls import publish
from tests.rpc.memories.calls import get, remember
from tests.rpc.records import get_event, record, record_all, tool_event
from tests.rpc.slots.calls import setting
from tests.rpc.test_secrets import stored_texts
from tests.secret_samples import samples
from tests.server_fixtures import Server

FAILED = (
    "\x1b[1;31mFAILED\x1b[0m test_tandem \x1b]8;;https://example.org\x07link\x1b]8;;\x1b\\ \x9b32mok\x9b0m \x1b(Bend"
)
SHOWN = "FAILED test_tandem link ok end"
PAT = samples(3)["github-pat"]
COLOURED = f"\x1b[32m{PAT[:9]}\x1b[39m{PAT[9:]}\x1b[0m"


async def test_no_stored_text_holds_them(server: Server, database: TestDatabase) -> None:
    memory = await remember(server.alice, FAILED, metadata={"m": FAILED})
    stored = await get(server.alice, memory.memory_id)
    assert stored.content == SHOWN
    assert stored.metadata["m"] == SHOWN
    said = await record(server.alice, FAILED)
    assert (await get_event(server.alice, said.event_id)).stated.text == SHOWN
    batch = await record_all(server.alice, [tool_event(FAILED), tool_event("plain")])
    told = [each.recorded.event_id for each in batch.results]
    result = (await get_event(server.alice, told[0])).stated.tool_result
    assert result.excerpt_text == SHOWN
    decision = NewDecision(decision=FAILED, rationale=[FAILED], refs=[said.event_id])
    made = await server.alice(RecordDecisionRequest(decision=decision))
    assert (made.decision.stated.decision, list(made.decision.stated.rationale)) == (SHOWN, [SHOWN])
    await server.alice(setting("/test/result", json.dumps({"out": [FAILED, 7]})))
    await publish(server.admin, "log.md", f"# Run\n\n{FAILED}\n".encode())
    texts = stored_texts(database)
    assert texts.count(SHOWN) >= 6
    for left in ("[1;31m", "u001b", "32mok", "\x1b", "\x9b"):
        at = texts.find(left)
        assert texts[max(0, at - 300) : at + 100] * (at >= 0) == ""


async def test_an_artifact_keeps_its_bytes_and_is_described_without(server: Server) -> None:
    content = (f"{FAILED}\n" * 40 + "done\n").encode()
    artifact = (await put(server.alice, content)).artifact
    assert await read(server.alice, artifact.artifact_id) == content
    got = await server.alice(artifacts.GetArtifactRequest(artifact_id=artifact.artifact_id))
    assert "FAILED test_tandem" in str(got)
    assert "[1;31m" not in str(got)


async def test_a_secret_that_colours_split_is_found(server: Server, database: TestDatabase) -> None:
    new = pb.NewMemory(content=f"wisteria {COLOURED}", metadata={"note": COLOURED})
    answer = await server.alice(RememberRequest(memory=new))
    assert [each.kind for each in answer.redactions] == ["github-pat"] * 2
    await record_all(server.alice, [tool_event(f"wisteria {COLOURED}")])
    texts = stored_texts(database)
    assert "wisteria [redacted: github-pat]" in texts
    assert PAT[12:] not in texts
