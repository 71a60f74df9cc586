"""Random JSON documents as text, and what is cut out of them by the plain way: to parse it all."""

import json
from collections.abc import Sequence
from typing import Any

from camillo_server.kernel.errors import JsonValueNotFound, NotJson
from camillo_server.lib.outputs.json_parts.pointer import ArraySlice, array_index, parse_pointer
from camillo_server.lib.outputs.json_parts.values import ValueCutter
from hypothesis import strategies as st

KEYS = st.one_of(st.sampled_from(["a", "b", "0", "1", "", "a/b", "~", "键", "😀", 'q"\\']), st.text(max_size=5))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=()), max_size=12),
    st.text(st.sampled_from('\\"{}[],:/u \n\u0007שd'), max_size=12),
)
DOCUMENTS: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=25,
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[Any, bytes]:
    """A document, and its text with some white space, escapes or not."""
    document = draw(DOCUMENTS)
    separators = draw(st.sampled_from([(",", ":"), (" , ", "\t:\n"), (",\r\n", ": ")]))
    indent = draw(st.sampled_from([None, 0, 2]))
    text = json.dumps(document, ensure_ascii=draw(st.booleans()), indent=indent, separators=separators)
    # Half of a pair cannot be written but as an escape.
    text = "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    return document, draw(st.sampled_from(["", " ", "\n\t"])).join(["", text, ""]).encode()


def paths(document: Any) -> list[tuple[str, ...]]:
    """The steps to every value of a document."""
    found: list[tuple[str, ...]] = [()]
    members: Sequence[tuple[str, Any]] = ()
    if isinstance(document, dict):
        members = list(document.items())
    elif isinstance(document, list):
        members = [(str(index), value) for index, value in enumerate(document)]
    for step, value in members:
        found += [(step, *rest) for rest in paths(value)]
    return found


def pointer_text(steps: Sequence[str]) -> str:
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


def plain_value(document: Any, steps: Sequence[str], part: ArraySlice | None) -> Any:
    """Raises LookupError if there is none."""
    for step in steps:
        if isinstance(document, dict):
            document = document[step]
        else:
            index = array_index(step)
            if index is None or not isinstance(document, list):
                raise LookupError
            document = document[index]
    if part is None:
        return document
    if not isinstance(document, list):
        raise LookupError
    return document[part.start : part.end]


def blocks_of(text: bytes, sizes: Sequence[int]) -> list[bytes]:
    """The text cut into blocks of these sizes, and the rest."""
    blocks, start = [], 0
    for size in sizes:
        blocks.append(text[start : start + size])
        start += size
    return [*blocks, text[start:]]


def cut(blocks: Sequence[bytes], pointer: str, part: ArraySlice | None = None) -> bytes:
    """Raises NotJson, JsonValueNotFound."""
    cutter = ValueCutter(parse_pointer(pointer), part)
    pieces: list[bytes] = []
    for block in blocks:
        pieces += cutter.feed(block)
        if cutter.is_done:
            return b"".join(pieces)
    cutter.finish()
    return b"".join(pieces)


def outcome(blocks: Sequence[bytes], pointer: str, part: ArraySlice | None = None) -> str | bytes:
    """The outcome of a cut: the value's text, or the error's name."""
    try:
        return cut(blocks, pointer, part)
    except (NotJson, JsonValueNotFound) as error:
        return type(error).__name__
