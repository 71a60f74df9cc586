"""Which scope a source is searched in: documents and audit entries are the tenant's, the rest is each agent's own."""

from dataclasses import replace

from camillo_server.kernel.kinds import Sensitivity, Source
from camillo_server.kernel.revision import Freshness
from camillo_server.search.recall import RecallQuery, SharedSearch

TENANT_SOURCES = frozenset({Source.DOCUMENT, Source.AUDIT})
"""Their rows are all in the tenant's shared scope, and every agent finds them there."""


def over_both_scopes(
    query: RecallQuery, freshness: Freshness, *, include_shared: bool
) -> RecallQuery:
    """The query of an agent's scope, which finds what is the tenant's in the shared scope and, with `include_shared`, the other
    sources there, too. What is restricted is shown to its own agent alone."""
    sources = query.filter.sources
    in_shared = sources if include_shared else [each for each in sources if each in TENANT_SOURCES]
    levels = query.filter.sensitivities or tuple(Sensitivity)
    shared = replace(
        query.filter,
        sources=tuple(in_shared),
        sensitivities=tuple(each for each in levels if each is not Sensitivity.RESTRICTED),
    )
    own = tuple(each for each in sources if each not in TENANT_SOURCES)
    return replace(
        query,
        filter=replace(query.filter, sources=own),
        shared=SharedSearch(shared, freshness),
    )
