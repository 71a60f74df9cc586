"""Measures what work near the event loop costs: `python -m bench.decisions.loop_costs`.

For each constant by which `off_loop` decides between the event loop and a thread: microseconds of the processor for one unit
of the work (a character, a byte, a row), the least of seven rounds, for texts of several sorts, beside the constant. It is to
lie above the figures of texts that callers send every day; those of the last sorts are the worst that was thought of.
"""

import asyncio
import os
import random
import sys
import timeit
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from statistics import median
from time import perf_counter, thread_time
from uuid import UUID

from camillo_server.across.context import build_bundle
from camillo_server.across.context.bundle import Candidate, ItemType
from camillo_server.across.context.candidates import of_event
from camillo_server.across.context.messages import BUNDLE_RECIPE
from camillo_server.across.context.packing import PackingOrder, pack
from camillo_server.across.context.pieces import Pieces
from camillo_server.across.context.recipes import built_in_recipes
from camillo_server.across.forgetting.store import texts as forgotten_texts
from camillo_server.features.decisions import store as decision_rows
from camillo_server.features.events import event as content_size
from camillo_server.features.events.chunks import chunk_rows
from camillo_server.features.events.event import Actor, Event, EventId, JsonContent, TextContent
from camillo_server.features.events.store import rows as event_rows
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import KEY_BYTES, Keyring
from camillo_server.lib.redaction.redaction import DRAFT_MICROSECONDS, Redactor, redacted_draft
from camillo_server.lib.text.tokens import ESTIMATE
from camillo_server.lib.text.value_fingerprints import value_fingerprint, value_fingerprints
from camillo_server.rows.row import MemoryDraft
from camillo_server.rows.store import staging
from camillo_server.rows.store.rows import FINGERPRINT_MICROSECONDS as FINGERPRINT_OF_MEMORY
from camillo_server.rows.store.rows import memory_fingerprint, row_parameters
from camillo_server.search.query_terms import TERMS_MICROSECONDS, query_terms
from camillo_server.storage.blocklist import FINGERPRINT_MICROSECONDS
from camillo_server.storage.encrypted_json import EncryptedJson, JsonLocation

from bench.material.texts import Texts

ROUNDS = 7
CHARACTERS = 16_000
QUERY, MEMORY, CHUNK = 1_000, 2_000, 500
# Candidates of a section.
CANDIDATES = 40
SCOPE = Scope(TenantId("acme"), AgentId("alice"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEYRING = Keyring({"bench": os.urandom(KEY_BYTES)})
REDACTOR = Redactor()
JSON = EncryptedJson(KEYRING)

Work = Callable[[], object]
# The constant, the units (characters, or one row) of which each costs so much, and what makes the work of a text.
Cost = tuple[float, int, Callable[[str], Work]]


def main() -> int:
    """Prints a line for each constant, and what handing work over to a thread costs."""
    sorts = _texts()
    print(f"{'microseconds':24}{'constant':>10}" + "".join(f"{name:>10}" for name in sorts))
    for name, (constant, units, prepared) in _costs().items():
        figures = (_least(prepared(text)) / units for text in sorts.values())
        print(f"{name:24}{constant:10.3f}" + "".join(f"{each:10.3f}" for each in figures))
    print(f"{'hand-over to a thread':24}{asyncio.run(_hand_over()):10.1f}")
    return 0


def _least(work: Work) -> float:
    timer = timeit.Timer(work, timer=thread_time)
    number = max(1, timer.autorange()[0] // 20)
    return min(timer.repeat(ROUNDS, number)) / number * 1e6


async def _hand_over() -> float:
    """How much longer work that does nothing takes in a thread."""
    taken = []
    for _ in range(1_000):
        began = perf_counter()
        await off_loop(UNBOUNDED, int)
        taken.append(perf_counter() - began)
    return median(taken) * 1e6


def _costs() -> Mapping[str, Cost]:
    byte = content_size.BYTE_MICROSECONDS
    return {
        "query term, character": (TERMS_MICROSECONDS, QUERY, _of(query_terms, QUERY)),
        "fingerprint, character": (
            FINGERPRINT_MICROSECONDS,
            CHARACTERS,
            _of(partial(value_fingerprints, SCOPE.tenant_id)),
        ),
        "bundle, event": (build_bundle.MAKING_MICROSECONDS, 1, _candidate_making),
        "bundle, JSON character": (
            build_bundle.MADE_CHARACTER_MICROSECONDS,
            CHARACTERS,
            lambda text: partial(of_event, replace(_event(text), content=JsonContent({"words": text.split()}))),
        ),
        **_packing_costs(),
        "secrets, character": (byte, CHARACTERS, _of(REDACTOR.redact)),
        "chunks, character": (byte, CHARACTERS, lambda text: partial(chunk_rows, _event(text))),
        "event row, character": (event_rows.BYTE_MICROSECONDS, CHARACTERS, _json_reading),
        "draft": (DRAFT_MICROSECONDS, 1, _redaction),
        "row of a chunk": (
            staging.ROW_MICROSECONDS + CHUNK * staging.CHARACTER_MICROSECONDS,
            1,
            _row_writing,
        ),
        "repeat, character": (FINGERPRINT_OF_MEMORY, MEMORY, _memory_fingerprint),
        "decision": (decision_rows.DECISION_MICROSECONDS, 1, lambda t: _json_reading(t[:MEMORY])),
        "value": (
            forgotten_texts.VALUE_MICROSECONDS,
            1,
            _of(partial(value_fingerprint, SCOPE.tenant_id), MEMORY),
        ),
    }


def _packing_costs() -> Mapping[str, Cost]:
    """The cost of one candidate with a text of so many characters, among many."""
    costs: dict[str, Cost] = {}
    for size in (60, 400):
        new = build_bundle.CANDIDATE_MICROSECONDS + size * build_bundle.CHARACTER_MICROSECONDS
        known = build_bundle.KNOWN_MICROSECONDS + size * build_bundle.KNOWN_CHARACTER_MICROSECONDS
        costs[f"bundle, {size} characters"] = (new, CANDIDATES, partial(_packing, size, False))
        costs[f"{size} known characters"] = (known, CANDIDATES, partial(_packing, size, True))
    return costs


def _of(function: Callable[[str], object], characters: int = CHARACTERS) -> Callable[[str], Work]:
    return lambda text: partial(function, text[:characters])


def _texts() -> Mapping[str, str]:
    """English-like prose, and other texts of as many characters."""
    letters = random.Random(3)
    han = "".join(chr(letters.randrange(0x4E00, 0x9000)) for _ in range(CHARACTERS))
    words = ("".join(letters.choices("abcdeABCDE0123", k=12)) for _ in range(CHARACTERS))
    return {
        "prose": " ".join(Texts().sentences(400))[:CHARACTERS],
        "Han": han,
        "paths": ("src/foo_bar/bazQux.py:12 " * CHARACTERS)[:CHARACTERS],
        "keys": ("password=Xk3jf9aLqP0zVb7T " * CHARACTERS)[:CHARACTERS],
        "codes": " ".join(words)[:CHARACTERS],
        "lines": ("ab\n" * CHARACTERS)[:CHARACTERS],
        "emoji": "".join(chr(letters.randrange(0x1F300, 0x1F600)) for _ in range(CHARACTERS)),
    }


def _event(text: str) -> Event:
    return Event(
        event_id=EventId(UUID(int=1)),
        agent_id=SCOPE.agent_id,
        session_id="s",
        channel=Channel.PRIVATE,
        actor=Actor(ActorType.HUMAN, "u"),
        kind=EventKind.MESSAGE,
        sensitivity=Sensitivity.CONFIDENTIAL,
        tags=("a",),
        occurred_at=NOW,
        refs=(),
        content=TextContent(text),
        importance=0.5,
        recorded_at=NOW,
        index=0,
        revision=1,
    )


def _candidate_making(text: str) -> Work:
    return partial(of_event, _event(text[:CHUNK]))


def _packing(size: int, is_known: bool, text: str) -> Work:
    """Packs candidates that all differ, as far as the text does."""
    passages = [text[size * number :][:size] for number in range(CANDIDATES)]
    pool = [
        Candidate(ItemType.CHUNK, f"{number} {passage}", (str(number),), "2026-01-01 10:00")
        for number, passage in enumerate(passages)
    ]
    order = PackingOrder(built_in_recipes()[BUNDLE_RECIPE], 65_000, {"retrieved_evidence": pool}, "seed")
    first = Pieces()
    pack(order, ESTIMATE, first)
    return lambda: pack(order, ESTIMATE, Pieces(first.used if is_known else {}))


def _redaction(text: str) -> Work:
    return partial(redacted_draft, MemoryDraft(content=text[:MEMORY]), REDACTOR)


def _row_writing(text: str) -> Work:
    return partial(row_parameters, SCOPE, chunk_rows(_event(text[:CHUNK]))[0], KEYRING)


def _memory_fingerprint(text: str) -> Work:
    memory = MemoryDraft(text[:MEMORY]).memory(SCOPE.agent_id, MemoryId(UUID(int=1)), NOW)
    return partial(memory_fingerprint, KEYRING, SCOPE, memory)


def _json_reading(text: str) -> Work:
    location = JsonLocation(SCOPE.tenant_id, "event", "1")
    columns = JSON.columns({"text": text}, location, encrypted=True)
    return partial(JSON.read, (None, columns["key_id"], columns["sealed_details"]), location)


if __name__ == "__main__":
    sys.exit(main())
