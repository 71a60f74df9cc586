"""Records what a transcript tells as events, each once: what was sent before an interruption is sent again under the
same request id."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from camillo_cli.hooks import figures
from camillo_cli.hooks.endpoint import Endpoint, HookError
from camillo_cli.hooks.events import TranscriptEvents
from camillo_cli.hooks.http_call import HttpRefused, post
from camillo_cli.hooks.last_session import RULE_TAG
from camillo_cli.hooks.payload import HookPayload
from camillo_cli.hooks.recorded import recorded_events
from camillo_cli.hooks.rules import stated_rules
from camillo_cli.hooks.sessions import SessionFiles, TranscriptPosition, load, save
from camillo_cli.hooks.transcripts.entries import TranscriptEntry
from camillo_cli.hooks.transcripts.reading import (
    LineRead,
    digest_before,
    is_document,
    transcript_steps,
)
from camillo_formats.space_routing import space_of

CALL_SECONDS = 30.0
MAX_BATCH_ENTRIES = 100
MAX_BATCH_CHARACTERS = 1_000_000
# Status of a call that is refused as a whole because of one of its events.
BAD_REQUEST = 400
REUSED = "REQUEST_ID_REUSED"


@dataclass(slots=True)
class Batch:
    """Entries that are sent in one call, and where the transcript goes on."""

    end: int
    entries: list[TranscriptEntry] = field(default_factory=list)
    unreadable: int = 0
    characters: int = 0

    def add(self, step: LineRead) -> None:
        self.end = step.end
        self.entries += step.entries
        self.unreadable += step.is_unreadable
        for entry in step.entries:
            self.characters += len(entry.text) + len(str(entry.arguments or ""))

    def is_full(self, pending_end: int | None) -> bool:
        """Whether the batch ends here: where an interrupted batch ended, if there was one."""
        if pending_end is not None:
            return self.end >= pending_end
        return len(self.entries) >= MAX_BATCH_ENTRIES or self.characters >= MAX_BATCH_CHARACTERS


def record_transcript(
    client: str, payload: HookPayload, endpoint: Endpoint, environ: Mapping[str, str]
) -> Iterator[str]:
    """Records what is new in the transcript of a session, and yields lines about what of it could not be.

    Raises HookError, ServerAway, HttpRefused and OSError; what was not recorded by then is at the next time.
    """
    writer = TranscriptEvents(client, payload.session_id, endpoint, environ)
    try:
        if not payload.session_id or not payload.transcript_path:
            raise HookError("standard input names no session with a transcript: nothing is recorded")
        sessions = SessionFiles(environ)
        with sessions.locked(client, payload.session_id) as path:
            yield from _record(client, payload.transcript_path, path, writer)
        sessions.prune()
    except (HookError, OSError):
        figures.count(environ, client, figures.UNRECORDED)
        raise
    figures.count(environ, client, figures.RECORDED if writer.sent else figures.NOTHING)
    figures.prune(environ)


def _record(client: str, transcript: str, path: Path, writer: TranscriptEvents) -> Iterator[str]:
    position = _position(path, transcript)
    writer.tools = position.tools
    if position.offset == 0:
        # An import may have recorded it, or a hook whose file is lost.
        writer.recorded = recorded_events(writer.endpoint, writer.session_id, client)
    unreadable = refused = 0
    reason = ""
    for batch in _batches(transcript_steps(client, transcript, position.offset), position):
        unreadable += batch.unreadable
        entries = _new_entries(batch.entries, position)
        if entries:
            position.pending_end = batch.end
            save(path, position)
            failed = _send(writer, entries)
            refused += len(failed)
            reason = failed[0] if failed else reason
        position.keys += [_digest(entry.key) for entry in entries]
        position.offset, position.pending_end = batch.end, None
        position.digest = digest_before(transcript, position.offset)
        save(path, position)
    if unreadable:
        yield f"{unreadable} lines of the transcript could not be read"
    if refused:
        yield f"{refused} entries of the transcript were refused: {reason}"


def _position(path: Path, transcript: str) -> TranscriptPosition:
    position = load(path)
    if position.offset and not _is_same(transcript, position):
        # The file was emptied or replaced. Entries in it that were recorded before have the same keys.
        position.offset, position.pending_end = 0, None
    return position


def _is_same(transcript: str, position: TranscriptPosition) -> bool:
    """Whether the transcript still begins with what was read of it."""
    if not is_document(transcript) and os.path.getsize(transcript) < position.offset:
        return False
    # Positions of older versions have no digest.
    return position.digest in ("", digest_before(transcript, position.offset))


def _batches(steps: Iterator[LineRead], position: TranscriptPosition) -> Iterator[Batch]:
    batch = Batch(position.offset)
    is_empty = True
    for step in steps:
        batch.add(step)
        is_empty = False
        if batch.is_full(position.pending_end):
            yield batch
            batch = Batch(batch.end)
            is_empty = True
    if not is_empty:
        yield batch


def _new_entries(entries: list[TranscriptEntry], position: TranscriptPosition) -> list[TranscriptEntry]:
    """The entries that are not recorded, each key once, in their last form."""
    known = set(position.keys)
    by_key = {entry.key: entry for entry in entries if _digest(entry.key) not in known}
    return list(by_key.values())


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "replace")).hexdigest()[:16]


def _send(writer: TranscriptEvents, entries: list[TranscriptEntry]) -> list[str]:
    """Records entries; the reasons why some cannot be, now or later. Raises ServerAway and HttpRefused."""
    made = [(entry.key, writer.event(entry)) for entry in entries]
    events = [(key, event) for key, event in made if event is not None]
    if not events:
        return []
    try:
        return _post(writer, events)
    except HttpRefused as error:
        if error.status != BAD_REQUEST or len(events) == 1:
            raise
    # One event is wrong in a way that concerns the whole call: the others are recorded without it.
    failed: list[str] = []
    for pair in events:
        try:
            failed += _post(writer, [pair])
        except HttpRefused as error:
            if error.status != BAD_REQUEST:
                raise
            failed.append(str(error))
    return failed


def _post(writer: TranscriptEvents, events: list[tuple[str, dict[str, object]]]) -> list[str]:
    request: dict[str, object] = {
        "requestId": writer.request_id(*(key for key, _ in events)),
        "events": [event for _, event in events],
        # Leaves forgotten values out of a text, which would not be recorded at all otherwise.
        "omitForgotten": True,
    }
    try:
        answer = post(writer.endpoint, "/v1/events:batch", request, CALL_SECONDS)
    except HttpRefused as error:
        if error.reason == REUSED:
            return []  # recorded before, by a server that read some of it in another way
        raise
    results = answer.get("results")
    _remember_rules(writer, events, results if isinstance(results, list) else [])
    errors = [
        result["error"]
        for result in (results if isinstance(results, list) else [])
        if isinstance(result, dict) and isinstance(result.get("error"), dict)
    ]
    writer.sent += len(events) - len(errors)
    return [str(error.get("message")) for error in errors]


def _remember_rules(writer: TranscriptEvents, events: list[tuple[str, dict[str, object]]], results: list[Any]) -> None:
    """Keeps the rules that the person stated as instructions, where that is asked for; each has the event that it rests
    on."""
    if not writer.are_rules_kept:
        return
    memories: list[dict[str, object]] = []
    for (_, event), result in zip(events, results, strict=False):
        recorded = result.get("recorded") if isinstance(result, dict) else None
        event_id = recorded.get("eventId") if isinstance(recorded, dict) else None
        if RULE_TAG not in cast("list[str]", event["tags"]) or not event_id:
            continue
        memories += [
            {
                "content": rule,
                "kind": "MEMORY_KIND_INSTRUCTION",
                "sessionId": writer.session_id,
                "sourceRefs": [event_id],
                "tags": [RULE_TAG],
            }
            for rule in stated_rules(str(event.get("text")))
        ]
    if memories:
        ids = writer.request_id("rules", *(key for key, _ in events))
        request: dict[str, object] = {"requestId": ids, "memories": memories, "omitForgotten": True}
        if space := space_of("instruction", writer.endpoint.person):
            request["agentId"] = space
        post(writer.endpoint, "/v1/memories:batch", request, CALL_SECONDS)
