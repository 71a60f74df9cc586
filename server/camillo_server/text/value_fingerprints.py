"""Marks by which a value is known again however it is written: by case, look-alikes, invisible characters, white space
or punctuation. A paraphrase has other marks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from camillo_server.kernel.ids import TenantId
from camillo_server.text.folded_text import LINE_END, SENTENCE_END, folded, without_punctuation

# Shorter parts of a text say nothing of their own: "yes, please".
SHORTEST_PART = 12
# A value may be several sentences, or one that is wrapped over several lines.
LONGEST_RUN = 3
# Where a sentence ends, if there is a space behind it.
_SENTENCE_ENDS = ".!?:;"
# Where it ends in any case; where a quotation or a cell of a table does.
_ENDS = re.compile(
    '["(){}\\[\\]|\\t\u201c-\u201f\u00ab\u00bb\u300c-\u300f\u3002\u061f\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4\u0f0d]'
)
# With itself for what is none: a miss costs several times a hit.
_ASCII_ENDS = {code: SENTENCE_END if _ENDS.match(chr(code)) else chr(code) for code in range(128)}
_WITHOUT_ENDS = dict.fromkeys(map(ord, (LINE_END, SENTENCE_END)))
OF_DECISIONS = ("decision", "rationale", "constraints", "alternatives", "consequences")
OF_TASKS = ("title", "details", "goal", "plan_step", "constraints")
OF_PACKETS = ("goal", "plan_step", "note", "constraints")
OF_ARTIFACTS = ("name", "description", "command", "metadata")


def value_fingerprint(tenant_id: TenantId, text: str) -> bytes:
    """The mark of the whole text: 32 bytes."""
    return _marks(tenant_id, [_plain(text).translate(_WITHOUT_ENDS) or _bare(text)])[0]


def value_fingerprints(tenant_id: TenantId, text: str) -> Sequence[bytes]:
    """The mark of the whole text, then those of its lines, of its sentences, and of up to three sentences in a row.
    None for a text without characters."""
    if not text:
        return ()
    lines = [line.split(SENTENCE_END) for line in _plain(text).split(LINE_END)]
    pieces = [piece for line in lines for piece in line if piece]
    whole = "".join(pieces) or _bare(text)
    if len(pieces) <= 1:
        return _marks(tenant_id, [whole])
    long_lines = ("".join(line) for line in lines if len(line) > LONGEST_RUN)
    values = dict.fromkeys((whole, *(line for line in long_lines if len(line) >= SHORTEST_PART)))
    return tuple(dict.fromkeys((*_marks(tenant_id, values), *_run_marks(tenant_id, pieces))))


def line_fingerprints(tenant_id: TenantId, text: str) -> Sequence[bytes]:
    """The marks of the lines of a text that is too long to be one value; of short lines none."""
    lines = _plain(text).replace(SENTENCE_END, "").split(LINE_END)
    return _marks(tenant_id, {line for line in lines if len(line) >= SHORTEST_PART})


def _plain(text: str) -> str:
    """The text as it looks: of its punctuation only the ends of lines and sentences are left."""
    text = LINE_END.join(folded(text).splitlines())
    text = text.translate(_ASCII_ENDS) if text.isascii() else _ENDS.sub(SENTENCE_END, text)
    for end in _SENTENCE_ENDS:
        text = text.replace(end + " ", SENTENCE_END)
    return without_punctuation(text)


def _run_marks(tenant_id: TenantId, pieces: Sequence[str]) -> Iterator[bytes]:
    """Those of the pieces, and of up to three in a row: a longer one goes on where the shorter ended."""
    begun = sha256(_prefix(tenant_id))
    encoded = [(len(piece), _encoded(piece)) for piece in pieces]
    for place in range(len(encoded)):
        run, length = begun.copy(), 0
        for characters, data in encoded[place : place + LONGEST_RUN]:
            run.update(data)
            length += characters
            if length >= SHORTEST_PART:
                yield run.digest()


def _bare(text: str) -> str:
    """What is left of a text that is nothing but punctuation."""
    return "".join(text.split()) or text


def _marks(tenant_id: TenantId, values: Iterable[str]) -> tuple[bytes, ...]:
    prefix = _prefix(tenant_id)
    return tuple(sha256(prefix + _encoded(value)).digest() for value in values)


def _prefix(tenant_id: TenantId) -> bytes:
    return f"{tenant_id}\0".encode()


def _encoded(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def stated_in(values: Mapping[str, Any], path: str = "") -> Mapping[str, str]:
    """Those of the values, which are texts, lists of texts or flat objects; `path` stands before each field."""
    return {
        field: text for name, value in values.items() for field, text in _texts(path + name, value)
    }


def stated_by(draft: object, names: tuple[str, ...], path: str = "") -> Mapping[str, str]:
    """Those of these fields of a draft."""
    return stated_in({name: getattr(draft, name) for name in names}, path)


def _texts(field: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        yield from (
            (f"{field}.{key}", text) for key, text in value.items() if isinstance(text, str)
        )
        # By their numbers, from 0: a key may hold what may not be told.
        yield from ((f"{field}[{number}]", key) for number, key in enumerate(value))
    elif isinstance(value, list | tuple):
        yield from ((f"{field}[{place}]", text) for place, text in enumerate(value))
