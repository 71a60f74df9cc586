"""Speech: a text with a speaker whom the query names comes first, and one that tells before one that asks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.counted_terms import term_code
from camillo_server.lib.text.speech import ASKS
from camillo_server.search.signals.signal import IndexRows, Part, Raw, Rows, Signal, Weights
from camillo_server.storage.scopes import tsquery_texts

# The two parts of the score: the speaker is named in the query, and the text tells rather than asks.
NAMED_WEIGHT, TELLS_WEIGHT = 1.5, 0.4
# The flags of a candidate, by lib/text/speech.py: it asks, it follows one in its session that asks, and it has a
# speaker whom the query names.
FLAGS = (ASKS_FLAG, REPLIES, NAMED) = range(3)
Flags = NDArray[np.bool_]


def speech_flags(asks: Flags, replies: Flags, named: Flags) -> Flags:
    """The flags of n candidates, shape (n, 3)."""
    # Each flag in one piece: three times as fast as rows of three.
    flags = np.empty((len(asks), len(FLAGS)), np.bool_, order="F")
    flags[:, ASKS_FLAG], flags[:, REPLIES], flags[:, NAMED] = asks, replies, named
    return flags


def replies_of(flags: Flags | None) -> Flags | None:
    """Which candidates reply to a question; None where none does."""
    if flags is None or not np.logical_or.reduce(flags[:, REPLIES]):
        return None
    return flags[:, REPLIES]


def _weigh(flags: Raw, weights: Weights) -> Part | None:
    """1: tells, and has a speaker whom the query names."""
    named = NAMED_WEIGHT if np.logical_or.reduce(flags[:, NAMED]) else 0.0
    tells = TELLS_WEIGHT if np.logical_or.reduce(flags[:, ASKS_FLAG]) else 0.0
    if not weights.arms or not named + tells:
        return None
    parts = named * flags[:, NAMED] + tells * ~flags[:, ASKS_FLAG]
    return Part((parts / (named + tells)).astype(np.float32), named + tells)


def _from_index(index: IndexRows, speakers: Sequence[str], rows: Rows, neighbours: Rows) -> Flags:
    (asking, _), *saying = index.terms.find([*map(term_code, (ASKS, *speakers))], index.count)
    named = np.zeros(len(rows), np.bool_)
    for said, _ in saying:
        if len(said):
            named |= _is_among(rows, said)
    return speech_flags(_is_among(rows, asking), _is_among(neighbours[:, 0], asking), named)


def _is_among(rows: Rows, among: NDArray[np.int32]) -> Flags:
    """Whether each row is among these, which ascend."""
    if not len(among):
        return np.zeros(len(rows), np.bool_)
    is_among: Flags = among[among.searchsorted(rows).clip(max=len(among) - 1)] == rows
    return is_among


def _from_bits(bits: Raw) -> Flags:
    flags: Flags = (bits[:, None] & (1 << np.array(FLAGS, np.int16))).astype(np.bool_)
    return flags


def _parameters(scope: Scope, speakers: Sequence[str]) -> Mapping[str, Any]:
    return {
        "asks": tsquery_texts(scope, (ASKS,))[0],
        "speakers": " | ".join(tsquery_texts(scope, speakers)) or None,
    }


def _explain(signal: Signal, raw: Raw | None, part: Part | None, weight: float, index: int) -> Mapping[str, Any]:
    """Nothing where speech does not count, or all candidates are alike."""
    if raw is None or (part is None and not raw[:, REPLIES].any()):
        return {}
    asks, replies, is_named = raw[index].tolist()
    score = 0.0 if part is None else float(part.score[index])
    told = {"score": score, "weight": weight, "asks": asks, "replies": replies, "is_named": is_named}
    return {signal.name: told}


SPEECH = Signal(
    "speech",
    1,
    _weigh,
    needs_neighbours=True,
    from_index=_from_index,
    sql_column="""
        ((m.terms @@ %(asks)s::tsquery)::int + 2 * coalesce((
            select (b.terms @@ %(asks)s::tsquery)::int from memories b
            where b.tenant_id = %(tenant_id)s and b.agent_id = %(agent_id)s and b.memory_id = c.neighbours[1] offset 0
        ), 0) + 4 * coalesce(m.terms @@ %(speakers)s::tsquery, false)::int)::int2 as speech
    """,
    sql_type=">i2",
    from_sql=_from_bits,
    sql_parameters=_parameters,
    explain=_explain,
)
"""Argument: the terms of who says what, of those whom the query names."""
