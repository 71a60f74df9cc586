"""Cursor: lines of `{"role", "message": {"content": [...]}}`, without ids and, so far as is known, without outputs of tools."""

from collections.abc import Iterator

from camillo_server.hooks.transcripts.entries import Entry, Line, parts, string, text_of

# Cursor puts what the person wrote between these, beside what it adds itself.
BEGIN, END = "<user_query>", "</user_query>"


def read_line(line: Line, place: str) -> Iterator[Entry]:
    """The entries of one line. The place of the line names them."""
    role = line.get("role")
    message = line.get("message")
    if role not in ("user", "assistant"):
        return
    content = message.get("content") if isinstance(message, dict) else line.get("content")
    for number, part in enumerate(parts(content)):
        name = f"{place}:{number}"
        match part.get("type"):
            case "text":
                text = string(part.get("text"))
                text = _query(text) if role == "user" else text
                yield Entry(name, "user" if role == "user" else "assistant", text)
            case "tool_use":
                yield Entry(
                    name,
                    "call",
                    tool=string(part.get("name")),
                    call_id=string(part.get("id")),
                    arguments=part.get("input"),
                )
            case "tool_result":
                yield Entry(
                    name,
                    "result",
                    text_of(part.get("content")),
                    call_id=string(part.get("tool_use_id")),
                    is_error=part.get("is_error") is True,
                )


def _query(text: str) -> str:
    begin, end = text.find(BEGIN), text.rfind(END)
    return text[begin + len(BEGIN) : end].strip() if 0 <= begin < end else text
