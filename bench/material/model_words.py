"""Words as a model knows them: what a text costs to embed goes by its tokens, and made-up words have four of them."""

import json
import re
from functools import cache
from pathlib import Path

# Of 20,000 words drawn by Zipf's law, nine in ten are among the first so many: about 1.3 tokens a word, as in English.
KNOWN_WORDS = 8_000
_WORD = re.compile(r"[a-z]{2,}")


@cache
def known_words(model: Path | None) -> tuple[str, ...]:
    """Words that are one token for the model of this directory, in the order of its vocabulary, which begins with the
    most frequent; none without a model."""
    if model is None:
        return ()
    vocabulary = json.loads((model / "tokenizer.json").read_text())["model"]["vocab"]
    ordered = sorted(vocabulary, key=vocabulary.__getitem__)
    return tuple(word for word in ordered if _WORD.fullmatch(word))[:KNOWN_WORDS]
