"""What the demo asks: about this project, or what the input itself suggests."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

COUNT = 5
ABOUT_CAMILLO = (
    "How do I start the server?",
    "What happens when the embedding provider fails?",
    "How does a client read its own writes?",
    "Who may see another tenant's memories?",
    "Where does the root key come from?",
)
MOST_WORDS = 14
LEAST_LETTERS = 12
# With less it is code or a table, not language.
LEAST_SHARE_OF_LETTERS = 0.75
SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*|\n")


def is_camillo(directory: Path) -> bool:
    """Whether the directory is a checkout of this project."""
    return (directory / "proto" / "camillo" / "v1").is_dir()


def suggested(texts: Sequence[str]) -> list[str]:
    """Up to five questions from texts spread evenly: the heading or the first sentence of each."""
    found: dict[str, None] = {}
    for text in _spread(texts):
        if question := _opening(text):
            found.setdefault(question)
        if len(found) == COUNT:
            break
    return list(found)


def _spread(texts: Sequence[str]) -> Iterable[str]:
    """Five texts at even distances, then the others, in case some say nothing."""
    step = max(1, len(texts) // COUNT)
    chosen = range(step // 2, len(texts), step)
    yield from (texts[place] for place in chosen)
    yield from (texts[place] for place in range(len(texts)) if place not in chosen)


def _opening(text: str) -> str:
    for sentence in SENTENCE_END.split(text):
        words = sentence.rpartition(" > ")[2].strip(" #*>-`|").split()
        opening = " ".join(words[:MOST_WORDS])[:120]
        letters = sum(map(str.isalpha, opening))
        if letters >= LEAST_LETTERS and letters >= LEAST_SHARE_OF_LETTERS * len(opening):
            return opening
    return ""
