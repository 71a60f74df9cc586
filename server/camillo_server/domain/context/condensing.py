"""Many turns in few words, without a model: what each begins with, in order."""

import re
from collections.abc import Sequence

from camillo_server.domain.context.bundle import MOST_REFS, Candidate, ItemType
from camillo_server.domain.context.prompt_text import one_line
from camillo_server.domain.tokens import TokenCounter

MOST_TOKENS = 512
LEAST_TOKENS = 48
_MOST_CHARACTERS = 96
# A sentence of any script, of which nothing is gained by cutting it.
_SENTENCE = re.compile(r".{8,96}?[.!?](?=\s)|.{4,48}?[。！？؟।]")
_CUT = " \N{HORIZONTAL ELLIPSIS}"


def condensed(turns: Sequence[Candidate], max_tokens: int, counter: TokenCounter) -> Candidate:
    """One item for these turns, newest first as they come, of at most so many tokens as far as a line can have them."""
    budget = min(max_tokens, MOST_TOKENS)
    head = f"{len(turns)} earlier turns in few words"
    lines: list[str] = []
    used = counter.count(f"{head} (the last {len(turns)}):\n")
    for turn in turns:
        line = first_sentence(f"{turn.lead} {turn.text}")
        used += counter.count(f"  - {line}\n")
        if used > budget and lines:
            break
        lines.append(line)
    told = "" if len(lines) == len(turns) else f" (the last {len(lines)} of them)"
    refs = dict.fromkeys(ref for turn in turns for ref in turn.refs)
    listed = "\n".join(f"- {line}" for line in reversed(lines))
    return Candidate(
        type=ItemType.CONDENSED,
        text=f"{head}{told}:\n{listed}",
        refs=tuple(refs)[:MOST_REFS],
        occurred_at=turns[-1].occurred_at,
        sensitivity=max(turn.sensitivity for turn in turns),
        is_derived=True,
    )


def first_sentence(text: str) -> str:
    """What a text begins with, in one line of 98 characters at most."""
    text = one_line(text[: 8 * _MOST_CHARACTERS])
    sentence = _SENTENCE.match(text)
    if sentence:
        return sentence[0]
    if len(text) <= _MOST_CHARACTERS:
        return text
    cut = text[:_MOST_CHARACTERS]
    return cut[: cut.rfind(" ")] + _CUT if " " in cut[_MOST_CHARACTERS // 2 :] else cut + _CUT
