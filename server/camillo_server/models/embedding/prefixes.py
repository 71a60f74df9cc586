"""Prefixes that models were trained to find before texts, and those of known families, by the names that providers give
them."""

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple


class Prefixes(NamedTuple):
    """The prefixes that a model was trained to find before a query and before a stored text; empty for most."""

    query: str = ""
    document: str = ""


NO_PREFIXES = Prefixes()
SEARCHING = "Represent this sentence for searching relevant passages: "
_INSTRUCTED = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "

_SEPARATOR, _ID_CHARACTERS = "\0", 6

# The first that fits the last part of a name holds.
_FAMILIES: Sequence[tuple[str, Prefixes]] = (
    (r"e5-.*instruct", Prefixes(_INSTRUCTED)),
    (r"e5-(small|base|large)", Prefixes("query: ", "passage: ")),
    (r"bge-(small|base|large)-en", Prefixes(SEARCHING)),
    (r"bge-(small|base|large)-zh", Prefixes("为这个句子生成表示以用于检索相关文章：")),
    (r"nomic-embed-text", Prefixes("search_query: ", "search_document: ")),
    (r"mxbai-embed-large", Prefixes(SEARCHING)),
    (r"snowflake-arctic-embed(2|-[ml]-v2)", Prefixes("query: ")),
    (r"snowflake-arctic-embed", Prefixes(SEARCHING)),
    (r"embedding-?gemma", Prefixes("task: search result | query: ", "title: none | text: ")),
)


def prefixes_by_name(model: str) -> Prefixes:
    """The prefixes of the model's family; none for a family that is not known."""
    name = model.lower().rpartition("/")[2]
    return next((prefixes for pattern, prefixes in _FAMILIES if re.search(pattern, name)), NO_PREFIXES)


def prefixes_id(prefixes: Prefixes) -> str:
    """The end of the name of vectors of texts with these prefixes; empty without any."""
    if prefixes == NO_PREFIXES:
        return ""
    return f"-{hashlib.sha256(_SEPARATOR.join(prefixes).encode()).hexdigest()[:_ID_CHARACTERS]}"
