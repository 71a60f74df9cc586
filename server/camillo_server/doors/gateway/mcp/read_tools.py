"""read: an artifact by lines, matches or pages; a memory, an event, a decision or a document by its id; a slot by its
key."""

import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from camillo.v1.artifact_pb2 import ArtifactRange, LineRange
from camillo.v1.artifact_service_pb2 import ReadArtifactPageRequest, SearchArtifactRequest
from camillo.v1.decision_service_pb2 import GetDecisionRequest
from camillo.v1.event_service_pb2 import GetEventRequest
from camillo.v1.knowledge_service_pb2 import GetDocumentRequest
from camillo.v1.memory_service_pb2 import GetMemoryRequest
from camillo.v1.slot_service_pb2 import GetSlotRequest
from camillo_formats.fences import fenced
from camillo_formats.rendering import printable
from google.protobuf import json_format
from google.protobuf.message import Message

from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed, MemoryCalls
from camillo_server.doors.gateway.mcp.context_tools import decision_entry
from camillo_server.doors.gateway.mcp.rendering import FENCE_TOKENS, MAX_TOKENS, budget, shortened
from camillo_server.doors.gateway.mcp.tool import Arguments, ToolAnswer, ToolRefused, is_uuid
from camillo_server.kernel.scope import SHARED
from camillo_server.lib.text.memory_ref import artifact_id_of
from camillo_server.lib.text.tokens import ESTIMATE

READ_TOKENS = 1_500
# More than the longest answer takes in any script.
MAX_DOCUMENT_BYTES = 8 * MAX_TOKENS
_MATCH_CONTEXT = 2
_MAX_MATCHES = 200
_LINES = re.compile(r"(\d{1,15})(?:\s*[-:]\s*(\d{1,15})?)?")


async def read(calls: MemoryCalls, arguments: Arguments) -> ToolAnswer:
    """Reads what a ref stands for, and shows it in a fence."""
    ref = artifact_id_of(arguments["ref"].strip())
    max_tokens = budget(arguments, READ_TOKENS) - FENCE_TOKENS
    if is_record(ref):
        return _answer(await shortened(await whole_text(calls, ref), max_tokens))
    if "grep" in arguments:
        return await _matches(calls, ref, arguments["grep"], max_tokens)
    first = _Page(max_tokens, arguments.get("lines", ""))
    page = _page_named(arguments["page"]) if arguments.get("page") else first
    return await artifact_page(calls, ref, page)


@dataclass(frozen=True, slots=True)
class _Page:
    """A request for a page. The server requires that all but the token is the same as for the page before."""

    max_tokens: int
    lines: str = ""
    token: str = ""

    def name(self, token: str) -> str:
        """The name by which a model asks for the next page."""
        return f"{self.max_tokens}~{self.lines}~{token}"


def first_page(max_tokens: int) -> _Page:
    """The first page of all, of an answer of this size."""
    return _Page(max_tokens - FENCE_TOKENS)


def _page_named(name: str) -> _Page:
    tokens, _, rest = name.partition("~")
    lines, separator, token = rest.partition("~")
    if not (separator and tokens.isdecimal() and int(tokens) <= MAX_TOKENS):
        raise ToolRefused("INVALID_ARGUMENTS", "page must be the `next` of the answer before")
    return _Page(int(tokens), lines, token)


def page_or_first(arguments: Arguments) -> _Page:
    """The page that the arguments name, else the first one. Raises ToolRefused."""
    name = arguments.get("page", "")
    return _page_named(name) if name else first_page(READ_TOKENS)


async def artifact_page(calls: MemoryCalls, artifact_id: str, page: _Page) -> ToolAnswer:
    """A page of an artifact, with what asks for the next one."""
    request = ReadArtifactPageRequest(
        artifact_id=artifact_id, max_tokens=max(16, page.max_tokens), page_token=page.token
    )
    if page.lines:
        request.range.CopyFrom(ArtifactRange(lines=_line_range(page.lines)))
    answer = await calls.call(request)
    following = page.name(answer.next_page_token) if answer.next_page_token else ""
    note = f"lines {answer.first_line} to {answer.last_line}"
    if following:
        note += f"; for more: page={following}"
    return _answer(answer.text, note, following)


def is_record(ref: str) -> bool:
    """Whether it is read as a whole: the id of a record, or the key of a slot."""
    return ref.startswith("/") or is_uuid(ref)


async def whole_text(calls: MemoryCalls, ref: str) -> str:
    """The text of a memory, an event, a decision, a document or a slot. Raises MemoryCallFailed, ToolRefused."""
    if ref.startswith("/"):
        return await _slot_content(calls, ref)
    refused: MemoryCallFailed | None = None
    for request, text in _RECORDS:
        try:
            return text(await calls.call(request(ref)))
        except MemoryCallFailed as error:
            # A key that is bound to a channel may not ask for memories by their ids, but for the others.
            if error.reason == "SCOPE_FORBIDDEN":
                refused = error
            elif error.code != "NOT_FOUND":
                raise
    if refused is not None:
        raise refused
    for space in dict.fromkeys((calls.person or SHARED, SHARED)):
        try:
            elsewhere = GetMemoryRequest(memory_id=ref, agent_id=space)
            return str((await calls.call(elsewhere)).memory.content)
        except MemoryCallFailed as error:
            # The key of one agent reads no memory of the shared space by its id.
            if error.reason != "SCOPE_FORBIDDEN" and error.code != "NOT_FOUND":
                raise
    raise ToolRefused(
        "NOT_FOUND",
        f"{ref} is no memory, event, decision or document of this agent; recall shows memories that agents share whole",
    )


async def _slot_content(calls: MemoryCalls, key: str) -> str:
    """The content under a key: the agent's, or else the one of the whole tenant."""
    try:
        answer = await calls.call(GetSlotRequest(key=key))
    except MemoryCallFailed as error:
        if error.reason != "SLOT_NOT_FOUND":
            raise
        try:
            answer = await calls.call(GetSlotRequest(key=key, shared=True))
        except MemoryCallFailed:
            raise error from None
    return str(answer.slot.json_content)


async def _matches(calls: MemoryCalls, artifact_id: str, pattern: str, max_tokens: int) -> ToolAnswer:
    request = SearchArtifactRequest(
        artifact_id=artifact_id,
        regex=pattern,
        ignore_case=True,
        before=_MATCH_CONTEXT,
        after=_MATCH_CONTEXT,
        limit=_MAX_MATCHES,
    )
    lines: dict[int, str] = {}
    found, left_out, left, is_cut = 0, 0, max_tokens, False
    messages: AsyncGenerator[Any] = calls.stream(request)
    async with aclosing(messages):
        async for message in messages:
            is_cut |= message.limit_reached
            for match in message.matches:
                around = [*match.before, match.line, *match.after]
                new = {each.number: each.text for each in around}
                fresh = [f"{each}:{new[each]}" for each in new.keys() - lines.keys()]
                # Beside the lines, two for what separates them.
                cost = ESTIMATE.count("\n".join(fresh)) + 2
                if cost > left and lines:
                    left_out += 1
                    continue
                left -= cost
                lines.update(new)
                found += 1
    note = f"{found} matching lines" + (f", {left_out} more did not fit" if left_out else "")
    if is_cut:
        note += f"; the search ended after {_MAX_MATCHES} matches: ask for fewer"
    if not lines:
        return ToolAnswer("no line matches", {"text": "no line matches"})
    return _answer(await shortened("\n".join(_numbered(lines)), max_tokens), note)


def _numbered(lines: dict[int, str]) -> list[str]:
    numbers = sorted(lines)
    shown = list[str]()
    for before, number in zip([None, *numbers], numbers, strict=False):
        if before is not None and number > before + 1:
            shown.append("--")
        shown.append(f"{number}:{lines[number]}")
    return shown


def _answer(text: str, note: str = "", following: str = "") -> ToolAnswer:
    shown = "\n".join(filter(None, [fenced(printable(text)), note]))
    return ToolAnswer(shown, {"text": shown, **({"next": following} if following else {})})


def _line_range(lines: str) -> LineRange:
    parsed = _LINES.fullmatch(lines.strip())
    if parsed is None:
        raise ToolRefused("INVALID_ARGUMENTS", "lines must be like 10-40, 10- or 10")
    first, last = int(parsed[1]), parsed[2]
    is_open = last is None and not lines.strip().isdigit()
    return LineRange(first=first, last=0 if is_open else int(last or first))


def _event_text(stated: Any) -> str:
    match stated.WhichOneof("content"):
        case "text":
            text: str = stated.text
            return text
        case "tool_result":
            result = stated.tool_result
            whole = f"\n[MemoryRef: {result.artifact_id}]" if result.artifact_id else ""
            return f"{result.excerpt_text}{whole}"
        case name:
            return json_format.MessageToJson(getattr(stated, str(name)), ensure_ascii=False)


# How a record is asked for by its id, and its text in the answer.
_RECORDS: Sequence[tuple[Callable[[str], Message], Callable[[Any], str]]] = (
    (lambda ref: GetMemoryRequest(memory_id=ref), lambda answer: answer.memory.content),
    (lambda ref: GetEventRequest(event_id=ref), lambda answer: _event_text(answer.event.stated)),
    (
        lambda ref: GetDecisionRequest(decision_id=ref),
        lambda answer: decision_entry(answer.decision).text,
    ),
    (
        lambda ref: GetDocumentRequest(document_id=ref, byte_until=MAX_DOCUMENT_BYTES),
        lambda answer: answer.text,
    ),
)
