"""Redaction of drafts: each field in its own way, and no call waits for a large batch."""

import asyncio

import pytest
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS, ROW
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_drafts
from camillo_server.rows.row import MemoryDraft

from tests.secret_samples import samples

DRAFTS_PER_SLICE = MAX_LOOP_CHARACTERS // (ROW + len("tea"))
PAT = samples(5)["github-pat"]


async def test_each_draft_keeps_its_place_and_tells_what_was_taken_out() -> None:
    drafts = [MemoryDraft(content=f"茶 {n}", tags=(PAT,) if n % 3 == 0 else ()) for n in range(60)]
    redacted = await redacted_drafts(drafts, Redactor())
    for before, (after, taken) in zip(drafts, redacted, strict=True):
        assert after.content == before.content
        if before.tags:
            assert after.tags == ("[redacted: github-pat]",)
            assert taken == [Redaction("tags[0]", "github-pat", 0)]
        else:
            assert after is before
            assert taken == []


async def test_others_get_their_turn_while_many_are_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    # Turns go by estimated costs here, not by how busy the machine is.
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: 0.0)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    await redacted_drafts([MemoryDraft(content="tea")] * (DRAFTS_PER_SLICE - 1), Redactor())
    assert turns == 0
    await redacted_drafts([MemoryDraft(content="tea")] * (DRAFTS_PER_SLICE * 11), Redactor())
    assert turns >= 10
    waiting.cancel()
