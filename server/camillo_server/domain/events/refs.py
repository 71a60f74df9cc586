"""Refs: whether what is cited is there."""

from camillo_server.domain.errors import RefNotFound
from camillo_server.domain.events.event import EventDraft, ToolResultContent
from camillo_server.domain.events.ports import RefResolver
from camillo_server.domain.scope import Scope


def refs_of(draft: EventDraft) -> tuple[str, ...]:
    """What an event cites: its refs, and the artifact that holds the whole of its text."""
    artifact_id = draft.content.artifact_id if isinstance(draft.content, ToolResultContent) else ""
    return (*draft.refs, artifact_id) if artifact_id else tuple(draft.refs)


async def check_refs(resolver: RefResolver, scope: Scope, refs: tuple[str, ...]) -> None:
    """Raises RefNotFound for the first that names nothing."""
    if refs and (missing := await resolver.missing(scope, refs)):
        raise RefNotFound(missing[0])
