"""Checks whether the model that serves knows the language of what is stored."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from camillo_server.cli.doctor import Finding, ok, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

SUBJECT = "languages"
# Texts of each tenant that are read, and the share of others that is worth another model.
TEXTS, MAX_SHARE = 200, 0.3
# The beginning of a text tells its language.
FIRST_TEXTS = """
select left(content, 2000) from camillo.memories where tenant_id = %(tenant)s and content <> ''
order by tenant_id, agent_id, memory_id limit %(limit)s
"""
MULTILINGUAL = "multilingual-e5-small-q4"
_WORD = re.compile(r"[^\W\d_]+")
_MAX_WORDS = 100
_END_OF_LATIN = "\u0250"


def check_languages(connection: Connection[Any], model_id: str) -> Finding:
    """Measures how many texts are in other scripts or languages than English, if the model knows no other. Encrypted
    ones are not read."""
    if not _knows_english_alone(model_id):
        return ok(SUBJECT, "no model serves that knows English alone")
    with connection.transaction():
        counts = Counter(map(is_english, _texts(connection)))
    if not counts:
        return ok(SUBJECT, "no text is stored that can be read")
    others = counts[False]
    what = f"{others:,} of {counts.total():,} stored texts that were read are not English"
    if others <= MAX_SHARE * counts.total():
        return ok(SUBJECT, what)
    return warn(
        SUBJECT,
        f"{what}, which is all that the model knows",
        f"camillo models pull {MULTILINGUAL}, or the lexical embedder; docs/embedding.md has how one model follows "
        "another",
    )


def is_english(text: str) -> bool:
    """Whether most letters are Latin, and function words and accents tell no other language."""
    from camillo_server.lib.text.word_forms import language_of

    words = _WORD.findall(text.lower())[:_MAX_WORDS]
    letters = "".join(words)
    latin = sum(letter < _END_OF_LATIN for letter in letters)
    return 2 * latin >= len(letters) and not language_of(words)


def _knows_english_alone(model_id: str) -> bool:
    from camillo_server.models.embedding.model_catalogue import CATALOGUE

    named = [known for name, known in CATALOGUE.items() if model_id.startswith(f"{name}-")]
    return bool(named) and max(named, key=lambda known: len(known.name)).languages == "English"


def _texts(connection: Connection[Any]) -> Iterator[str]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        for (content,) in connection.execute(FIRST_TEXTS, {"tenant": tenant, "limit": TEXTS}):
            yield content
