"""Claude Code: a JSON object on each line, with a `uuid`; a message has the form of Anthropic's API."""

from collections.abc import Iterator

from camillo_server.hooks.transcripts.entries import Entry, Kind, Line, parts, string, text_of

# What Claude Code itself puts into the role of the user: commands of its own and what they print, and its reminders.
OWN = (
    "<command-name>",
    "<command-message>",
    "<local-command-",
    "<bash-stdout>",
    "<system-reminder>",
    "[Request interrupted",
)


def read_line(line: Line, place: str) -> Iterator[Entry]:
    """The entries of one line: none of what the client wrote itself, summaries of a compaction and sub-agents' messages."""
    message = line.get("message")
    if line.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return
    if line.get("isMeta") or line.get("isCompactSummary") or line.get("isSidechain"):
        return
    key = string(line.get("uuid")) or place
    time = string(line.get("timestamp"))
    for number, part in enumerate(parts(message.get("content"))):
        name = f"{key}:{number}"
        match part.get("type"):
            case "text":
                kind: Kind = "user" if line["type"] == "user" else "assistant"
                text = string(part.get("text"))
                if kind == "assistant" or not text.lstrip().startswith(OWN):
                    yield Entry(name, kind, text, occurred_at=time)
            case "tool_use":
                yield Entry(
                    name,
                    "call",
                    tool=string(part.get("name")),
                    call_id=string(part.get("id")),
                    arguments=part.get("input"),
                    occurred_at=time,
                )
            case "tool_result":
                yield Entry(
                    name,
                    "result",
                    text_of(part.get("content")),
                    call_id=string(part.get("tool_use_id")),
                    is_error=part.get("is_error") is True,
                    occurred_at=time,
                )
