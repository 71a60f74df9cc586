"""Records as a model reads them: each behind a label, all in one fence, within a budget that is counted on what is
shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from camillo.v1.actor_pb2 import ActorType
from camillo.v1.memory_pb2 import MemoryKind, RecallHit, Source
from camillo_formats.characters import border_at_or_before
from camillo_formats.enum_names import short_name
from camillo_formats.fences import fenced
from camillo_formats.rendering import AGENT_SPEAKS, item, speaker
from google.protobuf.timestamp_pb2 import Timestamp

from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import TRUST_LEVELS, TrustLevel
from camillo_server.lib.text.tokens import ESTIMATE

MAX_TOKENS = 32_000
MIN_TOKENS = 128
# A fence itself with its note, and a line behind it.
FENCE_TOKENS = 60
_CUT = "…"


@dataclass(frozen=True, slots=True)
class FoundText:
    """One record that was found: the id to read it by, what is said about it, and its text."""

    ref: str
    about: str
    text: str


def budget(arguments: Arguments, default: int, most: int = MAX_TOKENS) -> int:
    """The tokens that an answer may take."""
    return max(MIN_TOKENS, min(int(arguments.get("max_tokens", default)), most))


async def packed(entries: Sequence[FoundText], max_tokens: int, nothing: str, more: str = "") -> ToolAnswer:
    """Packs as many entries as fit. Cuts the first rather than omit it; `nothing` is the answer without any."""
    cost = sum(len(each.text) for each in entries)
    return await off_loop(cost, partial(_packed, entries, max_tokens, nothing, more))


async def shortened(text: str, max_tokens: int) -> str:
    """The text, or its beginning where it takes more."""
    return await off_loop(len(text), partial(cut, text, max_tokens))


def _packed(entries: Sequence[FoundText], max_tokens: int, nothing: str, more: str) -> ToolAnswer:
    if not entries:
        text = "\n".join(filter(None, [nothing, more]))
        return ToolAnswer(text, {"text": text, "ids": []})
    shown, ids, left = list[str](), list[str](), max_tokens - FENCE_TOKENS
    for number, entry in enumerate(entries, 1):
        whole = item(f"[{number}] {entry.ref} {entry.about}".rstrip(), entry.text)
        if not shown:
            whole = cut(whole, left)
        cost = ESTIMATE.count(whole) + 1
        if cost > left and shown:
            break
        left -= cost
        shown.append(whole)
        ids.append(entry.ref)
    notes = list[str]()
    if len(shown) < len(entries):
        notes.append(f"{len(entries) - len(shown)} more did not fit: allow more with max_tokens")
    if more:
        notes.append(more)
    text = "\n".join([fenced("\n".join(shown)), *notes])
    return ToolAnswer(text, {"text": text, "ids": ids})


def cut(text: str, max_tokens: int) -> str:
    """The text, or its beginning where it takes more."""
    while (tokens := ESTIMATE.count(text)) > max_tokens:
        keep = min(len(text) - 2, int(len(text) * max_tokens / tokens) - 1)
        if keep <= 0:
            return _CUT
        text = text[: border_at_or_before(text, keep, 0)] + _CUT
    return text


def hit_entries(hits: Iterable[RecallHit]) -> list[FoundText]:
    """The texts that a recall found."""
    return [_of_memory(hit.memory) if hit.HasField("memory") else _of_chunk(hit.chunk) for hit in hits]


def day(when: Timestamp) -> str:
    return when.ToJsonString()[:10]


def name_of(enum: Any, value: int) -> str:
    """The last words of an enum's value: `task_outcome`."""
    return short_name(enum.DESCRIPTOR, value)


def _of_memory(memory: Any) -> FoundText:
    about = [name_of(MemoryKind, memory.kind), day(memory.occurred_at), *_said_by(memory)]
    if memory.tags:
        about.append(f"tags: {', '.join(memory.tags)}")
    return FoundText(memory.memory_id, " ".join(about), memory.content)


def _of_chunk(chunk: Any) -> FoundText:
    about = [name_of(Source, chunk.source), day(chunk.occurred_at)]
    if chunk.source != Source.SOURCE_DOCUMENT:
        about += _said_by(chunk)
    return FoundText(_ref_of(chunk), " ".join(about), chunk.text)


def _ref_of(chunk: Any) -> str:
    """The name by which the origin of a passage is read."""
    if chunk.source == Source.SOURCE_SLOT:
        # A slot is read by its key, which is the first line of its text.
        return str(chunk.text.partition("\n")[0])
    return str(chunk.origin_id or chunk.chunk_id)


def _said_by(found: Any) -> list[str]:
    """Who said it, where it was not an agent for itself."""
    is_person = found.actor.type == ActorType.ACTOR_TYPE_HUMAN
    said = speaker(TRUST_LEVELS.get(found.trust_level, TrustLevel.UNKNOWN), is_person=is_person)
    return [] if said == AGENT_SPEAKS else [f"({said})"]
