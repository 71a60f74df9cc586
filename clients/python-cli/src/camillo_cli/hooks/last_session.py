"""Text about the session before, for the start of a new one: from recorded events, by rules and without a model."""

import json
import re
from urllib.parse import urlencode

from camillo_cli.hooks.endpoint import Endpoint
from camillo_cli.hooks.http_call import get
from camillo_formats.rendering import one_line

# Tag of an event in which the person states a rule: a proposal, until somebody remembers it as an instruction.
RULE_TAG = "stated-rule"
EVENTS_READ = 200
RULES_READ = 20
LINE_CHARACTERS = 300
MAX_LINES = 5
DECIDED = re.compile(
    r"\b(?:we (?:decided|agreed|chose)|decision:|let's (?:go with|use|take)|i (?:decided|chose)|wir (?:haben "
    r"uns|nehmen)|entschieden|entscheidung:"
    r"|on a décidé|décision ?:|hemos decidido|decisión:|decidimos|abbiamo deciso)|决定|決定|решили|решение:",
    re.IGNORECASE,
)
OPEN = re.compile(
    r"\b(?:todo|to do|fixme|next steps?|still (?:open|missing|to do|need)|remains?|remaining|not yet|left to do|open "
    r"(?:question|point|end)s?"
    r"|noch (?:offen|nicht|zu tun)|als nächstes|fehlt noch|reste à|prochaine étape|pas encore|falta|pendiente|próximo "
    r"paso|ancora da)\b"
    r"|待办|下一步|尚未|残り|次は|осталось|следующий шаг|ещё не",
    re.IGNORECASE,
)
Event = dict[str, object]


def last_session(endpoint: Endpoint, session_id: str, seconds: float) -> str:
    """The text, empty where there was no other session. Raises ServerAway and HttpRefused."""
    events = _listed(endpoint, seconds, page_size=EVENTS_READ)
    others = [event for event in events if event.get("sessionId") not in (session_id, "", None)]
    rules = _rules(_listed(endpoint, seconds, page_size=RULES_READ, tag=RULE_TAG))
    parts = []
    if others:
        last = [event for event in others if event["sessionId"] == others[0]["sessionId"]]
        parts += _lines_of(last[::-1])
    if rules:
        parts += ["## Rules that the person stated in earlier sessions", *rules]
    return "\n".join(parts)


def _lines_of(events: list[Event]) -> list[str]:
    """The lines about a session; its events in their order."""
    asked = [text for event in events if (text := _text(event, "ACTOR_TYPE_HUMAN"))]
    answered = [text for event in events if (text := _text(event, "ACTOR_TYPE_AGENT"))]
    said = [*asked, *answered[-3:]]
    day = str(events[0].get("occurredAt", ""))[:10]
    lines = [f"## The session before this one {day}".rstrip()]
    if asked:
        lines.append(f"- It began with the person's words: {_line(asked[0])}")
    if len(asked) > 1:
        lines.append(f"- The person's last words in it: {_line(asked[-1])}")
    if answered:
        lines.append(f"- The agent's last words in it: {_line(answered[-1])}")
    lines += [f"- Decided: {_line(each)}" for each in _sentences(said, DECIDED)]
    lines += [f"- Left open: {_line(each)}" for each in _sentences(said, OPEN)]
    return lines if asked or answered else []


def _sentences(texts: list[str], pattern: re.Pattern[str]) -> list[str]:
    from camillo_cli.hooks.rules import SENTENCE

    found = [match[0].strip() for text in texts for match in SENTENCE.finditer(text[:20_000])]
    return list(dict.fromkeys(each for each in found if pattern.search(each)))[-MAX_LINES:]


def _rules(events: list[Event]) -> list[str]:
    from camillo_cli.hooks.rules import stated_rules

    found = [rule for event in events for rule in stated_rules(_text(event, "ACTOR_TYPE_HUMAN"))]
    return [f"- {_line(rule)}" for rule in dict.fromkeys(found)]


def _text(event: Event, actor_type: str) -> str:
    actor, text = event.get("actor"), event.get("text")
    is_theirs = isinstance(actor, dict) and actor.get("type") == actor_type
    return text if is_theirs and isinstance(text, str) else ""


def _line(text: str) -> str:
    """One line, within quotation marks: what was said cannot begin a line of its own."""
    words = one_line(text)
    cut = words if len(words) <= LINE_CHARACTERS else f"{words[:LINE_CHARACTERS]}..."
    return json.dumps(cut, ensure_ascii=False)


def _listed(endpoint: Endpoint, seconds: float, *, page_size: int, tag: str = "") -> list[Event]:
    query = {"page_size": str(page_size), "newest_first": "true"}
    if tag:
        query["filter.tags_any"] = tag
    answer = get(endpoint, f"/v1/events?{urlencode(query)}", seconds)
    found = answer.get("events")
    return [event["stated"] for event in found] if isinstance(found, list) else []
