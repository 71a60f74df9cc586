"""Redaction: secrets are taken out of what a caller writes before anything is made of it or stored. Texts are cut so
that what is left of a secret is still known for one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Protocol, TypeVar

from camillo_formats.characters import border_at_or_before
from camillo_formats.terminal_sequences import (
    has_terminal_sequences,
    without_terminal_sequences,
)

from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS, ROW, TimeSlices, off_loop
from camillo_server.lib.redaction.detector import Secret, SecretDetector

# So much of the beginning of a key names it, and so much of its end tells what its values are: each of them is looked
# at together with it, and a key may be as long as the object.
NAMED_CHARACTERS, TELLING_CHARACTERS = 40, 128
# The fields of a memory or an artifact that hold what a caller wrote.
TEXTS = ("content", "name", "description", "media_type", "tool", "command", "session_id", "actor")
LISTS, OBJECTS = ("tags", "source_refs"), ("metadata", "meta", "provenance")
# Drafts of about this cost are looked at together.
TOGETHER_COST = MAX_LOOP_CHARACTERS / 2


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A secret that was taken out: its kind, and where its placeholder is in the text that is left, in characters."""

    kind: str
    offset: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """A secret that was taken out of one field: `content`, `tags[0]`, `metadata.url`, or `metadata key`."""

    field: str
    kind: str
    offset: int


def placeholder(kind: str, length: int) -> str:
    """The text in the place of a secret: as much of it as fits, so that no text grows beyond its limit."""
    for text in (f"[redacted: {kind}]", "[redacted]"):
        if len(text) <= length:
            return text
    return "*" * length


class Redactor:
    """Takes secrets out of texts, by the rules that come with the server."""

    def __init__(self) -> None:
        self._detector = SecretDetector()

    def redact(self, text: str) -> tuple[str, Sequence[FoundSecret]]:
        """The text with a placeholder for each secret, never longer than it was, and what was taken out. Escape
        sequences of terminals go first: one may stand within a secret."""
        if "\x1b" in text or not text.isascii():
            text = without_terminal_sequences(text)
        encoded = text.encode()
        secrets = self._detector.find(encoded)
        if not secrets:
            return text, []
        parts, found, end, length = list[str](), list[FoundSecret](), 0, 0
        for secret in secrets:
            before = encoded[end : secret.start].decode()
            hidden = encoded[secret.start : secret.end].decode()
            mark = placeholder(secret.kind, len(hidden))
            found.append(FoundSecret(secret.kind, length + len(before)))
            parts += (before, mark)
            length += len(before) + len(mark)
            end = secret.end
        parts.append(encoded[end:].decode())
        return "".join(parts), found

    def may_redact(self, texts: Iterable[str]) -> bool:
        """Whether `redact` may change any of them; costs a part of it."""
        joined = "\n".join(texts)
        if ("\x1b" in joined or not joined.isascii()) and has_terminal_sequences(joined):
            return True
        return self._detector.may_find(joined.encode())

    def secrets(self, text: bytes) -> Sequence[Secret]:
        """Where secrets are in UTF-8, in order."""
        return self._detector.find(text)


class FieldRedaction:
    """Cleans what it is given and keeps the list of what it took out."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.redactions: list[Redaction] = []
        # Also where escape sequences of terminals alone went.
        self.has_changed = False

    def text(self, field: str, text: str) -> str:
        """One text."""
        left, found = self._redactor.redact(text)
        self.has_changed = self.has_changed or left is not text
        self.redactions += [Redaction(field, each.kind, each.offset) for each in found]
        return left

    def texts(self, field: str, texts: Sequence[str]) -> tuple[str, ...]:
        """A list of them, all kept."""
        return tuple(self.text(f"{field}[{index}]", text) for index, text in enumerate(texts))

    def text_or_texts(self, field: str, value: str | Sequence[str]) -> str | tuple[str, ...]:
        return self.text(field, value) if isinstance(value, str) else self.texts(field, value)

    def tags(self, field: str, tags: Sequence[str]) -> tuple[str, ...]:
        """A list of tags; two that differed by their secrets alone become one."""
        return tuple(dict.fromkeys(self.texts(field, tags)))

    def json(self, field: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """A JSON object. A text is looked at together with its key, which often tells what it is."""
        return self._json(field, value) if self._redactor.may_redact(_keyed(value)) else dict(value)

    def _json(self, field: str, value: Mapping[str, Any]) -> dict[str, Any]:
        cleaned: dict[str, Any] = {}
        repeats = Counter[str]()
        for key, each in value.items():
            left = name = self.text(f"{field} key", key)
            # Two keys may differ by their secrets alone: none of their values is to be lost.
            while name in cleaned:
                repeats[left] += 1
                name = f"{left} {repeats[left] + 1}"
            path = f"{field}.{name[:NAMED_CHARACTERS]}"
            cleaned[name] = self._value(path, key[-TELLING_CHARACTERS:], each)
        return cleaned

    def _value(self, field: str, key: str, value: object) -> object:
        if isinstance(value, str):
            return self._keyed_text(field, key, value)
        if isinstance(value, Mapping):
            return self._json(field, value)
        if isinstance(value, list | tuple):
            return [self._value(f"{field}[{index}]", key, each) for index, each in enumerate(value)]
        return value

    def _keyed_text(self, field: str, key: str, text: str) -> str:
        before = f"{key}: "
        left, found = self._redactor.redact(looked := before + text)
        if not left.startswith(before):
            # The key itself was taken for one: then the text is looked at alone.
            return self.text(field, text)
        self.has_changed = self.has_changed or left is not looked
        self.redactions += [Redaction(field, each.kind, each.offset - len(before)) for each in found]
        return left[len(before) :]


def _keyed(value: object, key: str = "") -> Iterator[str]:
    """All texts of a JSON value as they are looked at."""
    if isinstance(value, str):
        yield f"{key}: {value}"
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from _keyed(each, name[-TELLING_CHARACTERS:])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _keyed(each, key)


class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]


# A draft that a caller states; it may have any of the redacted fields.
Draft = TypeVar("Draft", bound=_Dataclass)


def redacted_draft(draft: Draft, redactor: Redactor, texts: Sequence[str] = ()) -> tuple[Draft, Sequence[Redaction]]:
    """The draft without secrets, and what was removed; `texts` are more fields, of a text or a list of texts."""
    names = (*texts, *TEXTS, *LISTS, *OBJECTS)
    written = {name: getattr(draft, name) for name in names if hasattr(draft, name)}
    values, redactions = redacted_values(written, redactor, texts)
    return (replace(draft, **values) if redactions or values != written else draft), redactions


async def redacted_draft_off_loop(
    draft: Draft, redactor: Redactor, texts: Sequence[str] = ()
) -> tuple[Draft, Sequence[Redaction]]:
    """Calls `redacted_draft`, in a thread if these fields are long."""
    return await off_loop(_cost(draft, texts), lambda: redacted_draft(draft, redactor, texts))


def _cost(draft: _Dataclass, texts: Sequence[str] = ()) -> float:
    names = (*texts, *TEXTS, *LISTS, *OBJECTS)
    characters = sum(_characters(getattr(draft, name, None)) for name in names)
    return ROW + characters


def _characters(value: object) -> int:
    match value:
        case str():
            return len(value)
        case Mapping():
            return sum(len(key) + _characters(each) for key, each in value.items())
        case list() | tuple():
            return sum(map(_characters, value))
    return 0


async def redacted_drafts(drafts: Sequence[Draft], redactor: Redactor) -> list[tuple[Draft, Sequence[Redaction]]]:
    """Redacts many drafts, in their order, in time slices. Looks at neighbours together, and one by one only if that
    shows that there may be a secret."""
    redacted, slices = list[tuple[Draft, Sequence[Redaction]]](), TimeSlices() if len(drafts) > 1 else None
    together, cost = list[tuple[Draft, Sequence[str]]](), 0.0
    for index, draft in enumerate(drafts, 1):
        texts = _texts_of(draft)
        together.append((draft, texts))
        cost += ROW + sum(map(len, texts))
        if cost >= TOGETHER_COST or index == len(drafts):
            work = partial(_redacted_together, together, redactor)
            redacted += await (off_loop(cost, work) if slices is None else slices.run(cost, work))
            together, cost = [], 0.0
    return redacted


def _redacted_together(
    drafts: Sequence[tuple[Draft, Sequence[str]]], redactor: Redactor
) -> list[tuple[Draft, Sequence[Redaction]]]:
    """Redacts drafts, each with its texts; halves them until only one is left where there may be a secret."""
    if not redactor.may_redact([text for _, texts in drafts for text in texts]):
        return [(draft, []) for draft, _ in drafts]
    if len(drafts) == 1:
        return [redacted_draft(drafts[0][0], redactor)]
    middle = len(drafts) // 2
    halves = drafts[:middle], drafts[middle:]
    return [each for half in halves for each in _redacted_together(half, redactor)]


def _texts_of(draft: _Dataclass) -> Sequence[str]:
    """All texts that `redacted_draft` looks at, as it does."""
    texts = [text for name in TEXTS if (text := getattr(draft, name, ""))]
    for name in LISTS:
        texts += getattr(draft, name, ())
    for name in OBJECTS:
        if value := getattr(draft, name, None):
            texts += _keyed(value)
    return texts


def redacted_values(
    values: Mapping[str, Any], redactor: Redactor, texts: Sequence[str] = ()
) -> tuple[dict[str, Any], Sequence[Redaction]]:
    """Redacts values by the names of their fields, whichever of them there are."""
    field = FieldRedaction(redactor)
    cleaned = dict(values)
    redactions_of = (
        (texts, field.text_or_texts),
        (TEXTS, field.text),
        (LISTS, field.tags),
        (OBJECTS, field.json),
    )
    for names, redact in redactions_of:
        for name in names:
            if name in values:
                cleaned[name] = redact(name, values[name])
    return cleaned, field.redactions


async def redacted_values_off_loop(
    values: Mapping[str, Any], redactor: Redactor
) -> tuple[dict[str, Any], Sequence[Redaction]]:
    """Calls `redacted_values`, in a thread if they are long."""
    return await off_loop(_characters(values), lambda: redacted_values(values, redactor))


# How far around the end is looked. A longer secret is found all the same where a part of it is one.
_REACH = 65_536
# Secrets so near to the end are taken out: what tells that they are secrets may stand behind it.
_CONTEXT = 1_000


def cut(text: str, limit: int, redactor: Redactor | None = None) -> str:
    """The first `limit` characters of a text that may hold secrets, fewer where its end would be a part of one.

    A secret at the end is replaced by a placeholder; one far before it stays, for whoever redacts what was cut.
    """
    text = without_terminal_sequences(text)
    if len(text) <= limit:
        return text
    first = max(0, limit - _REACH)
    encoded = text[first : limit + _REACH].encode("utf-8", "replace")
    parts, done = list[str](), 0
    for secret in (redactor or Redactor()).secrets(encoded):
        start, end = (first + len(encoded[:at].decode()) for at in (secret.start, secret.end))
        if end > limit - _CONTEXT and start < limit:
            parts += (text[done:start], placeholder(secret.kind, end - start))
            done = end
    text = "".join((*parts, text[done:]))
    return text[: border_at_or_before(text, limit, -1)]
