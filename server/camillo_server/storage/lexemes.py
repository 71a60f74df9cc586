"""Index terms in Postgres' own form: a tsvector for a text, a tsquery for each term that is looked for."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache

from camillo_server.kernel.scope import Scope
from camillo_server.text.index_terms import MAX_COUNTED

# As often as an index in memory counts, so that both give a text the same score; Postgres keeps 255 positions.
COUNTED_OCCURRENCES = MAX_COUNTED
POSITIONS = {n: ",".join(map(str, range(1, n + 1))) for n in range(1, COUNTED_OCCURRENCES + 1)}


@lru_cache(maxsize=100_000)
def scope_prefix(scope: Scope) -> str:
    """Six characters that set a scope's lexemes apart in the shared index. Two scopes that share a prefix read a
    little more and find nothing of each other: every statement names the scope as well."""
    digest = hashlib.blake2b(f"{scope.tenant_id}\0{scope.agent_id}".encode(), digest_size=3)
    return digest.hexdigest()


def tsvector_text(scope: Scope, counts: Mapping[str, int]) -> str:
    """The tsvector of a text, as its literal: each term with as many positions as it occurs (255 at most)."""
    prefix = scope_prefix(scope)
    return " ".join(
        f"'{prefix}{_escaped(term)}':{POSITIONS[min(count, COUNTED_OCCURRENCES)]}"
        for term, count in counts.items()
    )


def tsquery_texts(scope: Scope, terms: Sequence[str]) -> list[str]:
    """One tsquery literal for each term."""
    prefix = scope_prefix(scope)
    return [f"'{prefix}{_escaped(term)}'" for term in terms]


def _escaped(term: str) -> str:
    return term.replace("\\", "\\\\").replace("'", "''") if "'" in term or "\\" in term else term
