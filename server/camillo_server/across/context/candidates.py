"""Records and hits as candidates, in the form in which a prompt shows them."""

import re
from collections.abc import Iterator, Sequence, Set
from datetime import UTC, datetime
from typing import NamedTuple

from camillo_formats.characters import border_at_or_before
from camillo_formats.rendering import AGENT_SPEAKS, fields, one_line, speaker

from camillo_server.across.context.bundle import MAX_REFS, Candidate, ItemType, Turn
from camillo_server.across.context.prepared_texts import PreparedText
from camillo_server.across.context.recipe import SectionRecipe
from camillo_server.across.context.view import Handoff, View
from camillo_server.features.decisions.decision import Decision, decision_text
from camillo_server.features.events.chunks import event_text
from camillo_server.features.events.event import Event, OutputContent
from camillo_server.features.knowledge.skill import Skill
from camillo_server.features.slots.store.rows import SlotBrief
from camillo_server.features.tasks.task import Task
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ActorType, ChunkKind, Kind, MemoryKind, is_chunk
from camillo_server.kernel.off_loop import yield_turn
from camillo_server.kernel.scope import SHARED, TrustLevel
from camillo_server.lib.text.tokens import TokenCounter
from camillo_server.rows.row import Row

# The most that is shown of one recent event: a page of some tool's output would push out all the others.
MAX_EVENT_CHARACTERS = 6_000
MAX_TOKENS = 512
MIN_TOKENS = 48
_MAX_CHARACTERS = 96
# A sentence of any script, short enough to be shown whole.
_SENTENCE = re.compile(r".{8,96}?[.!?](?=\s)|.{4,48}?[。！？؟।]")
_CUT = " \N{HORIZONTAL ELLIPSIS}"


def of_view(view: View) -> Candidate:
    """A text that is always shown."""
    return Candidate(
        ItemType.VIEW,
        view.text,
        (view.name,),
        occurred_at=view.updated_at,
        sensitivity=view.sensitivity,
        is_data=view.is_data,
        agent_id=view.agent_id,
    )


def of_task(task: Task) -> Candidate:
    """A task, its status before it."""
    return Candidate(
        ItemType.TASK,
        task_text(task),
        _refs(task.task_id, task.stated.refs),
        prefix=f"{task.stated.status.name.lower()}:",
        occurred_at=task.updated_at,
        sensitivity=task.stated.sensitivity,
        agent_id=task.agent_id,
    )


def task_text(task: Task) -> str:
    """All that a task says but its status."""
    stated = task.stated
    return fields(
        stated.title,
        (
            ("Goal", stated.goal),
            ("Plan step", stated.plan_step),
            ("Constraints", stated.constraints),
            ("Details", stated.details),
        ),
    )


def of_decision(decision: Decision, score: float = 0.0) -> Candidate:
    """A decision, its rationale and its consequences, its time before it."""
    stated = decision.stated
    at = stated.decided_at or decision.created_at
    return Candidate(
        ItemType.DECISION,
        decision_text(decision),
        _refs(decision.decision_id, stated.refs),
        prefix=minute(at),
        score=score,
        occurred_at=at,
        sensitivity=stated.sensitivity,
        agent_id=decision.agent_id,
    )


def of_handoff(handoff: Handoff) -> Candidate:
    """A packet, and who gave it."""
    packet = handoff.packet
    return Candidate(
        ItemType.HANDOFF,
        handoff.text,
        _refs(handoff.handoff_id, [*map(str, packet.task_ids), *map(str, packet.decision_ids)]),
        prefix=f"{minute(handoff.created_at)} from {handoff.from_agent_id or 'the tenant'}:",
        occurred_at=handoff.created_at,
        agent_id=handoff.to_agent_id,
    )


def of_event(event: Event) -> Candidate:
    """An event as its chunks tell it, in one."""
    shown = event_text(event)
    text = f"{shown.opening}{shown.text}"
    end = border_at_or_before(text, MAX_EVENT_CHARACTERS, 0)
    content = event.content
    artifact_id, is_truncated = "", False
    level, is_person = event.actor.trust_level, event.actor.type is ActorType.HUMAN
    if isinstance(content, OutputContent):
        artifact_id, is_truncated = content.artifact_id, content.truncated
    return Candidate(
        ItemType.EVENT,
        text[:end],
        _refs(event.event_id, [artifact_id] if artifact_id else []),
        prefix=f"{minute(event.occurred_at)} ({speaker(level, is_person=is_person)})",
        occurred_at=event.occurred_at,
        sensitivity=event.sensitivity,
        truncated_artifact_id=artifact_id if is_truncated else "",
        cut_characters=len(text) - end,
        trust_level=level,
        agent_id=event.agent_id,
    )


def of_memory(memory: Row, score: float = 0.0) -> Candidate:
    """A memory, or a chunk."""
    is_passage, is_summary = is_chunk(memory.kind), memory.kind is MemoryKind.SUMMARY
    said = speaker(memory.trust_level, is_person=memory.actor.startswith("human:"))
    # An agent's own word is the most of what is remembered. A passage begins with its speaker, which must not pass for
    # this.
    mark = "" if said == AGENT_SPEAKS and not is_passage else f" ({said})"
    kind = mark if is_passage or is_summary else f" {memory.kind.name.lower()}{mark}:"
    if document := memory.metadata.get("document") if is_passage else None:
        # Names the document, where the passage can be opened.
        kind = f" {document}:"
    return Candidate(
        ItemType.CHUNK if is_passage else ItemType.MEMORY,
        memory.content,
        _refs(memory.memory_id, memory.source_refs),
        prefix=f"{minute(memory.occurred_at)}{kind.replace('_', ' ')}",
        score=score,
        occurred_at=memory.occurred_at,
        sensitivity=memory.sensitivity,
        is_derived=is_summary,
        truncated_artifact_id=_artifact_of(memory),
        path=str(memory.metadata.get("path", "")) if is_passage else "",
        trust_level=memory.trust_level,
        is_spooled=memory.is_spooled,
        agent_id=memory.agent_id,
        # A passage of an event begins with its speaker.
        author="" if is_passage else memory.actor,
    )


class RecalledRow(NamedTuple):
    """A memory or chunk as a candidate, whatever the query: it is kept with its row."""

    candidate: Candidate
    kind: Kind
    source_refs: Sequence[str]
    nbytes: int

    def scored(self, score: float) -> Candidate:
        """The candidate with the score that a query gives it."""
        return Candidate._make((*self.candidate[:_SCORE], score, *self.candidate[_SCORE + 1 :]))


_SCORE = Candidate._fields.index("score")


def recalled(memory: Row) -> RecalledRow:
    """The memory as a candidate of any query, with the text that packing will make ready."""
    candidate = of_memory(memory)
    prepared = PreparedText(candidate)
    # The last field; `_replace` takes several times as long.
    candidate = Candidate._make((*candidate[:-1], prepared))
    return RecalledRow(candidate, memory.kind, memory.source_refs, prepared.nbytes)


def of_slot(slot: SlotBrief, own: AgentId | None = None) -> Candidate:
    """A slot in one line: its key without the first slash, its type, its origin where it is not the agent itself, its
    summary. `own`: the agent, where slots of other spaces are shown, too."""
    origin = [] if slot.agent_id else ["shared"]
    if own is not None and slot.agent_id not in ("", own):
        origin.append(slot.agent_id)
    if slot.trust_level < TrustLevel.AGENT:
        origin.append(f"trust: {slot.trust_level.name.lower()}")
    elif slot.trust_level is TrustLevel.USER:
        origin.append(speaker(slot.trust_level, is_person=True))
    in_brackets = f"({', '.join(origin)})" if origin else ""
    parts = (slot.key.removeprefix("/"), slot.type, in_brackets, slot.summary)
    return Candidate(
        ItemType.SLOT,
        f"- {one_line(' '.join(part for part in parts if part))}",
        (str(slot.slot_id),),
        occurred_at=slot.updated_at,
        sensitivity=slot.sensitivity,
        trust_level=slot.trust_level,
        agent_id=slot.agent_id,
    )


def of_skill(skill: Skill, *, is_whole: bool) -> Candidate:
    """A skill with all of its text, or in one line."""
    line = f"- {skill.name}: {one_line(skill.description)}"
    return Candidate(
        ItemType.SKILL,
        skill.text if is_whole else line,
        (skill.name,),
        occurred_at=skill.updated_at,
        is_data=skill.is_data,
    )


def skills_of(section: SectionRecipe, skills: Sequence[Skill]) -> Iterator[Candidate]:
    """The skills that the section names, in its order, then a line for each that no section loads whole."""
    known = {skill.name: skill for skill in skills}
    for name in section.names:
        yield of_skill(known[name], is_whole=True)
    listed = [skill for skill in skills if not skill.text]
    for skill in listed[: section.listed]:
        yield of_skill(skill, is_whole=False)


# Their lines name no space: a slot's has it in brackets, and a view stands as it was written.
_UNNAMED = (ItemType.VIEW, ItemType.SLOT)


def in_space(candidate: Candidate, own: AgentId, actors: Set[str]) -> Candidate:
    """The candidate of a bundle of several spaces: its line begins with its space, if that is not the agent's own, and
    with who wrote it, if that is none of these actors."""
    space = candidate.agent_id
    if space is None or space == own or candidate.type in _UNNAMED:
        return candidate
    author = "" if candidate.author in actors else candidate.author.removeprefix("human:")
    origin = f"{space or SHARED} by {author}," if author else space or SHARED
    return candidate._replace(prefix=f"{origin} {candidate.prefix}".rstrip(), prepared=None)


def of_turn(turn: Turn) -> Candidate:
    """A turn that the caller gives in the request."""
    yield_turn()
    speaker, text, refs = turn
    return Candidate(ItemType.GIVEN, text, refs[:MAX_REFS], f"{speaker}:")


def of_given_text(text: str) -> Candidate:
    """The text that a caller brings."""
    return Candidate(ItemType.GIVEN, text, ())


def minute(at: datetime) -> str:
    """A time as a prompt shows it, UTC."""
    return (at if at.tzinfo is UTC else at.astimezone(UTC)).isoformat(" ", "minutes")[:16]


def _artifact_of(memory: Row) -> str:
    """The artifact with the whole of a tool's output, of which a chunk has a part: the ref behind the event's."""
    is_result = memory.kind is ChunkKind.EVENT_TOOL_RESULT and len(memory.source_refs) > 1
    return memory.source_refs[1] if is_result else ""


def _refs(own: object, others: Sequence[str]) -> tuple[str, ...]:
    """The own id, then the ids that the record rests on."""
    return tuple(dict.fromkeys((str(own), *others)))[:MAX_REFS]


def condensed(turns: Sequence[Candidate], max_tokens: int, counter: TokenCounter) -> Candidate:
    """One item for these turns, given newest first, of at most `max_tokens`, but at least one line."""
    budget = min(max_tokens, MAX_TOKENS)
    head = f"{len(turns)} earlier turns in few words"
    lines: list[str] = []
    used = counter.count(f"{head} (the last {len(turns)}):\n")
    for turn in turns:
        line = first_sentence(f"{turn.prefix} {turn.text}")
        used += counter.count(f"  - {line}\n")
        if used > budget and lines:
            break
        lines.append(line)
    shown = "" if len(lines) == len(turns) else f" (the last {len(lines)} of them)"
    refs = dict.fromkeys(ref for turn in turns for ref in turn.refs)
    listed = "\n".join(f"- {line}" for line in reversed(lines))
    return Candidate(
        type=ItemType.CONDENSED,
        text=f"{head}{shown}:\n{listed}",
        refs=tuple(refs)[:MAX_REFS],
        occurred_at=turns[-1].occurred_at,
        sensitivity=max(turn.sensitivity for turn in turns),
        is_derived=True,
        agent_id=turns[0].agent_id,
    )


def first_sentence(text: str) -> str:
    """The beginning of a text, in one line of 98 characters at most."""
    text = one_line(text[: 8 * _MAX_CHARACTERS])
    sentence = _SENTENCE.match(text)
    if sentence:
        return sentence[0]
    if len(text) <= _MAX_CHARACTERS:
        return text
    space = text.rfind(" ", _MAX_CHARACTERS // 2, _MAX_CHARACTERS)
    end = space if space >= 0 else _MAX_CHARACTERS
    return text[: border_at_or_before(text, end, 0)].rstrip() + _CUT
