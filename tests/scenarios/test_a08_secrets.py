"""A8: secrets of twenty kinds and more, through every way to write events, steps of workflows, decisions, tasks, views,
packets, slots, documents, actions and skills: none is stored, the text around them is, and what was taken out is
told."""

import json
import logging
import warnings
from datetime import UTC, datetime
from pathlib import Path

import pytest
from camillo.v1.context_pb2 import HandoffPacket
from camillo_client import AsyncCamillo, SecretRedacted, provenance
from camillo_client.errors import InvalidArgument
from camillo_client.event_fields import tool_call, tool_result

from tests.rpc.test_secrets import CONTROL, assert_nowhere, telling_lines
from tests.scenarios.conftest import AsAgent
from tests.secret_samples import samples
from tests.server_fixtures import Server

pytestmark = pytest.mark.own_server

SECRETS = samples(8)
LONG = "x" * 40 + "\n"


async def write_everywhere(alice: AsyncCamillo, secret: str) -> list[str]:
    """Writes a text to every field that takes one; returns the fields of which the client was told."""
    text = f"前 {CONTROL} {secret} 後"
    # A part of a long one is not the secret any more.
    tag, title = (f"{CONTROL} {secret}" if len(secret) <= most else CONTROL for most in (100, 400))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SecretRedacted)
        event = await alice.events.record(text, session_id="s", actor="human:ann", tags=[tag])
        nested = {"a": [{"token": secret, "b": {"c": [text]}}], CONTROL: 1}
        await alice.events.record(session_id="s", actor="agent:alice", json=nested)
        call = tool_call("login", {"password": secret, "note": CONTROL})
        await alice.events.record(session_id="s", actor="agent:alice", tool_call=call)
        long = LONG * 1_638 + f"{text}\n" + LONG * 500
        result = tool_result("read_file", long, path=f"{CONTROL}.log")
        await alice.events.record(session_id="s", actor="tool:read_file", tool_result=result)
        await alice.events.record_workflow_step(
            "nightly", tag, long, status="failed", session_id="s", actor="agent:alice"
        )
        await alice.decisions.record(text, refs=[event.event_id], rationale=[text])
        await alice.tasks.open(title, details=text, goal=text)
        await alice.context.views.put("rules", text)
        await alice.context.hand_off("bob", HandoffPacket(goal=text, note=text))
        await alice.remember(text)
        where = provenance("tool", tag, retrieved_at=datetime(2026, 2, 22, tzinfo=UTC), locator={"query": text})
        await alice.slots.set_memory("/agent/note", json.dumps(nested), where)
    return [str(warning.message) for warning in caught]


async def write_for_the_tenant(operator: AsyncCamillo, secret: str) -> None:
    """A document, an action, and a skill, which is refused."""
    text = f"# 前 {CONTROL}\n\n{CONTROL} {secret} 後\n"
    long = secret if len(secret) <= 100 else CONTROL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecretRedacted)
        await operator.documents.publish(
            "keys.md",
            text,
            title=f"{CONTROL} {long}",
            tags=[long],
            source_url=f"https://example.org/{CONTROL}?token={secret}",
            provenance={"note": secret, CONTROL: "kept"},
        )
        await operator.audit.record("key.found", f"{CONTROL} {secret} 後", meta={"deep": [{"a": secret}], CONTROL: 1})
    skill = f"---\nname: keys\ndescription: Keys.\n---\n\n{text}"
    with pytest.raises(InvalidArgument):
        await operator.skills.put(skill, agent_id="@shared")
    await operator.skills.put(skill.replace(secret, CONTROL), agent_id="@shared")


@pytest.mark.timeout(300)
async def test_no_secret_is_kept_and_the_caller_is_told(
    server: Server, agent: AsAgent, operator: AsyncCamillo, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    await agent("bob")
    for kind, secret in SECRETS.items():
        writer = await agent(f"writer-of-{kind}")
        told = await write_everywhere(writer, secret)
        assert len(told) >= 10, kind
        await write_for_the_tenant(operator, secret)
        if "\n" not in secret:
            with pytest.raises(InvalidArgument):
                await writer.slots.set_memory(f"/agent/{secret.replace('/', '|')}", "1", "a test")
        async with writer.mirror(tmp_path / kind) as mirror:
            await mirror.sync()
        mirrored = (tmp_path / kind / "log.jsonl").read_text()
        assert CONTROL in mirrored, kind
        bundle = await writer.context.bundle(CONTROL, session_id="s")
        assert CONTROL in bundle.prompt, kind
        assert "後" in bundle.prompt, kind
        for line in telling_lines(secret):
            assert line not in bundle.prompt
            assert line not in mirrored
            assert line not in caplog.text
    assert_nowhere(server.database, [*SECRETS.values()])


async def test_a_secret_at_the_border_of_an_excerpt_is_in_neither_part(
    server: Server, alice: AsyncCamillo, tmp_path: Path
) -> None:
    secret = SECRETS["github-pat"]
    before = 64 * 1024 - 20
    for shift in (0, 7, 19, 33):
        text = "y" * (before - shift) + f" {secret} {CONTROL}\n" + LONG * 100
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecretRedacted)
            await alice.events.record(session_id="s", actor="tool:cat", tool_result=tool_result("cat", text))
            await alice.events.record_workflow_step("nightly", "cat", text)
    assert_nowhere(server.database, [secret, secret[:20], secret[-20:]])
    found = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in found if secret.encode() in path.read_bytes()]
