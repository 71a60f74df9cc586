"""A7: each channel loads what its sensitivities allow, in every section, recall, snapshot and list; public shows no
preference and no private decision."""

import json
from dataclasses import dataclass
from typing import Literal

import pytest
from camillo.v1.memory_pb2 import (
    SOURCE_AUDIT,
    SOURCE_DECISION,
    SOURCE_DOCUMENT,
    SOURCE_EVENT,
    SOURCE_MEMORY,
    SOURCE_SLOT,
)
from camillo_client import AsyncCamillo

from tests.scenarios.conftest import settled

ChannelName = Literal["public", "private", "team", "agent"]
Level = Literal["public", "internal", "confidential", "restricted"]
LEVELS: tuple[Level, ...] = ("public", "internal", "confidential", "restricted")
ALLOWED: dict[ChannelName, set[str]] = {
    "public": {"public"},
    "private": {"public", "internal", "confidential", "restricted"},
    "team": {"public", "internal", "confidential"},
    "agent": {"public", "internal"},
}
# Each thing that is stored says of itself what it is, at which level.
WORD = "lighthouse"
KINDS = ("memory", "pinned", "event", "decision", "task", "view", "slot", "document", "action")
# Records of the tenant are never restricted.
OF_TENANT = ("document", "action")
PREFERENCE, PRIVATE_DECISION = "preference-public", "private-decision-public"
PREFERENCE_SLOT = "preference-slot-public"
EVERY = [*(SOURCE_MEMORY, SOURCE_EVENT, SOURCE_DECISION, SOURCE_SLOT), *(SOURCE_DOCUMENT, SOURCE_AUDIT)]


@dataclass(frozen=True, slots=True)
class Shown:
    """The marks of what is found in texts."""

    marks: set[str]

    @classmethod
    def of(cls, text: str) -> "Shown":
        marks = {f"{kind}-{level}" for kind in KINDS for level in LEVELS}
        private = {PREFERENCE, PRIVATE_DECISION, PREFERENCE_SLOT}
        return cls({mark for mark in marks | private if f"{mark}." in text})

    def levels(self, kind: str) -> set[str]:
        return {mark.removeprefix(f"{kind}-") for mark in self.marks if mark.startswith(f"{kind}-")}


def says(kind: str, level: str) -> str:
    return f"The {WORD} keeper noted {kind}-{level}."


async def store_everything(alice: AsyncCamillo) -> dict[str, str]:
    """Stores a memory, a pinned memory, an event, a decision and a task made in public, a view and a slot of each
    level; returns the ids of the events by level."""
    events: dict[str, str] = {}
    for level in LEVELS:
        event = await alice.events.record(
            says("event", level), session_id="s", actor="human:ann", sensitivity=level, channel="public"
        )
        events[level] = event.event_id
        await alice.remember(says("memory", level), sensitivity=level)
        await alice.remember(says("pinned", level), sensitivity=level, pinned=True)
        await alice.decisions.record(
            says("decision", level), refs=[event.event_id], sensitivity=level, channel="public"
        )
        await alice.tasks.open(says("task", level), sensitivity=level, channel="public")
        await alice.context.views.put(
            "rules" if level == "internal" else f"rules-{level}", says("view", level), sensitivity=level
        )
        await alice.slots.set_memory(
            f"/{WORD}/{level}", json.dumps({"text": says("slot", level)}), "a test", sensitivity=level
        )
    preference = {"type": "preference", "text": f"The {WORD} keeper likes {PREFERENCE_SLOT}."}
    await alice.slots.set_memory(f"/{WORD}", json.dumps(preference), "a test", sensitivity="public")
    await alice.remember(f"The {WORD} keeper likes {PREFERENCE}.", kind="preference", sensitivity="public")
    event = await alice.events.record(f"A {WORD} was spoken of.", session_id="t", actor="human:ann")
    await alice.decisions.record(f"The {WORD} follows {PRIVATE_DECISION}.", refs=[event.event_id], sensitivity="public")
    return events


async def publish_everything(operator: AsyncCamillo) -> None:
    """Stores a document and an action of each level but the last."""
    for level in LEVELS[:3]:
        text = says("document", level)
        await operator.documents.publish(f"{level}.md", text, sensitivity=level)
        await operator.audit.record("keeper.noted", says("action", level), sensitivity=level)


@pytest.mark.parametrize("channel", ALLOWED)
@pytest.mark.caches
async def test_a_channel_loads_exactly_what_it_may(
    alice: AsyncCamillo, operator: AsyncCamillo, channel: ChannelName
) -> None:
    events = await store_everything(alice)
    await publish_everything(operator)
    allowed = ALLOWED[channel]
    unlisted = channel != "public"

    bundle = await settled(lambda: alice.context.bundle(f"{WORD} keeper", session_id="s", channel=channel))
    shown = Shown.of(bundle.prompt)
    for kind in ("memory", "pinned", "event", "decision", "task"):
        assert shown.levels(kind) == allowed, kind
    assert shown.levels("view") == allowed & {"internal"}
    assert (PREFERENCE in shown.marks) == unlisted
    assert (PRIVATE_DECISION in shown.marks) == unlisted
    told = {ref for omission in bundle.omissions for ref in omission.refs}
    assert not told & {events[level] for level in LEVELS if level not in allowed}

    recalled = await settled(lambda: alice.recall(f"{WORD} keeper", sources=EVERY, channel=channel, limit=100))
    found = Shown.of("\n".join(hit.memory.content or hit.chunk.text for hit in recalled.hits))
    for kind in ("memory", "pinned", "event", "slot"):
        assert found.levels(kind) == allowed, kind
    for kind in OF_TENANT:
        assert found.levels(kind) == allowed - {"restricted"}, kind
    assert (PREFERENCE in found.marks) == (PREFERENCE_SLOT in found.marks) == unlisted
    assert (PRIVATE_DECISION in found.marks) == unlisted

    working = await alice.context.working_memory("", [], query=f"{WORD} keeper", channel=channel)
    passages = Shown.of(working.prompt)
    assert passages.levels("document") == allowed - {"restricted"}
    assert passages.levels("memory") | passages.levels("pinned") <= allowed

    snapshot = await alice.context.snapshot(f"{WORD} keeper", channel=channel, max_tokens=2_000)
    seen = Shown.of(snapshot.prompt)
    assert seen.levels("pinned") == allowed
    assert seen.levels("memory") <= allowed
    assert (PREFERENCE in seen.marks) <= unlisted


@pytest.mark.parametrize("channel", ALLOWED)
@pytest.mark.caches
async def test_lists_show_exactly_what_a_channel_may_load(alice: AsyncCamillo, channel: ChannelName) -> None:
    await store_everything(alice)
    events = [event.stated.text async for event in alice.events.list(channel=channel)]
    tasks = [task.stated.title async for task in alice.tasks.list(channel=channel)]
    listed = [each.stated.decision async for each in alice.decisions.list(channel=channel)]
    queried = await settled(lambda: alice.decisions.query(f"{WORD} keeper", channel=channel, limit=100))
    for decisions in (listed, [found.decision.stated.decision for found in queried.decisions]):
        shown = Shown.of("\n".join(decisions))
        assert shown.levels("decision") == ALLOWED[channel]
        assert (PRIVATE_DECISION in shown.marks) == (channel != "public")
    slots = [each.slot.json_content async for each in alice.slots.list(channel=channel)]
    shown = Shown.of("\n".join([*events, *tasks, *slots]))
    for kind in ("event", "task", "slot"):
        assert shown.levels(kind) == ALLOWED[channel], kind
    assert (PREFERENCE_SLOT in shown.marks) == (channel != "public")
