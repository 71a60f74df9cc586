"""recall: memories found by a query, with how each score came about where that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from typer import BadParameter, Option

from camillo_cli.arguments import read_words, time_ago
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.format import SHARED, age_of, field_text
from camillo_cli.memories import FilterOptions, said_by, short_tags
from camillo_cli.options import (
    LinkMode,
    Profile,
    ShownIn,
    Source,
    SpeechMode,
    TimeMode,
    Words,
    literal,
    words,
)
from camillo_cli.output import note, print_message, print_notes
from camillo_cli.tables import Column, show_items

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import ArmScore, DegradedReason, RecallHit, ScoreBreakdown
    from camillo.v1.memory_service_pb2 import RecallResponse
    from camillo.v1.recall_pb2 import RecallContext, TimeWindow

FOUR_SOURCES = (Source.MEMORY, Source.AUDIT, Source.WORKFLOW_STEP, Source.DOCUMENT)
KINDS_OF_SPACES = ("agents", "users", "projects", "teams", "shared")
DEGRADED = {
    "embedding_unavailable": "the embedding provider failed: this was found by keywords alone",
    "vectors_pending": "some memories have no vector yet: those are found by keywords alone",
    "sealed_not_searched": "encrypted texts are searched once the space is in memory: ask again",
    "storage_unavailable": "Postgres is unavailable: answered from memory, as of its last revision",
    "vector_search_unavailable": "vectors cannot be searched in Postgres: this was found by keywords alone",
    "rerank_timeout": "the reranker took longer than its time budget: the order is that without it",
    "rerank_unavailable": "there is no reranker, or it failed (reranking.provider): the order is that without it",
}


def recall(
    client: ClientOptions,
    filters: FilterOptions,
    query: Annotated[Words, words("What to look for")] = None,
    limit: Annotated[int, Option(min=1, max=200, help="At most this many hits.")] = 5,
    profile: Annotated[Profile, Option(help="How hits are scored and ordered.")] = Profile.RELEVANCE,
    explain: Annotated[bool, Option("--explain", help="Show how each score came about.")] = False,
    min_score: Annotated[float, Option(help="Leave out hits with a lower score.")] = 0.0,
    max_tokens: Annotated[int, Option(min=0, help="At most this many tokens in all hits; 0: no limit.")] = 0,
    source: Annotated[list[Source] | None, Option(help="Records to search; may be repeated. Default: memory.")] = None,
    shared: Annotated[bool, Option("--shared", help="Look in the tenant's shared space for each source, too.")] = False,
    read_space: Annotated[
        list[str] | None,
        Option(metavar="PATH", help="Search this space, too: users/42, projects/shop; may be repeated."),
    ] = None,
    space_weight: Annotated[
        list[str] | None,
        Option(
            metavar="KIND=WEIGHT",
            help="How much hits of agents, users, projects, teams or shared count: shared=0.8; may be repeated.",
        ),
    ] = None,
    everywhere: Annotated[
        bool,
        Option(
            "--everywhere",
            help="Search memories, audit entries, workflow steps and documents, by the profile blended.",
        ),
    ] = False,
    channel: ShownIn = None,
    as_of: Annotated[
        datetime | None,
        Option(
            parser=time_ago,
            metavar="TIME",
            help="What was true then: 2026-01-31, or 30d. Default: what is true now.",
        ),
    ] = None,
    known_at: Annotated[
        datetime | None,
        Option(
            parser=time_ago,
            metavar="TIME",
            help="What was known then: 2026-01-31, or 30d. Default: what is known now.",
        ),
    ] = None,
    masked: Annotated[bool, Option("--masked", help="Mask personal data, by the rules of the server.")] = False,
    precise: Annotated[bool, Option("--precise", help="End where the scores fall off, before the limit.")] = False,
    context_session: Annotated[str, Option(help="Prefer what is of this session: the conversation that goes on.")] = "",
    context_tag: Annotated[list[str] | None, Option(help="Prefer what has this tag; may be repeated.")] = None,
    turn: Annotated[list[str] | None, Option(help="Prefer what resembles this turn; may be repeated.")] = None,
    link_mode: Annotated[
        LinkMode, Option(help="Whether to find also what the best hits are linked with.")
    ] = LinkMode.FOLLOW,
    speech_mode: Annotated[
        SpeechMode,
        Option(help="Whether scores count who speaks, and whether it is a question."),
    ] = SpeechMode.PREFER,
    time_mode: Annotated[
        TimeMode,
        Option(help="What a time in the query does: prefer what happened then, nothing, or leave out all else."),
    ] = TimeMode.PREFER,
    query_time: Annotated[
        datetime | None,
        Option(
            parser=time_ago,
            metavar="TIME",
            help='From when "yesterday" counts: 2026-01-31, or 2h for two hours ago. Default: now.',
        ),
    ] = None,
    time_zone: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="Where its days begin and end: Australia/Sydney, or +11:00. Default: this machine's.",
        ),
    ] = None,
    rerank: Annotated[
        bool, Option("--rerank", help="Read the best candidates again with the server's reranker.")
    ] = False,
) -> None:
    """Find the memories that answer a query best, by keyword and by meaning.

    Example: camillo recall "what does Ada drink?" --limit 3 --explain

    Example: camillo recall "what does Ada drink?" --rerank
    """
    text = read_words(query)
    if everywhere and source:
        raise BadParameter("give --everywhere or --source, not both")
    sources = FOUR_SOURCES if everywhere else source or ()
    options: dict[str, Any] = {
        "sources": sources,
        "channel": channel,
        "include_shared": shared,
        "spaces": read_space or (),
        "space_weights": _space_weights(space_weight or ()),
    }
    if precise:
        options["mode"] = "precise"
    if context_session or context_tag or turn:
        options["context"] = recall_context(context_session, context_tag or (), turn or ())
    with connected(client) as camillo:
        answer = camillo.recall(
            text,
            filter=filters.message(),
            limit=limit,
            profile=(Profile.BLENDED if everywhere else profile).value,
            explain=explain,
            min_score=min_score,
            max_tokens=max_tokens,
            masked=masked,
            as_of=as_of,
            known_at=known_at,
            link_mode=literal(link_mode),
            speech_mode=literal(speech_mode),
            time_mode=literal(time_mode),
            query_time=query_time,
            time_zone=time_zone,
            rerank=rerank,
            **options,
        ).message
    print_notes(degraded_notes(answer.degraded))
    if client.as_json:
        print_message(answer)
        return
    if answer.hits:
        show_hits(answer, explained=explain)
    if answer.source_bests:
        note("the best of each source:")
        show_items(answer.source_bests, [SCORE, SOURCE, *ABOUT, ID_LAST, CONTENT], lines=1)
    for hit in answer.hits:
        for memory in hit.history:
            note(f"before {hit.memory.memory_id}: {memory.content}")
    for memory in answer.left_out:
        note(f"left out: {memory.memory_id} is stale since its source {memory.stale.source_ref} changed")
    if answer.beside_the_point:
        note(f"{answer.beside_the_point} more are less to the point than the best: shown without --precise")
    if answer.no_match:
        note(no_match(answer))


def _space_weights(stated: Iterable[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for each in stated:
        kind, _, weight = each.partition("=")
        if kind not in KINDS_OF_SPACES:
            raise BadParameter(f"a weight is that of {', '.join(KINDS_OF_SPACES)}: shared=0.8")
        try:
            weights[kind] = float(weight)
        except ValueError:
            raise BadParameter(f"the weight of {kind} is a number from 0 to 1") from None
    return weights


def recall_context(session_id: str, tags: Sequence[str], turns: Sequence[str]) -> RecallContext:
    """The context of a recall."""
    from camillo.v1.recall_pb2 import RecallContext

    return RecallContext(session_id=session_id, tags=tags, turns=turns)


def show_hits(answer: RecallResponse, *, explained: bool, always_drawn: bool = False) -> None:
    """Prints the hits, best first; explained ones with their scores, and the weights of their parts below."""
    columns = [SCORE, *_explanation(answer.hits), *ABOUT, ID_LAST] if explained else [ID, *ABOUT]
    if len({hit.source for hit in answer.hits}) > 1:
        columns.append(SOURCE)
    if answer.spaces:
        columns += [SPACE, BY]
    columns += [CITED, CONTENT] if any(map(citation, answer.hits)) else [CONTENT]
    show_items(answer.hits, columns, lines=3, always_drawn=always_drawn)
    if explained and answer.HasField("time_window"):
        note(time_named(answer.time_window))
    if explained and answer.hits:
        note(_weights(answer.hits[0].breakdown))
        scores = [hit.score for hit in answer.hits]
        if scores != sorted(scores, reverse=True):
            note(OTHER_ORDER)


def citation(hit: RecallHit) -> str:
    """The document of a passage with its headings and its version; empty for what is of no document."""
    if not hit.HasField("chunk") or not hit.chunk.HasField("citation"):
        return ""
    cited = hit.chunk.citation
    path = " > ".join(filter(None, (cited.name, cited.heading)))
    return f"{path} @{cited.version}"


def time_named(window: TimeWindow) -> str:
    """The time that the query names."""
    begin, end = (field_text(window, name) if window.HasField(name) else "..." for name in ("from", "until"))
    if not window.HasField("anchor"):
        return f'time: "{window.text}" is {begin} to {end}'
    anchor = window.anchor
    if not anchor.id:
        return f'time: not certain when "{anchor.text}" was (best score {anchor.score:.3f})'
    return f'time: "{window.text}" is {begin} to {end}, by {anchor.id} (score {anchor.score:.3f})'


def no_match(answer: RecallResponse) -> str:
    """Says that there is probably no answer."""
    found = "none of these is likely to answer the query" if answer.hits else "nothing found"
    return f"no match: {found}"


def degraded_notes(degraded: Iterable[DegradedReason]) -> list[str]:
    """Why an answer is less good than it could be."""
    from camillo.v1.memory_pb2 import DegradedReason
    from camillo_client import enum_name

    names = [enum_name(DegradedReason, reason) for reason in degraded]
    return [DEGRADED.get(name, name) for name in names]


def _explanation(hits: Sequence[RecallHit]) -> list[Column]:
    """The parts of a score. A terminal of 100 columns has room for all of them beside a text.

    On a narrower one, a boost stands for the recency and importance in it; where nothing is boosted, these enter
    the score themselves, and the similarity stands for its parts.
    """
    has_time = any(hit.breakdown.temporal_weight for hit in hits)
    has_boost = any(hit.breakdown.boost for hit in hits)
    part = partial(Column, style="cyan", right=True)
    columns = [part("time", "breakdown.temporal")] if has_time else []
    return [
        *columns,
        part("dense", lambda hit: _arm(hit.breakdown, "dense")),
        part("lexical", lambda hit: _arm(hit.breakdown, "lexical")),
        part("simil.", "breakdown.similarity"),
        part("recent", "breakdown.recency", optional=has_boost),
        part("imp.", "breakdown.importance", optional=has_boost),
        part("near", "breakdown.neighbourhood", optional=not has_boost),
        part("brief", "breakdown.brevity", optional=not has_boost),
        *([part("linked", "breakdown.linked")] if any(hit.breakdown.linked for hit in hits) else []),
        *([part("said", _speech)] if any(hit.breakdown.HasField("speech") for hit in hits) else ()),
        *([part("rerank", _reranked)] if any(map(_is_reranked, hits)) else ()),
        *([part("space", _space_weight)] if any(0 < hit.breakdown.space_weight < 1 for hit in hits) else ()),
        part("boost", lambda hit: f"{hit.breakdown.boost:+.3f}", optional=not has_boost),
    ]


def _arm(breakdown: ScoreBreakdown, name: str) -> str:
    # The normalised score of the arm, which is what enters the sum; no score where the arm did not find the hit.
    score: ArmScore = getattr(breakdown, name)
    return f"{score.normalized:.2f}" if breakdown.HasField(name) else "-"


def _is_reranked(hit: RecallHit) -> bool:
    return hit.breakdown.HasField("rerank")


def _reranked(hit: RecallHit) -> str:
    return f"{hit.breakdown.rerank:.2f}" if _is_reranked(hit) else "-"


def _space_weight(hit: RecallHit) -> str:
    return f"{hit.breakdown.space_weight:.2f}"


def _speech(hit: RecallHit) -> str:
    """The score as something said, and why: it is said by one who is named, asks, or replies."""
    speech = hit.breakdown.speech
    marks = ((speech.is_named, "n"), (speech.asks, "?"), (speech.replies, "r"))
    return f"{speech.score:.2f}{''.join(mark for is_so, mark in marks if is_so)}"


def _weights(breakdown: ScoreBreakdown) -> str:
    """The weights of the parts of the similarity, which are the same for all hits of an answer."""
    names = ["dense", "lexical", "neighbour", "brevity"]
    if breakdown.linked_weight:
        names.append("linked")
    if breakdown.temporal_weight:
        names.append("temporal")
    if breakdown.rerank_weight:
        names.append("rerank")
    weights = [f"{name} {getattr(breakdown, f'{name}_weight'):.2f}" for name in names]
    if breakdown.speech.weight:
        weights.append(f"said {breakdown.speech.weight:.2f}")
    return f"weights: {', '.join(weights)}"


def _item(hit: RecallHit) -> Any:
    return hit.chunk if hit.HasField("chunk") else hit.memory


def _kind(hit: RecallHit) -> str:
    if not hit.HasField("chunk"):
        return field_text(hit, "memory.kind")
    return field_text(hit, "chunk.event_kind" if hit.chunk.event_kind else "chunk.source")


def author(hit: RecallHit) -> str:
    """Who wrote a hit: a person's name, or another actor with its type; empty if nobody knows, or it is the agent
    whose space it is in."""
    item = _item(hit)
    if not item.actor.id or item.actor.id == item.agent_id:
        return ""
    kind = field_text(item, "actor.type")
    return item.actor.id if kind == "human" else f"{kind}:{item.actor.id}"


# A table whose first column goes up and down looks broken.
OTHER_ORDER = "hits are in the order of order_score (shown by --json), not of score, which judges each hit by itself"
ID = Column("id", lambda hit: hit.chunk.origin_id or hit.memory.memory_id, style="dim")
# Beside scores, a terminal has seldom room for it.
ID_LAST = replace(ID, optional=True)
SCORE = Column("score", lambda hit: f"{hit.score:.3f}", style="bold", right=True)
ABOUT = (
    Column("age", lambda hit: age_of(_item(hit).occurred_at), right=True, optional=True),
    Column("tags", lambda hit: short_tags(_item(hit)), style="green", optional=True),
    Column("kind", _kind, optional=True),
    Column("said by", lambda hit: said_by(_item(hit)), optional=True),
)
SPACE = Column("space", lambda hit: _item(hit).agent_id or SHARED)
BY = Column("by", author, optional=True)
SOURCE = Column("source", lambda hit: field_text(hit, "source"))
CITED = Column("cited", citation, style="blue")
CONTENT = Column("content", lambda hit: hit.chunk.text or hit.memory.content)
